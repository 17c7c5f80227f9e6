/** Structures of a schema: values with everything drawn but the leaves that data makers fill. */
import fc from "fast-check";
import type { JsonSchema } from "../contract/contract.ts";
import type { GenerateContext } from "./context.ts";
import { dataMaker } from "./data.ts";
import { escapeSegment } from "./edit.ts";
import { leaf, shaped } from "./fill.ts";
import { heightsIn } from "./heights.ts";
import { textOf } from "./patterns.ts";
import { numbers, strings } from "./scalars.ts";
import {
  branchesOf,
  drawable,
  flatten,
  isSchema,
  propertiesOf,
  requiredOf,
  schemaAt,
  typesOf,
} from "./schema.ts";

/** How many levels of optional properties and items are drawn; below that only what is required. */
const DEPTH = 6;
const MOST_ITEMS = 3;

/** Where a schema is drawn. */
interface Site {
  readonly context: GenerateContext;
  readonly heightOf: (schema: JsonSchema) => number;
  readonly memo: Map<JsonSchema, Map<number, fc.Arbitrary<unknown>>>;
  readonly pointer: string;
  /** Levels of optional parts that may still follow. */
  readonly depth: number;
}

/** @throws for a schema that demands itself */
export const structuresOf = (schema: unknown, context: GenerateContext): fc.Arbitrary<unknown> => {
  const heightOf = heightsIn(context.schemas);
  if (heightOf(flatten(schema, context.schemas)) === Number.POSITIVE_INFINITY) {
    throw new Error(
      `A schema demands itself, so that its values never end: ${JSON.stringify(schema).slice(0, 200)}.`,
    );
  }
  return draw(schema, { context, heightOf, memo: new Map(), pointer: "", depth: DEPTH });
};

const below = (site: Site, segment: string): Site => ({
  ...site,
  pointer: `${site.pointer}/${escapeSegment(segment)}`,
  depth: site.depth - 1,
});

/** Places on the way to a demanded one are special; all others of the same schema and depth are alike. */
const draw = (schema: unknown, site: Site): fc.Arbitrary<unknown> => {
  const flat = drawable(flatten(schema, site.context.schemas), site.context.schemas);
  const demands = [...(site.context.with ?? []), ...(site.context.without ?? [])];
  if (isOnTheWay(site.pointer, demands)) return build(flat, site);
  const byDepth = site.memo.get(flat) ?? new Map<number, fc.Arbitrary<unknown>>();
  site.memo.set(flat, byDepth);
  const known = byDepth.get(site.depth) ?? build(flat, site);
  byDepth.set(site.depth, known);
  return known;
};

const build = (schema: JsonSchema, site: Site): fc.Arbitrary<unknown> => {
  const resource = site.context.resources[String(schema["x-resource"])];
  if (resource !== undefined) return fc.constant(shaped(resource, schema));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const maker = dataMaker(schema["x-data"]);
  if (maker !== undefined) return fc.constant(leaf(maker, schema));
  if (branchesOf(schema).length > 0) return choose(schema, site);
  const allTypes = typesOf(schema);
  const mustHold = isOnTheWay(site.pointer, site.context.with ?? []) && allTypes.length > 1;
  const types = allTypes.filter((type) => type !== "null" || !mustHold);
  if (types.length === 0) return strings({ type: "string" });
  return fc.oneof(...types.map((type) => byType(type, schema, site)));
};

const byType = (type: string, schema: JsonSchema, site: Site): fc.Arbitrary<unknown> => {
  if (type === "null") return fc.constant(null);
  if (type === "object") return object(schema, site);
  if (type === "array") return array(schema, site);
  if (type === "boolean") return fc.boolean();
  return type === "string" ? strings(schema) : numbers(schema, type);
};

const choose = (schema: JsonSchema, site: Site): fc.Arbitrary<unknown> => {
  const { oneOf: _one, anyOf: _any, ...common } = schema;
  const { schemas } = site.context;
  const branches = branchesOf(schema)
    // What all alternatives have in common may hold a place as well.
    .filter((branch) => canHold(flatten({ allOf: [common, branch] }, schemas), site))
    .map((branch) => flatten({ allOf: [common, named(schema, branch), branch] }, schemas));
  if (branches.length === 0)
    throw new Error(`No alternative at ${site.pointer || "/"} has the places that must be there.`);
  const heights = branches.map(site.heightOf);
  const limit = Math.max(site.depth, Math.min(...heights));
  const fitting = branches.filter((branch) => site.heightOf(branch) <= limit);
  return fc.oneof(...fitting.map((branch) => build(branch, site)));
};

