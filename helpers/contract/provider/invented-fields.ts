/** Finds required fields of answers that only the provider's document has: the sandbox has no value for them. */
import type { JsonSchema, MediaTypes, Operation, Schemas } from "../contract.ts";
import { componentNamed } from "../pointer.ts";
import { hasPlace, innerSchemas, partsOf, requiredOf } from "../schemas/schema-visitor.ts";

/**
 * Returns the required fields of success answers for which the sandbox has no value, as `Type.field`, with the operation
 * as type if no component contains the field. An answer shows a field of the request as it was sent.
 */
export const inventedIn = (
  [ours, own]: readonly [Schemas, Operation],
  [theirs, joined]: readonly [Schemas, Operation],
): string[] => {
  const fields = (our: JsonSchema, their: JsonSchema): string[] => [
    ...new Set(invented({ ours, our, theirs }, their, { pointer: "", type: own.operationId }, [])),
  ];
  const sent = new Set(fields({}, jsonIn(joined.requestBody?.content)));
  return Object.values(joined.responses)
    .filter(({ status }) => status < 300)
    .flatMap(({ status, content }) => fields(jsonIn(own.responses[status]?.content), jsonIn(content)))
    .filter((field) => !sent.has(field));
};

const jsonIn = (content: MediaTypes | undefined): JsonSchema => content?.["application/json"] ?? {};

interface Bodies {
  readonly ours: Schemas;
  readonly our: JsonSchema;
  readonly theirs: Schemas;
}

const invented = (
  bodies: Bodies,
  schema: unknown,
  { pointer, type }: { readonly pointer: string; readonly type: string },
  within: readonly unknown[],
): string[] => {
  if (within.includes(schema)) return [];
  const entered = [...within, schema];
  const parts = partsOf(bodies.theirs, schema);
  const named = parts.map(({ $ref }) => componentNamed($ref)).find((name) => name !== undefined) ?? type;
  const required = new Set(parts.flatMap(requiredOf));
  return innerSchemas(bodies.theirs, schema).flatMap(({ segment, name, schema: inner }) => {
    if (name !== undefined && !required.has(name)) return [];
    const place = `${pointer}${segment}`;
    return name === undefined || !isLeaf(bodies.theirs, inner) || isKnown(bodies, inner, place)
      ? invented(bodies, inner, { pointer: place, type: named }, entered)
      : [`${named}.${name}`];
  });
};

const isLeaf = (schemas: Schemas, schema: unknown): boolean =>
  partsOf(schemas, schema).every(({ properties, items }) => properties === undefined && items === undefined);

/** Whether the contract has the field, here or elsewhere, or it identifies a known resource. */
const isKnown = ({ ours, our, theirs }: Bodies, property: unknown, pointer: string): boolean =>
  hasPlace(ours, our, pointer) ||
  partsOf(theirs, property).some(
    (part) => part["x-ours"] !== undefined || part["x-resource"] !== undefined || part.const !== undefined,
  );
