/** Makes instances that are meant to fit several schemas at once; a validator has to say whether one does. */
import type { Json } from "../../contract/json.ts";
import { isSame } from "../compare/canonical.ts";
import { ALL_TYPES, listedValues } from "../compare/types.ts";
import type { Schemas } from "../document/model.ts";
import { type Expansion, expand } from "./expand.ts";
import { makeArray } from "./make-array.ts";
import { makeObject } from "./make-object.ts";
import { makeNumber, makeString } from "./make-scalar.ts";
import { type Making, NONE } from "./making.ts";
import { createRandom } from "./random.ts";

/** Deeper than any body that is not endless. */
const DEEPEST = 24;
/**
 * @param attempt 0 for the smallest instance; others differ, the same for the same number
 * @returns NONE where the schemas contradict each other or demand more than can be planned for
 */
export const makeInstance = (conjuncts: readonly unknown[], schemas: Schemas, attempt: number): unknown =>
  make(conjuncts, {
    schemas,
    random: createRandom(attempt),
    generosity: attempt === 0 ? 0 : ([0, 0.3, 0.7][attempt % 3] ?? 0),
    depth: 0,
    make,
  });

const make = (conjuncts: readonly unknown[], making: Making): unknown => {
  if (making.depth > DEEPEST) return NONE;
  const expansion = expand(conjuncts, making);
  if (expansion === undefined) return NONE;
  const listed = listedIn(expansion.parts);
  if (listed !== undefined) return listed.length === 0 ? NONE : chosen(listed, making);
  const type = typeFor(expansion.parts, making);
  return type === undefined ? NONE : MAKERS[type](expansion, making);
};

type Type = (typeof ALL_TYPES)[number] | "integer";

const MAKERS: Readonly<Record<Type, (expansion: Expansion, making: Making) => unknown>> = {
  null: () => null,
  boolean: (_, { random }) => random.chance(0.5),
  number: (expansion, { random, generosity }) => makeNumber(expansion, random, generosity > 0, false),
  integer: (expansion, { random, generosity }) => makeNumber(expansion, random, generosity > 0, true),
  string: (expansion, { random, generosity }) => makeString(expansion, random, generosity > 0),
  array: makeArray,
  object: makeObject,
};

const chosen = (values: readonly unknown[], { random, generosity }: Making): unknown =>
  generosity === 0 && random.chance(0.5) ? values[0] : random.pick(values);

/** Values that every part that lists values lists. */
const listedIn = (parts: readonly Json[]): readonly unknown[] | undefined => {
  const lists = parts.map(listedValues).filter((values) => values !== undefined);
  const [first, ...rest] = lists;
  return first?.filter((value) => rest.every((values) => values.some((other) => isSame(value, other))));
};

const typeFor = (parts: readonly Json[], { random, generosity }: Making): Type | undefined => {
  const lists = parts.flatMap(({ type }) => (type === undefined ? [] : [[type].flat() as Type[]]));
  if (lists.length === 0) {
    const implied = IMPLIED.find(([, keywords]) =>
      parts.some((part) => keywords.some((one) => one in part)),
    )?.[0];
    if (generosity === 0 || random.chance(0.7)) return implied ?? "string";
    return random.pick(ALL_TYPES);
  }
  const [first = [], ...rest] = lists;
  const allowed = first
    .map((type) => rest.reduce<Type | undefined>(narrowed, type))
    .filter((type) => type !== undefined);
  const telling = allowed.filter((type) => type !== "null");
  if (allowed.length === 0) return undefined;
  return generosity === 0 && telling.length > 0 ? random.pick(telling) : random.pick(allowed);
};

const narrowed = (type: Type | undefined, types: readonly Type[]): Type | undefined => {
  if (type === undefined || types.includes(type)) return type;
  if (type === "number" && types.includes("integer")) return "integer";
  return type === "integer" && types.includes("number") ? type : undefined;
};

const IMPLIED: readonly (readonly [Type, readonly string[]])[] = [
  [
    "object",
    ["properties", "required", "additionalProperties", "minProperties", "patternProperties", "propertyNames"],
  ],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]],
  ["string", ["pattern", "format", "minLength", "maxLength"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];
