/** How many levels the smallest instance of a schema has, so that recursion ends. */
import type { Contract, JsonSchema } from "../contract/contract.ts";
import { keptIn } from "../contract/once.ts";
import { dataMaker } from "./data.ts";
import { flatten, NOTHING } from "./flatten.ts";
import { branchesOf, propertiesOf, requiredOf } from "./schema.ts";

type HeightOf = (schema: JsonSchema) => number;

const known = new WeakMap<Contract["schemas"], HeightOf>();

/** @returns a function that gives the levels, infinity for a schema whose instances never end; the same for the same schemas */
export const heightsIn = (schemas: Contract["schemas"]): HeightOf =>
  keptIn(known, schemas, () => createHeights(schemas));

const createHeights = (schemas: Contract["schemas"]): HeightOf => {
  const heights = new WeakMap<JsonSchema, number>();

  const fits = (schema: unknown, levels: number): boolean => {
    const flat = flatten(schema, schemas);
    const known = heights.get(flat);
    if (known !== undefined) return known <= levels;
    if (levels < 0 || flat === NOTHING) return false;
    if (flat.enum !== undefined || flat.const !== undefined || dataMaker(flat["x-data"]) !== undefined)
      return true;
    const branches = branchesOf(flat);
    if (branches.length > 0 && !branches.some((branch) => fits(branch, levels))) return false;
    const properties = propertiesOf(flat);
    if (!requiredOf(flat).every((name) => fits(properties[name], levels - 1))) return false;
    return Number(flat.minItems ?? 0) === 0 || fits(flat.items, levels - 1);
  };

  return (schema) =>
    keptIn(heights, schema, () => {
      let height = 0;
      while (height < ENDLESS && !fits(schema, height)) height += 1;
      return height === ENDLESS ? Number.POSITIVE_INFINITY : height;
    });
};

/** Deeper than any body. */
const ENDLESS = 24;
