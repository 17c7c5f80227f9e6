/** What documents and recordings show of resources: the kinds by the places of their identifiers, and successes. */
import type { JsonSchema, Operation, ResourcePlace } from "../../helpers/contract/contract.ts";
import { keptIn } from "../../helpers/contract/once.ts";
import { segmentsOf } from "../../helpers/contract/pointer.ts";
import { type RecordedCall, withoutHidden } from "./recorded.ts";
import { type Fields, fieldsIn, isObject } from "./values/fields.ts";

/** Returns the fields of resources by kind and id. */
export const resourcesSeen = (calls: readonly RecordedCall[]): Fields => {
  const kinds = new Map<string, Map<string, Fields>>();
  const of = (resource: string) => keptIn(kinds, resource, () => new Map<string, Fields>());
  for (const { operation, path, status, json, body } of calls) {
    if (status >= 400) continue;
    const { method, parameters, finds, produces } = operation;
    const last = parameters.find(
      ({ in: place, name }) => place === "path" && operation.path.endsWith(`{${name}}`),
    );
    const answer = withoutHidden(json);
    for (const place of [...finds, ...produces])
      for (const [id, fields] of placedAt(answer, place)) of(place.resource).set(id, fields);
    if (last?.resource === undefined) continue;
    const [id, known] = [path[last.name] ?? "", of(last.resource)];
    if (method === "DELETE") known.delete(id);
    else if (method === "GET" && isObject(answer)) known.set(id, answer);
    else known.set(id, { ...known.get(id), ...fieldsIn(withoutHidden(body)), ...fieldsIn(answer) });
  }
  return Object.fromEntries([...kinds].map(([resource, known]) => [resource, Object.fromEntries(known)]));
};

/** Returns the objects that contain the identifiers at a place, by identifier. */
const placedAt = (json: unknown, { pointer }: ResourcePlace): [string, Fields][] => {
  const segments = segmentsOf(pointer);
  const name = segments.at(-1) ?? "";
  return segments
    .slice(0, -1)
    .reduce<unknown[]>((at, segment) => at.flatMap((value) => inside(value, segment)), [json])
    .flatMap((value): [string, Fields][] =>
      isObject(value) && value[name] !== undefined ? [[String(value[name]), value]] : [],
    );
};

const inside = (value: unknown, segment: string): unknown[] => {
  if (Array.isArray(value)) return segment === "*" ? value : [value[Number(segment)]];
  return isObject(value) && value[segment] !== undefined ? [value[segment]] : [];
};

/** Returns the lowest documented success and the schema of its body. */
export const successOf = ({
  responses,
}: Operation): readonly [number | undefined, JsonSchema | undefined] => {
  const [first] = Object.values(responses)
    .filter(({ status }) => status >= 200 && status < 300)
    .sort((a, b) => a.status - b.status);
  return [first?.status, first?.content["application/json"]];
};
