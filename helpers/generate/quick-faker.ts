/** Faker with a generator that is quick to seed, because every value has its own seed. */
import { faker as slow } from "@faker-js/faker/locale/en";

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
