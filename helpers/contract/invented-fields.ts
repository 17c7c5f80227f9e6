/** Finds required fields of answers that only the provider's document has: the sandbox has no value for them. */
import type { Contract, JsonSchema } from "./contract.ts";
import { isObject } from "./json.ts";
import { componentNamed, escapeSegment } from "./pointer.ts";
import { hasPlace, partsOf } from "./schema-path.ts";

type Schemas = Contract["schemas"];
type Body = readonly [schemas: Schemas, schema: JsonSchema];

/** Returns the fields as `Type.field`, with the operation as type if no component contains the field. */
export const inventedFields = (operationId: string, [ours, our]: Body, [theirs, their]: Body): string[] => [
  ...new Set(invented({ ours, our, theirs }, their, { pointer: "", type: operationId }, [])),
];

interface Bodies {
  readonly ours: Schemas;
  readonly our: JsonSchema;
  readonly theirs: Schemas;
}

interface Position {
  readonly pointer: string;
  readonly type: string;
}

const invented = (
  bodies: Bodies,
  schema: unknown,
  { pointer, type }: Position,
  within: readonly unknown[],
): string[] => {
  if (within.includes(schema)) return [];
  const entered = [...within, schema];
  const parts = partsOf(bodies.theirs, schema);
  const named = parts.map(({ $ref }) => componentNamed($ref)).find((name) => name !== undefined) ?? type;
  const required = new Set(parts.flatMap((part) => (part.required ?? []) as readonly string[]));
  return parts.flatMap(({ properties, items }) => [
    ...(isObject(items) ? invented(bodies, items, { pointer: `${pointer}/*`, type: named }, entered) : []),
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, property]) => {
      if (!required.has(name)) return [];
      const place = `${pointer}/${escapeSegment(name)}`;
      const inner = invented(bodies, property, { pointer: place, type: named }, entered);
      return isLeaf(bodies.theirs, property) && !isKnown(bodies, property, place)
        ? [`${named}.${name}`]
        : inner;
    }),
  ]);
};

const isLeaf = (schemas: Schemas, schema: unknown): boolean =>
  partsOf(schemas, schema).every(({ properties, items }) => properties === undefined && items === undefined);

/** Whether the contract has the field, here or elsewhere, or it identifies a known resource. */
const isKnown = ({ ours, our, theirs }: Bodies, property: unknown, pointer: string): boolean =>
  hasPlace(ours, our, pointer) ||
  partsOf(theirs, property).some(
    (part) => part["x-ours"] !== undefined || part["x-resource"] !== undefined || part.const !== undefined,
  );
