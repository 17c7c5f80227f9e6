/** The places of a success body that show the resource which the path names. */
import type { Operation, Parameter, Rule } from "./contract.ts";
import { successRulesOf } from "./lookups.ts";
import { segmentsOf } from "./pointer.ts";

export interface OwnPlace {
  /** The path parameter that names the resource. */
  readonly parameter: Parameter;
  readonly status: number;
  /** The place of its identifier, with `*` for the items of a list. */
  readonly pointer: string;
}

/**
 * Returns the outermost places of the identifiers. A deeper place, or one with another name, may show a related
 * resource, such as a parent. A call that changes a resource may answer about another one.
 */
export const ownPlaces = (operation: Operation, rules: readonly Rule[]): OwnPlace[] => {
  if (!READING.includes(operation.method)) return [];
  const own = successRulesOf(rules, operation.operationId);
  return operation.parameters.flatMap((parameter) => {
    const { in: place, resource, name } = parameter;
    if (place !== "path" || resource === undefined) return [];
    const shown = own.filter(
      ({ schema, pointer }) =>
        (schema["x-resource"] === resource && ["id", name].includes(segmentsOf(pointer).at(-1) ?? "")) ||
        isGuessed(operation, name, pointer),
    );
    const depth = Math.min(...shown.map(({ pointer }) => segmentsOf(pointer).length));
    const outermost = shown.filter(({ pointer }) => segmentsOf(pointer).length === depth);
    return [
      ...new Map(outermost.map(({ status = 0, pointer }) => [`${status} ${pointer}`, { status, pointer }])),
    ].map(([, shownAt]) => ({ parameter, ...shownAt }));
  });
};

/** Whether a field of a read is named like the last segment of its path. A document of others does not mark its identifiers. */
const isGuessed = ({ path, shows }: Operation, name: string, pointer: string): boolean =>
  path.endsWith(`{${name}}`) &&
  shows.some((place) => place.pointer === pointer) &&
  ["/id", `/${name}`].includes(pointer);

const READING: readonly string[] = ["GET", "POST"];
