/** Strings and numbers that are meant to fit. */
import fc from "fast-check";
import type { Json } from "../../contract/json.ts";
import { stringsMatching } from "../../generate/patterns.ts";
import { ASSORTED, samplesOf } from "../compare/known-formats.ts";
import type { Expansion } from "./expand.ts";
import { NONE } from "./making.ts";
import type { Random } from "./random.ts";

const figures = (parts: readonly Json[], keyword: string): number[] =>
  parts.map((part) => part[keyword]).filter((value) => typeof value === "number");

export const most = (parts: readonly Json[], keyword: string, otherwise: number): number =>
  Math.max(otherwise, ...figures(parts, keyword));
export const least = (parts: readonly Json[], keyword: string): number =>
  Math.min(Number.POSITIVE_INFINITY, ...figures(parts, keyword));

const WORDS = ["text", "a", "Anna", "north wind", "0", "Zürich", "x-1"] as const;
/** Longer texts than this are not made: no body would carry them. */
const LONGEST = 200_000;

export const makeString = ({ parts, twists }: Expansion, random: Random, varied: boolean): unknown => {
  const shortest = most(parts, "minLength", 0);
  const longest = least(parts, "maxLength");
  if (shortest > longest || shortest > LONGEST) return NONE;
  const assorted = ASSORTED.filter((value) => typeof value === "string");
  if (twists.has("assorted") && random.chance(0.7)) return fitted(random.pick(assorted), shortest, longest);
  const pattern = parts.map((part) => part.pattern).find((value) => typeof value === "string");
  if (pattern !== undefined) return matching(pattern, shortest, longest, random);
  const samples = parts
    .flatMap(({ format }) => samplesOf(format))
    .filter((value) => typeof value === "string");
  if (samples.length > 0) return varied ? random.pick(samples) : samples[0];
  const spread = Math.min(longest, shortest + 12, LONGEST) - shortest;
  const length = varied ? shortest + random.below(spread + 1) : Math.max(shortest, Math.min(4, longest));
  return fitted(
    varied ? random.pick(WORDS) : "text",
    length,
    varied && random.chance(0.5) ? longest : length,
  );
};

/** The text cut or repeated; its length counts characters. */
const fitted = (text: string, shortest: number, longest: number): string => {
  const characters = [...text];
  if (characters.length > longest) return characters.slice(0, longest).join("");
  if (characters.length >= shortest) return text;
  const filling = characters.length === 0 ? ["a"] : characters;
  return Array.from({ length: shortest }, (_, at) => filling[at % filling.length]).join("");
};

const matching = (pattern: string, shortest: number, longest: number, random: Random): unknown => {
  try {
    const [text] = fc.sample(stringsMatching(pattern, shortest, longest), {
      numRuns: 1,
      seed: random.below(2 ** 31),
    });
    return text;
  } catch {
    return NONE;
  }
};

export const makeNumber = (
  { parts, twists }: Expansion,
  random: Random,
  varied: boolean,
  whole: boolean,
): unknown => {
  if (twists.has("fraction") && whole) return NONE;
  const formats = parts.map(({ format }) => format);
  const step = Math.max(whole ? 1 : 0, ...figures(parts, "multipleOf"));
  const low = Math.max(most(parts, "minimum", formats.includes("int32") ? -(2 ** 31) : -Infinity));
  const high = least([...parts, ...(formats.includes("int32") ? [{ maximum: 2 ** 31 - 1 }] : [])], "maximum");
  const [above, under] = [most(parts, "exclusiveMinimum", -Infinity), least(parts, "exclusiveMaximum")];
  const gap = step > 0 ? step : gapOf(Math.max(low, above), Math.min(high, under));
  const first = low > above ? low : above + gap;
  const last = high < under ? high : under - gap;
  if (first > last) return NONE;
  const others = ASSORTED.filter((one) => typeof one === "number" && (!whole || Number.isInteger(one)));
  if (twists.has("assorted") && random.chance(0.7)) return random.pick(others);
  const value = onStep(between(first, last, gap, random, varied), step, first, last);
  return twists.has("fraction") && Number.isInteger(value)
    ? value + Math.min(0.5, (last - first) / 2 || 0.5)
    : value;
};

/** Small enough to lie between the limits. */
const gapOf = (low: number, high: number): number =>
  high - low > 2 ? 1 : Number.isFinite(high - low) ? (high - low) / 4 : 1;

const between = (first: number, last: number, gap: number, random: Random, varied: boolean): number => {
  const start = Number.isFinite(first) ? first : Number.isFinite(last) ? Math.min(last, 0) : 0;
  const near = first <= 1 && last >= 1 && !Number.isFinite(first) ? 1 : start;
  if (!varied) return near;
  const choices = [
    first,
    last,
    near,
    start + gap * random.below(20),
    start + gap * random.below(1000),
    near + gap,
  ];
  const finite = choices.filter((one) => Number.isFinite(one) && one >= first && one <= last);
  return finite.length > 0 ? random.pick(finite) : near;
};

const onStep = (value: number, step: number, first: number, last: number): number => {
  if (step === 0) return value;
  const decimals = String(step).split(".")[1]?.length ?? 0;
  const up = Number((Math.ceil(Number((value / step).toPrecision(15))) * step).toFixed(decimals));
  const down = Number((Math.floor(Number((value / step).toPrecision(15))) * step).toFixed(decimals));
  return up <= last || down < first ? up : down;
};
