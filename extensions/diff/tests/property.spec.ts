/** For each instance that only one of two random schemas accepts, the diff reports a change in that direction. */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { createValidator } from "../../../helpers/contract/schemas/schema-validator.ts";
import { NoValue } from "../../../helpers/generate/later.ts";
import { structuresOf } from "../../../helpers/generate/structure.ts";
import { PROOF, sizeInLane } from "../../../tests/self/support/lanes.ts";
import type { Entry } from "../entry.ts";
import { type Side, without } from "./random-pairs.ts";
import { schemaPairs } from "./random-schemas.ts";
import { asRequest, asResponse, diffOf, documentFrom, pairOf, wrongWitnesses } from "./small-documents.ts";

const PAIRS = { sample: 200, full: 10_000 };
const SEED = 20;
const SHARES = 2;

const newTally = () => ({ pairs: 0, differing: 0, breaking: 0, undecided: 0, unnamed: 0, instances: 0 });
type Tally = ReturnType<typeof newTally>;

for (let share = 0; share < SHARES; share += 1) {
  test(`random pairs of schemas, share ${share + 1} of ${SHARES}`, PROOF, () => {
    const tally = newTally();
    fc.assert(
      fc.property(schemaPairs, fc.nat(), (sides, seed) => holds(sides, seed, tally)),
      { numRuns: sizeInLane(PAIRS) / SHARES, seed: SEED + share },
    );
    test.info().annotations.push({ type: "tally", description: JSON.stringify(tally) });
    // The test proves nothing unless enough pairs differ.
    expect(tally.differing).toBeGreaterThan(tally.pairs / 5);
    expect(tally.breaking).toBeGreaterThan(tally.undecided);
  });
}

const choiceOf = (value: unknown): Side => ({
  schema: { oneOf: [{ $ref: "#/components/schemas/Two" }, { type: "string" }] },
  schemas: { One: { type: "string" }, Two: { enum: [value] } },
});

/** Pairs for which the diff was once wrong. They were found with more random pairs than the sample has. */
const KNOWN: readonly (readonly [about: string, before: Side, after: Side])[] = [
  ["a choice that changes behind a reference in a union", choiceOf("a"), choiceOf(2.5)],
];

for (const [about, ...sides] of KNOWN) {
  test(`${about} is reported`, () => {
    const tally = newTally();
    holds(sides, 0, tally);
    expect(tally.differing).toBe(1);
  });
}

const holds = ([before, after]: readonly [Side, Side], seed: number, tally: Tally): void => {
  const judged = [before, after].map((side) => ({
    validator: createValidator({ schemas: side.schemas as Record<string, JsonSchema> }),
    schema: { allOf: [side.schema] } as JsonSchema,
  }));
  const accepts = (side: number, value: unknown): boolean =>
    judged[side]?.validator.validate(judged[side].schema, value).length === 0;
  const values = [before, after].flatMap((side) => drawn(side, seed));
  tally.pairs += 1;
  tally.instances += values.length;
  const narrowed = values.find((value) => accepts(0, value) && !accepts(1, value));
  const widened = values.find((value) => accepts(1, value) && !accepts(0, value));
  if (narrowed === undefined && widened === undefined) return;
  tally.differing += 1;
  const request = diffed(asRequest, before, after);
  const response = diffed(asResponse, before, after);
  if (narrowed !== undefined) says(request, "narrows", { instance: narrowed, tally, accepts });
  if (widened !== undefined) says(response, "widens", { instance: widened, tally, accepts });
};

/** Generates instances that should match the schema. */
const drawn = ({ schema, schemas }: Side, seed: number): unknown[] =>
  (["required", "optional"] as const).flatMap((samples) => {
    const own = { schemas: schemas as Record<string, JsonSchema> };
    const context = { ...own, validator: createValidator(own), resources: {}, samples };
    return Array.from({ length: 12 }, (_, at) => at).flatMap((at) => {
      try {
        return fc.sample(structuresOf(schema, context), { numRuns: 1, seed: seed + at });
      } catch (error) {
        if (error instanceof NoValue) return [];
        throw error;
      }
    });
  });

type Place = typeof asRequest;

const diffed = (place: Place, before: Side, after: Side): readonly Entry[] => {
  const [base, revision] = pairOf([before, after], ({ schema, schemas }) =>
    documentFrom(place(schema, { components: { schemas } })),
  );
  const diff = diffOf(base, revision);
  expect(wrongWitnesses(diff, base, revision)).toEqual([]);
  return diff.entries;
};

interface Shown {
  readonly instance: unknown;
  readonly tally: Tally;
  readonly accepts: (side: number, value: unknown) => boolean;
}

const says = (
  entries: readonly Entry[],
  direction: "narrows" | "widens",
  { instance, tally, accepts }: Shown,
): void => {
  const values = entries.filter(({ effect }) => effect[direction]);
  const classes = values.flatMap(({ judged }) => judged.map((one) => one.class));
  if (classes.includes("breaking")) tally.breaking += 1;
  else if (classes.includes("undecided")) tally.undecided += 1;
  else {
    // An instance may happen to have the property that one schema names. The diff then reports that property instead.
    const subjects = entries.flatMap(({ rule, subject }) => (rule === "property" ? [subject] : []));
    const rest = without(instance, subjects);
    expect(accepts(0, rest), `${direction}: ${JSON.stringify(instance)}`).toBe(accepts(1, rest));
    tally.unnamed += 1;
  }
};
