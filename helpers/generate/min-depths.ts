/** Computes how many levels the smallest instance of a schema has, so that recursion ends. */
import type { Contract, JsonSchema } from "../contract/contract.ts";
import { getOrInsert, memoize } from "../contract/memoize.ts";
import { flatten, NOTHING, prefixOf } from "../contract/schemas/flatten.ts";
import { branchesOf } from "../contract/schemas/schema-reading.ts";
import { propertiesOf, requiredOf } from "../contract/schemas/schema-visitor.ts";
import { dataMaker } from "./data.ts";

/** Returns a function that gives the levels, or infinity for endless instances. */
export const minDepthsIn = memoize((schemas: Contract["schemas"]) => {
  const minDepths = new WeakMap<JsonSchema, number>();

  const fits = (schema: unknown, levels: number): boolean => {
    const flat = flatten(schema, schemas);
    const known = minDepths.get(flat);
    if (known !== undefined) return known <= levels;
    if (levels < 0 || flat === NOTHING) return false;
    if (flat.enum !== undefined || flat.const !== undefined || dataMaker(flat["x-data"]) !== undefined)
      return true;
    const branches = branchesOf(flat);
    if (branches.length > 0 && !branches.some((branch) => fits(branch, levels))) return false;
    const properties = propertiesOf(flat);
    if (!requiredOf(flat).every((name) => fits(properties[name], levels - 1))) return false;
    return itemsOf(flat).every((item) => fits(item, levels - 1));
  };

  return (schema: JsonSchema): number =>
    getOrInsert(minDepths, schema, () => {
      let minDepth = 0;
      while (minDepth < ENDLESS && !fits(schema, minDepth)) minDepth += 1;
      return minDepth === ENDLESS ? Number.POSITIVE_INFINITY : minDepth;
    });
});

/** Returns the different schemas of the items that the shortest list has. */
const itemsOf = (schema: JsonSchema): readonly unknown[] => {
  const least = Number(schema.minItems ?? 0);
  const first = prefixOf(schema).slice(0, least);
  return first.length < least ? [...first, schema.items] : first;
};

/** The limit for levels; no real body is that deep. */
const ENDLESS = 24;
