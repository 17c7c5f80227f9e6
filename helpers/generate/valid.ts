/** Generates plausible values of a schema that a strict real server accepts. */
import fc from "fast-check";
import type { JsonSchema } from "../contract/contract.ts";
import type { ValidationError } from "../contract/schemas/schema-validator.ts";
import type { GenerateContext } from "./context.ts";
import { fill } from "./fill.ts";
import { NoValue } from "./later.ts";
import { structuresOf } from "./structure.ts";

/**
 * Generates values that fit `schema`, each proved by the validator.
 * @throws while drawing, when a generated value does not fit: the message names pointer and keyword
 */
export const validValues = (schema: JsonSchema, context: GenerateContext): fc.Arbitrary<unknown> => {
  const structures = structuresOf(schema, context);
  // Without bias, because a bias would draw the same person repeatedly.
  const persons = fc.noBias(fc.integer({ min: 0, max: 0x7fff_ffff }));
  const proof = (value: unknown) => ({ value, errors: context.validator.validate(schema, value) });
  // The first value nearly always fits, so that leaves need no separate validation.
  const proved = (structure: unknown, person: number) => {
    const first = proof(fill(structure, person, context, "first"));
    return first.errors.length === 0 ? first : proof(fill(structure, person, context, "fitting"));
  };
  let redraws = 0;
  return fc
    .tuple(persons, structures)
    .map(([person, structure]) => proved(structure, person))
    .filter(({ errors }) => {
      if (errors.length === 0) {
        redraws = 0;
        return true;
      }
      redraws += 1;
      const isChance = errors.some(({ keyword }) => LEFT_TO_CHANCE.has(keyword));
      if (redraws < (isChance ? MOST_REDRAWS : FEW_REDRAWS)) return false;
      throw new NoValue(complaint(errors));
    })
    .map(({ value }) => value);
};

const MOST_REDRAWS = 200;
/** For keywords that structures consider, except in what `not` allows. */
const FEW_REDRAWS = 20;

/** Keywords that structures do not consider. A value that violates one of them is drawn again. */
const LEFT_TO_CHANCE: ReadonlySet<string> = new Set([
  "oneOf",
  "not",
  "uniqueItems",
  "if",
  "dependentRequired",
  "contains",
]);

const complaint = (errors: readonly ValidationError[]): string => {
  const places = errors
    .slice(0, 5)
    .map(({ pointer, keyword, message }) => `${pointer || "/"} (${keyword}: ${message})`);
  return `A value made for sending does not fit its schema at ${places.join(", ")}. If the place carries a configured value, correct that value; otherwise give its schema an x-data maker.`;
};
