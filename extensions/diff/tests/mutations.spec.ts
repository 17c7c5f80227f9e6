/**
 * Single mutations of documents: each must get the expected class in both directions, in each version of OpenAPI, with valid
 * witnesses, and is reported by the rules that it names. Each rule of the diff has a mutation.
 */
import { expect, test } from "@playwright/test";
import type { EntryClass } from "../../../helpers/contract/documents/upgrade.ts";
import { RULES } from "../compare/rules.ts";
import { CLASSES, type Json, type SchemaMutation, type Version } from "./mutations/mutation.ts";
import { OPERATION_MUTATIONS } from "./mutations/operation-mutations.ts";
import { REQUEST_MUTATIONS } from "./mutations/request-mutations.ts";
import { RESPONSE_MUTATIONS } from "./mutations/response-mutations.ts";
import { STRUCTURE_MUTATIONS } from "./mutations/structure-mutations.ts";
import { VALUE_MUTATIONS } from "./mutations/value-mutations.ts";
import { asRequest, asResponse, diffOf, documentFrom, operation, wrongWitnesses } from "./small-documents.ts";

const SCHEMA_MUTATIONS = [...VALUE_MUTATIONS, ...STRUCTURE_MUTATIONS];
const WIRE_MUTATIONS = [...OPERATION_MUTATIONS, ...REQUEST_MUTATIONS, ...RESPONSE_MUTATIONS];

const ORDER: readonly EntryClass[] = ["breaking", "undecided", "compatible"];

/** @param reported receives the rules that the diff reports */
const classOf = (
  base: Json,
  revision: Json,
  version: Version,
  reported: Set<string>,
): EntryClass | "none" => {
  const [before, after] = [documentFrom(base, version), documentFrom(revision, version)];
  const diff = diffOf(before, after);
  expect(wrongWitnesses(diff, before, after)).toEqual([]);
  for (const { rule } of diff.entries) reported.add(rule);
  return ORDER.find((is) => diff.entries.some((entry) => entry.class === is)) ?? "none";
};

const bothWays = (base: Json, revision: Json, version: Version, reported: Set<string>) => [
  classOf(base, revision, version, reported),
  classOf(revision, base, version, reported),
];

const rulesIn = (reported: ReadonlySet<string>): string => [...reported].sort().join(" ") || "none";

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
    const reported = new Set<string>();
    for (const version of mutation.versions)
      for (const { place, classes } of placesOf(mutation)) {
        const [base, revision] = [mutation.old, mutation.new].map(PLACES[place]) as [Json, Json];
        expect
          .soft(bothWays(base, revision, version, reported), `OpenAPI ${version}, ${place}`)
          .toEqual(expected(classes));
      }
    expect(rulesIn(reported)).toBe(mutation.rules);
  });
}

for (const { about, rules, versions, classes, old: base, new: revision } of WIRE_MUTATIONS) {
  test(`${versions.join(", ")}: ${about}`, () => {
    const reported = new Set<string>();
    for (const version of versions)
      expect
        .soft(bothWays(base, revision, version, reported), `OpenAPI ${version}`)
        .toEqual(expected(classes));
    expect(rulesIn(reported)).toBe(rules);
  });
}

test("each rule of the diff has a mutation, and no mutation is listed twice", () => {
  const all = [...SCHEMA_MUTATIONS, ...WIRE_MUTATIONS];
  const names = all.map(({ about, versions }) => `${about} ${versions}`);
  expect(new Set(names).size).toBe(names.length);
  const shown = new Set(all.flatMap(({ rules }) => rules.split(" ")));
  expect(Object.keys(RULES).filter((rule) => !shown.has(rule))).toEqual([]);
});
