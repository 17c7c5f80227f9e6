/** Single mutations of documents: each must get the expected class in both directions, in each version of OpenAPI. */
import { expect, test } from "@playwright/test";
import type { EntryClass } from "../../../helpers/diff/entry.ts";
import { CLASSES, type Json, type SchemaMutation, type Version } from "./mutations/mutation.ts";
import { REQUEST_MUTATIONS } from "./mutations/request-mutations.ts";
import { RESPONSE_MUTATIONS } from "./mutations/response-mutations.ts";
import { STRUCTURE_MUTATIONS } from "./mutations/structure-mutations.ts";
import { VALUE_MUTATIONS } from "./mutations/value-mutations.ts";
import { asRequest, asResponse, diffOf, documentFrom, operation, wrongWitnesses } from "./small-documents.ts";

const SCHEMA_MUTATIONS = [...VALUE_MUTATIONS, ...STRUCTURE_MUTATIONS];
const WIRE_MUTATIONS = [...REQUEST_MUTATIONS, ...RESPONSE_MUTATIONS];

const ORDER: readonly EntryClass[] = ["breaking", "undecided", "compatible"];

const classOf = (base: Json, revision: Json, version: Version): EntryClass | "none" => {
  const [before, after] = [documentFrom(base, version), documentFrom(revision, version)];
  const diff = diffOf(before, after);
  expect(wrongWitnesses(diff, before, after)).toEqual([]);
  return ORDER.find((is) => diff.entries.some((entry) => entry.class === is)) ?? "none";
};

const bothWays = (base: Json, revision: Json, version: Version) => [
  classOf(base, revision, version),
  classOf(revision, base, version),
];

const expected = (classes: string) => [...classes].map((letter) => CLASSES[letter]);

const asProperty = (schema: unknown) => ({
  type: "object",
  properties: { value: schema },
  required: ["value"],
});

const PLACES = {
  request: (schema: unknown) => asRequest(asProperty(schema)),
  response: (schema: unknown) => asResponse(asProperty(schema)),
  query: (schema: unknown) => operation({ parameters: [{ name: "limit", in: "query", schema }] }),
} as const;

const placesOf = (mutation: SchemaMutation) =>
  (Object.keys(PLACES) as (keyof typeof PLACES)[]).flatMap((place) => {
    const classes = mutation[place];
    return classes === undefined ? [] : [{ place, classes }];
  });

for (const mutation of SCHEMA_MUTATIONS) {
  test(`${mutation.versions.join(", ")}: ${mutation.about}`, () => {
    for (const version of mutation.versions)
      for (const { place, classes } of placesOf(mutation)) {
        const [base, revision] = [mutation.old, mutation.new].map(PLACES[place]) as [Json, Json];
        expect
          .soft(bothWays(base, revision, version), `OpenAPI ${version}, ${place}`)
          .toEqual(expected(classes));
      }
  });
}

for (const { about, versions, classes, old: base, new: revision } of WIRE_MUTATIONS) {
  test(`${versions.join(", ")}: ${about}`, () => {
    for (const version of versions)
      expect.soft(bothWays(base, revision, version), `OpenAPI ${version}`).toEqual(expected(classes));
  });
}

test("the table is complete: no mutation is listed twice, and there are enough of them", () => {
  const names = [...SCHEMA_MUTATIONS, ...WIRE_MUTATIONS].map(({ about, versions }) => `${about} ${versions}`);
  expect(new Set(names).size).toBe(names.length);
  const cases = SCHEMA_MUTATIONS.flatMap((one) => placesOf(one).flatMap(() => one.versions)).length;
  const wire = WIRE_MUTATIONS.flatMap(({ versions }) => versions).length;
  expect(2 * (cases + wire)).toBeGreaterThanOrEqual(120);
});
