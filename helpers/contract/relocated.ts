/** Finds the place in the provider's schema of a field that the contract has at another place (`x-ours`). */
import type { Contract, JsonSchema } from "./contract.ts";
import { isObject } from "./json.ts";
import { escapeSegment } from "./pointer.ts";
import { hasPlace, partsOf } from "./schema-path.ts";

type Schemas = Contract["schemas"];

/** @param pointer in the contract's schema of the same body, with `*` for list items */
export const relocated = (schemas: Schemas, schema: JsonSchema, pointer: string): string | undefined =>
  hasPlace(schemas, schema, pointer)
    ? pointer
    : places(schemas, schema, ROOT, []).find(({ ours }) => ours.includes(pointer))?.pointer;

interface Place {
  readonly pointer: string;
  /** The contract's pointers to the same field. */
  readonly ours: readonly string[];
  /** The contract's pointers to the body or the list item that contains it. */
  readonly scope: readonly string[];
}

const ROOT: Place = { pointer: "", ours: [""], scope: [""] };
const DEEPEST = 8;

const places = (schemas: Schemas, schema: unknown, at: Place, within: readonly unknown[]): Place[] => {
  if (within.includes(schema) || within.length > DEEPEST) return [];
  const entered = [...within, schema];
  return partsOf(schemas, schema).flatMap((part) => {
    const properties = Object.entries(isObject(part.properties) ? part.properties : {});
    const below = properties.flatMap(([name, property]) => {
      const place = placeOf(at, name, property);
      return [place, ...places(schemas, property, place, entered)];
    });
    if (!isObject(part.items)) return below;
    const ours = at.ours.map((one) => `${one}/*`);
    const item = { pointer: `${at.pointer}/*`, ours, scope: ours };
    return [...below, item, ...places(schemas, part.items, item, entered)];
  });
};

const placeOf = ({ pointer, ours, scope }: Place, name: string, property: unknown): Place => {
  const noted = isObject(property) ? ((property["x-ours"] ?? []) as readonly string[]) : [];
  const step = `/${escapeSegment(name)}`;
  return {
    pointer: `${pointer}${step}`,
    ours: [
      ...ours.map((one) => `${one}${step}`),
      ...scope.flatMap((one) => noted.map((place) => `${one}${place}`)),
    ],
    scope,
  };
};