const canHold = (branch: unknown, { context, pointer }: Site): boolean =>
  (context.with ?? []).every(
    (place) =>
      !place.startsWith(`${pointer}/`) ||
      schemaAt(branch, place.slice(pointer.length), context.schemas) !== undefined,
  );

const object = (schema: JsonSchema, site: Site): fc.Arbitrary<unknown> => {
  const properties = propertiesOf(schema);
  const required = requiredOf(schema);
  const needsAll = Number(schema.minProperties ?? 0) > required.length;
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  const requiredKeys: string[] = [];
  for (const name of new Set([...Object.keys(properties), ...required])) {
    const inner = below(site, name);
    const property = flatten(properties[name], site.context.schemas);
    const must = required.includes(name) || isOnTheWay(inner.pointer, site.context.with ?? []);
    if (site.context.without?.includes(inner.pointer) || (!must && isLeftOut(property, inner))) continue;
    model[name] = draw(property, inner);
    if (must || needsAll) requiredKeys.push(name);
  }
  if (Object.keys(model).length === 0 && isSchema(schema.additionalProperties)) return map(schema, site);
  return fc.record(model, { requiredKeys, noNullPrototype: true });
};

const isLeftOut = (schema: JsonSchema, { heightOf, depth, context }: Site): boolean =>
  heightOf(schema) > depth ||
  dataMaker(schema["x-data"])?.onlyOnDemand === true ||
  (schema["x-resource"] !== undefined && context.resources[String(schema["x-resource"])] === undefined);

const map = (schema: JsonSchema, site: Site): fc.Arbitrary<unknown> => {
  const inner = below(site, "*");
  const values = flatten(schema.additionalProperties, site.context.schemas);
  const minKeys = Number(schema.minProperties ?? 0);
  const most = isLeftOut(values, inner) ? minKeys : minKeys + 2;
  const maxKeys = Math.min(most, Number(schema.maxProperties ?? most));
  if (maxKeys === 0) return fc.constant({});
  const keys = textOf([..."abcdefgh"], 3, 8);
  return fc.dictionary(keys, draw(values, inner), { minKeys, maxKeys, noNullPrototype: true });
};

const array = (schema: JsonSchema, site: Site): fc.Arbitrary<unknown> => {
  const inner = below(site, "0");
  const items = flatten(schema.items, site.context.schemas);
  const wanted = isOnTheWay(inner.pointer, site.context.with ?? []) ? 1 : 0;
  const minLength = Math.max(Number(schema.minItems ?? 0), wanted);
  const most = isLeftOut(items, inner) ? minLength : minLength + MOST_ITEMS;
  const maxLength = Math.max(minLength, Math.min(Number(schema.maxItems ?? most), most));
  if (maxLength === 0) return fc.constant([]);
  const item = draw(items, inner);
  return schema.uniqueItems === true && dataMaker(items["x-data"]) === undefined
    ? fc.uniqueArray(item, { minLength, maxLength, selector: (value) => JSON.stringify(value) })
    : fc.array(item, { minLength, maxLength });
};

const isOnTheWay = (pointer: string, wanted: readonly string[]): boolean =>
  wanted.some((place) => place === pointer || place.startsWith(`${pointer}/`));

/** What a `discriminator` demands of the property that names the branch. */
const named = (schema: JsonSchema, branch: unknown): JsonSchema => {
  const discriminator = schema.discriminator as
    | { propertyName?: string; mapping?: Record<string, string> }
    | undefined;
  const ref = isSchema(branch) ? branch.$ref : undefined;
  if (discriminator?.propertyName === undefined || typeof ref !== "string") return {};
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  const mapped = Object.entries(discriminator.mapping ?? {}).find(
    ([, target]) => target === ref || target === name,
  );
  const property = discriminator.propertyName;
  return { type: "object", required: [property], properties: { [property]: { const: mapped?.[0] ?? name } } };
};
