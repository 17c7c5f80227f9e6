/** Arrays that are meant to fit. */
import { canonical } from "../compare/canonical.ts";
import type { Expansion } from "./expand.ts";
import { least, most } from "./make-scalar.ts";
import { type Making, NONE, SHALLOW } from "./making.ts";

const MOST_ITEMS = 2000;
const REDRAWS = 8;

export const makeArray = ({ parts, twists }: Expansion, making: Making): unknown => {
  const { random, generosity, depth } = making;
  const contained = parts.filter((part) => part.contains !== undefined);
  const wanted = contained.map((part) => Number(part.minContains ?? 1));
  const fewest = Math.max(most(parts, "minItems", 0), ...wanted);
  const longest = least(parts, "maxItems");
  if (fewest > longest || fewest > MOST_ITEMS) return NONE;
  const more = depth < SHALLOW && random.chance(generosity) ? 1 + random.below(2) : 0;
  const length = Math.min(longest, fewest + more);
  const unique = parts.some((part) => part.uniqueItems === true);
  const items: unknown[] = [];
  for (let index = 0; index < length; index += 1) {
    const repeats = twists.has("repeated") && index > 0;
    const item = repeats ? items[0] : itemAt(index, { parts, twists }, making, unique ? items : []);
    if (item === NONE) return index >= fewest ? items : NONE;
    items.push(item);
  }
  return items;
};

const itemAt = (index: number, { parts }: Expansion, making: Making, taken: readonly unknown[]): unknown => {
  const schemas = parts.flatMap((part) => {
    const prefix = Array.isArray(part.prefixItems) ? part.prefixItems : [];
    const own = index < prefix.length ? prefix[index] : part.items;
    const isWanted = part.contains !== undefined && index < Number(part.minContains ?? 1);
    return [...(own === undefined ? [] : [own]), ...(isWanted ? [part.contains] : [])];
  });
  const known = new Set(taken.map(canonical));
  for (let draw = 0; draw < REDRAWS; draw += 1) {
    const generosity = draw === 0 ? making.generosity : Math.max(making.generosity, 0.5);
    const item = making.make(schemas, { ...making, generosity, depth: making.depth + 1 });
    if (item === NONE || !known.has(canonical(item))) return item;
  }
  return NONE;
};
