/**
 * Random pairs of schemas, judged by a second validator: each message that only one schema accepts is a change that the diff
 * names in its direction, and every witness is true.
 */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { createValidator } from "../../../helpers/contract/schemas/schema-validator.ts";
import { NoValue } from "../../../helpers/generate/later.ts";
import { structuresOf } from "../../../helpers/generate/structure.ts";
import { PROOF, sizeInLane } from "../../../tests/self/support/lanes.ts";
import type { Diff, Judged } from "../entry.ts";
import { type Side, without } from "./random-pairs.ts";
import { schemaPairs } from "./random-schemas.ts";
import { type Opinion, secondOpinion } from "./second-opinion.ts";
import { asRequest, asResponse, diffOf, documentFrom, pairOf } from "./small-documents.ts";

const PAIRS = { sample: 120, full: 1_500 };
const INSTANCES = 60;
const SEED = 3;

/** `undecided`: breaks for which the diff found no message, and said so. */
const newTally = () => ({ pairs: 0, witnesses: 0, breaks: 0, undecided: 0 });
type Tally = ReturnType<typeof newTally>;

for (const version of ["3.0.3", "3.1.0"] as const) {
  test(`random pairs of schemas of OpenAPI ${version}`, PROOF, () => {
    const tally = newTally();
    fc.assert(
      fc.property(schemaPairs(version), fc.nat(), (sides, seed) => {
        tally.pairs += 1;
        agrees(sides, version, seed, tally);
      }),
      { numRuns: sizeInLane(PAIRS), seed: SEED },
    );
    test.info().annotations.push({ type: "tally", description: JSON.stringify(tally) });
    expect(tally.witnesses).toBeGreaterThan(tally.pairs / 2);
    expect(tally.undecided).toBeLessThanOrEqual(tally.breaks / 20);
  });
}

const choiceOf = (value: unknown): Side => ({
  schema: { oneOf: [{ $ref: "#/components/schemas/Two" }, { type: "string" }] },
  schemas: { One: { type: "string" }, Two: { enum: [value] } },
});

// Found with more random pairs than the sample has.
test("a choice that changes behind a reference in a union is reported", () => {
  const tally = newTally();
  agrees([choiceOf("a"), choiceOf(2.5)], "3.1.0", 0, tally);
  expect(tally.breaks).toBeGreaterThan(0);
});

type Sides = readonly [Side, Side];

const agrees = (sides: Sides, version: string, seed: number, tally: Tally): void => {
  const [before, after] = sides.map((side) => secondOpinion(side, version)) as [Opinion, Opinion];
  const instances = [
    ...fc.sample(INSTANCE, { numRuns: INSTANCES, seed }),
    // Our generator knows the keywords of 3.1.
    ...(version.startsWith("3.1") ? sides.flatMap((side) => drawn(side, seed)) : []),
  ];
  const places = [
    { put: asRequest, allows: before, refuses: after },
    { put: asResponse, allows: after, refuses: before },
  ];
  for (const { put, allows, refuses } of places) {
    const diff = diffed(put, sides, version);
    const judged = diff.entries.flatMap((entry) => entry.judged);
    for (const { witness } of judged) {
      if (witness === undefined) continue;
      tally.witnesses += 1;
      const { body } = witness.message;
      // A reader of one alternative refuses what another one allows.
      const isAllowed = witness.readAs !== undefined;
      expect([allows(body), refuses(body)], `the witness ${JSON.stringify(body)}`).toEqual([true, isAllowed]);
    }
    const names = diff.entries.flatMap(({ rule, subject }) => (rule === "property" ? [subject] : []));
    const broken = instances.find(
      (one) => isBroken(without(one, names), allows, refuses) && isBroken(one, allows, refuses),
    );
    if (broken !== undefined) isNamed(judged, broken, tally);
  }
};

const isBroken = (value: unknown, allows: Opinion, refuses: Opinion): boolean =>
  allows(value) && !refuses(value);

const isNamed = (judged: readonly Judged[], broken: unknown, tally: Tally): void => {
  tally.breaks += 1;
  const classes = judged.map((one) => (one.witness?.readAs === undefined ? one.class : "undecided"));
  expect(
    classes.includes("breaking") || classes.includes("undecided"),
    `the diff has no entry for ${JSON.stringify(broken)}`,
  ).toBe(true);
  if (!classes.includes("breaking")) tally.undecided += 1;
};

const diffed = (put: typeof asRequest, sides: Sides, version: string): Diff =>
  diffOf(
    ...pairOf(sides, ({ schema, schemas }) =>
      documentFrom(put(schema, { components: { schemas } }), version),
    ),
  );

/** Draws instances that should match the schema; the second validator says whether they do. */
const drawn = ({ schema, schemas }: Side, seed: number): unknown[] => {
  const own = { schemas: schemas as Record<string, JsonSchema> };
  return (["required", "optional"] as const).flatMap((samples) => {
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
};

/** Instances that are drawn without regard to any schema, from the names and values that the schemas use. */
const INSTANCE = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    fc.constantFrom("", "a", "b", "ab", "abc", "kitten", "7", "2020-02-29", null, true, false),
    fc.integer({ min: -2, max: 9 }),
    fc.constantFrom(0.5, 2.5, 2 ** 40),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "kind"), tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
