/** The interface of data makers, and functions to build them. */
import { faker as slow } from "@faker-js/faker/locale/en";

/** Seeds of a value: the same draw gives the same value. */
export interface Draw {
  /** Shared by the values of one body, so that name, e-mail address and country match. */
  readonly person: number;
  /** Different at each place, so that two identifiers differ. */
  readonly leaf: number;
  /** The only country that the contract supports, as ISO 3166 alpha-2; any country if absent. */
  readonly country?: string | undefined;
  /** A suffix that makes names unique. */
  readonly tag?: string | undefined;
}

export interface DataMaker {
  make(draw: Draw): string | number | boolean;
  /** Returns a plausible value of exactly `length` ASCII characters. */
  ofLength?(length: number, draw: Draw): string;
  /** The value may contain any character. */
  readonly freeText?: true;
  /** The value must exist on the server, because the server may refuse a generated value as unknown. */
  readonly known?: true;
  /** Omitted if it is optional, because a generated value does not exist on the server. */
  readonly onlyOnDemand?: true;
  /** Lengths that must be accepted, if the schema and the standard contradict each other. */
  readonly acceptedLengths?: readonly number[];
}

/** Repeats the text, cut at `length` characters. */
export const repeatTo = (text: string, length: number): string =>
  length > 0 ? text.repeat(Math.ceil(length / text.length)).slice(0, length) : "";

export const pick = <Row>(rows: readonly Row[], seed: number): Row => rows[seed % rows.length] as Row;

export const lettersOnly = (text: string): string => text.replaceAll(/[^A-Za-z]/g, "");

export const digits = (length: number, { leaf }: Draw): string =>
  length > 0 ? fakerAt(leaf).string.numeric(length) : "";

export const alphanumerics = (length: number, { leaf }: Draw): string =>
  length > 0 ? fakerAt(leaf).string.alphanumeric({ length, casing: "upper" }) : "";

/** Makes the given number of digits, or any length that a probe needs. */
export const numeric = (length: number): DataMaker => ({
  make: (draw) => digits(length, draw),
  ofLength: digits,
});

/** Makes free text, which may contain any character. */
export const freeText = (make: (draw: Draw) => string): DataMaker => ({
  make,
  freeText: true,
  ofLength: (length, draw) => repeatTo(make(draw), length),
});

/** Returns Mulberry32, whose state is one word. Faker's own generator initializes 624 words for each seed. */
const createRandomizer = () => {
  let state = 0;
  return {
    seed: (seed: number | number[]): void => {
      state = [seed].flat()[0] ?? 0;
    },
    next: (): number => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
    },
  };
};

// The locale exports only an instance; importing the class from the root would load all locales.
const FakerClass = slow.constructor as new (options: {
  locale: (typeof slow)["rawDefinitions"];
  randomizer: ReturnType<typeof createRandomizer>;
}) => typeof slow;

const quick = new FakerClass({ locale: slow.rawDefinitions, randomizer: createRandomizer() });

/** Returns Faker with this seed; the same seed gives the same values. */
export const fakerAt = (seed: number): typeof slow => {
  quick.seed(seed);
  return quick;
};
