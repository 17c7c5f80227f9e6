/** Finds resources by the conventions of paths: `/rooms/{roomId}` has the resource `room`, which `POST /rooms` creates. */
import { inPlace, requiredOf } from "../../helpers/contract/schema-visitor.ts";

export interface Resource {
  readonly name: string;
  /** The path that ends with the identifier. */
  readonly path: string;
  readonly parameter: string;
  /** The path without the identifier. */
  readonly collection: string;
}

const PARAMETER = /\{([^}]+)\}/g;

/** Returns the resources of a path, outermost first. */
export const resourcesOf = (path: string): Resource[] =>
  [...path.matchAll(PARAMETER)].map(({ index, 0: text, 1: parameter = "" }) => {
    const collection = path.slice(0, index).replace(/\/$/, "");
    const segment = collection.split("/").findLast((one) => one !== "" && !one.startsWith("{"));
    const isAlone = !collection.endsWith("}") && !path.slice(index + text.length).startsWith("/{");
    return {
      name: singular(segment !== undefined && isAlone ? segment : plainParameter(parameter)),
      path: `${path.slice(0, index)}${text}`,
      parameter,
      collection,
    };
  });

/** Identifiers that follow each other, as in `/repos/{owner}/{repo}`, have the names of their parameters. */
const plainParameter = (parameter: string): string => parameter.replace(/(?<=.)[-_]?id$/i, "");

const singular = (segment: string): string =>
  segment
    .replace(/ies$/, "y")
    .replace(/(s|x|z|ch|sh)es$/, "$1")
    .replace(/([^s])s$/, "$1")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .toLowerCase();

/** Returns the pointer of the identifier in the answer to a creation; `undefined` if it shows none. */
export const identifierIn = (
  schemas: Readonly<Record<string, unknown>>,
  schema: unknown,
  resource: Resource,
): string | undefined => {
  const names = new Set(inPlace(schemas, schema, "always").flatMap(requiredOf));
  const wanted = [resource.parameter, "id", `${resource.name}Id`, `${resource.name}_id`, "uuid"];
  const name = wanted.find((one) => names.has(one));
  return name === undefined ? undefined : `/${name}`;
};
