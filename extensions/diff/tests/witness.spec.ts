/** Witnesses: each breaks only the rule of its entry, even if several rules of the same message change. */
import { expect, test } from "@playwright/test";
import { PROVIDER } from "../../../tests/self/support/lanes.ts";
import { shared } from "../../../tests/self/support/shared.ts";
import type { ApiDocument } from "../document/model.ts";
import { readApiDocument } from "../document/read.ts";
import type { Diff } from "../entry.ts";
import { otherRules } from "../witness/alone.ts";
import { createJudge } from "../witness/judge.ts";
import type { Refusal } from "../witness/message.ts";
import { refusals } from "../witness/refusals.ts";
import {
  asRequest,
  asResponse,
  diffOf,
  documentFrom,
  operation,
  pairOf,
  wrongWitnesses,
} from "./small-documents.ts";

/** Returns the entries whose witness breaks more than one rule. */
const crowded = (diff: Diff, base: ApiDocument, revision: ApiDocument): string[] => {
  const judges = { old: createJudge(base), new: createJudge(revision) };
  return diff.entries.flatMap(({ rule, owner, pointer, judged }) =>
    judged.flatMap(({ witness, reach }) => {
      if (witness === undefined) return [];
      const { operations } = witness.refusedBy === "old" ? base : revision;
      const described =
        operations.find(({ label }) => label === witness.operation) ??
        operations.find(({ operationId }) => operationId === reach[0]?.operationId);
      const isShown = ({ place, pointer: at, keyword }: Refusal): boolean =>
        place === witness.refusal.place &&
        at === witness.refusal.pointer &&
        keyword === witness.refusal.keyword;
      const others = otherRules(refusals(judges[witness.refusedBy], described, witness.message), isShown);
      return others.map((other) => `${rule} of ${owner} ${pointer}: ${other.place}: ${other.text}`);
    }),
  );
};

const text = { type: "string" };
const three = (more: object) => ({ type: "object", properties: { a: text, b: text, c: text }, ...more });
const limited = (maxLength: number) => ({
  type: "object",
  required: ["a", "b"],
  properties: { a: { ...text, maxLength }, b: { type: "array", items: { ...text, maxLength }, minItems: 1 } },
});
const query = (name: string, schema: object, required: boolean) => ({ name, in: "query", schema, required });

const PAIRS: readonly (readonly [about: string, base: object, revision: object])[] = [
  [
    "three properties become required",
    asRequest(three({ required: ["a"] })),
    asRequest(three({ required: ["a", "b", "c"] })),
  ],
  [
    "three properties are no longer required",
    asResponse(three({ required: ["a", "b", "c"] })),
    asResponse(three({ required: ["a"] })),
  ],
  ["two limits are lowered", asRequest(limited(9)), asRequest(limited(3))],
  [
    "a property becomes required and another one shorter",
    asRequest({ type: "object", properties: limited(9).properties, required: ["b"] }),
    asRequest(limited(3)),
  ],
  [
    "parameters, credentials and the body change",
    operation({ parameters: [query("a", text, false)], requestBody: { content: {} } }),
    operation(
      {
        parameters: [query("a", text, true), query("b", { type: "integer" }, true)],
        requestBody: { required: true, content: { "application/json": { schema: limited(3) } } },
        security: [{ key: [] }],
      },
      { components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } } },
    ),
  ],
];

for (const [about, one, other] of PAIRS) {
  test(about, () => {
    const [base, revision] = pairOf([one, other], (parts) => documentFrom({ ...parts }));
    const diff = diffOf(base, revision);
    expect(wrongWitnesses(diff, base, revision)).toEqual([]);
    expect(diff.summary.breaking).toBeGreaterThan(1);
    expect(crowded(diff, base, revision)).toEqual([]);
  });
}

test("in real documents, only alternatives that share a part break more than one rule", PROVIDER, () => {
  const [base, revision] = pairOf(["1.29.0", "1.35.0"], (version) =>
    readApiDocument(shared(`provider/financial-data-${version}.yaml`)),
  );
  const diff = diffOf(base, revision);
  expect(wrongWitnesses(diff, base, revision)).toEqual([]);
  expect(crowded(diff, base, revision).filter((one) => !one.startsWith("alternative"))).toEqual([]);
});
