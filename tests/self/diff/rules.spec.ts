/** Every rule of the diff: a pair of documents, the class of the change in both directions, and a valid witness. */
import { expect, test } from "@playwright/test";
import { RULES } from "../../../helpers/diff/compare/rules.ts";
import type { EntryClass } from "../../../helpers/diff/entry.ts";
import { ARRAY_ROWS } from "./rows/arrays.ts";
import { COMPONENT_ROWS } from "./rows/components.ts";
import { COMPOSITION_ROWS } from "./rows/composition.ts";
import { OBJECT_ROWS } from "./rows/objects.ts";
import { OPERATION_ROWS } from "./rows/operations.ts";
import { REQUEST_ROWS } from "./rows/requests.ts";
import { RESPONSE_ROWS } from "./rows/responses.ts";
import type { Json } from "./rows/rows.ts";
import { VALUE_ROWS } from "./rows/values.ts";
import { asRequest, asResponse, diffOf, documentFrom, wrongWitnesses } from "./small-documents.ts";

const SCHEMA_ROWS = [...VALUE_ROWS, ...ARRAY_ROWS, ...OBJECT_ROWS, ...COMPOSITION_ROWS];
const WIRE_ROWS = [...OPERATION_ROWS, ...REQUEST_ROWS, ...RESPONSE_ROWS, ...COMPONENT_ROWS];

const WORST: readonly EntryClass[] = ["breaking", "undecided", "compatible"];

/** Returns the class of the only rule that the diff of two documents reports. */
const classOf = (rule: string, one: Json, other: Json): EntryClass | undefined => {
  const [before, after] = [documentFrom(one), documentFrom(other)];
  const diff = diffOf(before, after);
  expect(wrongWitnesses(diff, before, after)).toEqual([]);
  expect([...new Set(diff.entries.map((entry) => entry.rule))], "the diff reports another rule").toEqual([
    rule,
  ]);
  return WORST.find((is) => diff.entries.some((entry) => entry.class === is));
};

const wrap = (schema: unknown) => ({ type: "object", properties: { value: schema }, required: ["value"] });

for (const { about, rule, old: base, new: revision, request, response, back } of SCHEMA_ROWS) {
  test(`${rule}: ${about}`, () => {
    const both = (one: unknown, other: unknown) =>
      [asRequest, asResponse].map((place) => classOf(rule, place(wrap(one)), place(wrap(other))));
    expect(both(base, revision)).toEqual([request, response]);
    expect(both(revision, base)).toEqual(back);
  });
}

for (const { about, rule, old: base, new: revision, class: is, back } of WIRE_ROWS) {
  test(`${rule}: ${about}`, () => {
    expect([classOf(rule, base, revision), classOf(rule, revision, base)]).toEqual([is, back]);
  });
}

test("every rule has a pair of documents", () => {
  const shown = new Set<string>([...SCHEMA_ROWS, ...WIRE_ROWS].map(({ rule }) => rule));
  expect(Object.keys(RULES).filter((rule) => !shown.has(rule))).toEqual([]);
});
