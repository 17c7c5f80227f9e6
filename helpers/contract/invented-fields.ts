/** Finds required fields of answers that only the provider's document has: the sandbox has no value for them. */
import type { Contract, JsonSchema, MediaTypes, Operation } from "./contract.ts";
import { isObject } from "./json.ts";
import { componentNamed, escapeSegment } from "./pointer.ts";
import { hasPlace, partsOf } from "./schema-path.ts";

type Schemas = Contract["schemas"];
type Shape = readonly [schemas: Schemas, operation: Operation];

/**
 * Returns the required fields of success answers for which the sandbox has no value, as `Type.field`, with the operation
 * as type if no component contains the field. An answer shows a field of the request as it was sent.
 */
export const inventedIn = ([ours, own]: Shape, [theirs, joined]: Shape): string[] => {
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
