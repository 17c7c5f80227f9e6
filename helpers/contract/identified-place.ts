/** Notes at a place of the provider's schema which resource its value identifies. */
import type { Contract } from "./contract.ts";
import { isObject, type Json } from "./json.ts";
import { segmentsOf } from "./pointer.ts";
import { partsOf } from "./schema-path.ts";

/** Changes the schema in place, unless it already names a resource there. */
export const identifyPlace = (
  schemas: Contract["schemas"],
  schema: unknown,
  pointer: string,
  resource: string,
): void => identify(schemas, schema, segmentsOf(pointer), resource);

const identify = (
  schemas: Contract["schemas"],
  schema: unknown,
  [segment = "", ...rest]: readonly string[],
  resource: string,
): void => {
  for (const part of partsOf(schemas, schema) as Json[]) {
    const owner = segment === "*" ? part : part.properties;
    const name = segment === "*" ? "items" : segment;
    const inner = isObject(owner) ? owner[name] : undefined;
    if (!isObject(owner) || !isObject(inner)) continue;
    if (rest.length > 0) identify(schemas, inner, rest, resource);
    else owner[name] = { "x-resource": resource, ...inner };
  }
};
