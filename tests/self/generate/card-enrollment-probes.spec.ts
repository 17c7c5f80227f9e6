/**
 * Probes of every request rule of card enrollment: each is proved, and it is not judged if the documents do not define
 * the answer.
 */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import type { Rule } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { type ProbeKind, probesFor } from "../../../helpers/generate/probes.ts";
import { checkRulesHold, component, contextOf, RESOURCES } from "./generating.ts";

const contract = await loadContract("card-enrollment");
const card = contextOf(contract.schemas, RESOURCES);

const kindNamed = (kinds: readonly ProbeKind[], name: string): ProbeKind => {
  const kind = kinds.find((each) => each.kind === name);
  if (kind === undefined)
    throw new Error(`No kind "${name}" in ${kinds.map((each) => each.kind).join(", ")}`);
  return kind;
};

const valuesOf = (kind: ProbeKind): unknown[] =>
  fc.sample(kind.edit, { numRuns: 20, seed: 5 }).map((edit) => ("value" in edit ? edit.value : undefined));

test.describe("probes of card enrollment", () => {
  const rules = contract.rules.filter(({ direction }) => direction === "request");

  for (const keyword of new Set(rules.map((rule) => rule.keyword))) {
    test(`for ${keyword} are proved and change one value`, () => {
      for (const rule of rules.filter((each) => each.keyword === keyword)) {
        const body = component(rule.schemaName === "Card" ? "Card" : "EnrollCardRequest");
        const kinds = probesFor(rule, body, card);
        expect(new Set(kinds.map(({ kind }) => kind)).size).toBe(kinds.length);
        expect(kinds.filter((kind) => kind.class !== "observation").length, rule.requirement).toBeGreaterThan(
          0,
        );
        for (const kind of kinds) checkRulesHold(kind, rule, body, card);
      }
    });
  }

  test("are not judged if the documents leave the rule open", () => {
    const at = (pointer: string, keyword: string): readonly ProbeKind[] => {
      const rule = rules.find((each) => each.pointer === pointer && each.keyword === keyword);
      if (rule === undefined) throw new Error(`no rule ${keyword} at ${pointer}`);
      return probesFor(rule, component(rule.schemaName === "Card" ? "Card" : "EnrollCardRequest"), card);
    };
    for (const [pointer, keyword, kind] of [
      ["/consumer/firstName", "maxLength", "non-BMP characters at the limit"],
      ["/primaryAccountNumber", "maxLength", "longest, 20 characters"],
      ["/cardSource", "type", "null"],
      ["/serviceId", "type", "empty string"],
      ["/consumer/countryCode", "format", "well-formed unassigned code"],
    ] as const)
      expect(kindNamed(at(pointer, keyword), kind).class, kind).toBe("observation");
    expect(at("/srcCorrelationId", "pattern").map(({ kind }) => kind)).not.toContain("upper-case hex");
    expect(kindNamed(at("/srcClientId", "pattern"), "upper-case hex").class).toBe("near-miss");
  });

  test("omit upper-case hex if the known id has no letter", () => {
    const rule = rules.find((each) => each.pointer === "/srcClientId" && each.keyword === "pattern") as Rule;
    const digitsOnly = {
      ...card,
      resources: { ...RESOURCES, "src-client-id": "01234567-0000-4000-8000-000000000000" },
    };
    const kinds = probesFor(rule, component("EnrollCardRequest"), digitsOnly).map(({ kind }) => kind);
    expect(kinds).not.toContain("upper-case hex");
    expect(kinds).toContain("missing hyphens");
  });

  test("include a too-long e-mail address that is otherwise valid", () => {
    const rule = rules.find(
      (each) => each.pointer.endsWith("identityValue") && each.keyword === "maxLength",
    ) as Rule;
    const kinds = probesFor(rule, component("EnrollCardRequest"), card);
    const lengths = {
      "longest, 255 characters": 255,
      "one character too long": 256,
      "10000 characters": 10_000,
    };
    for (const [name, length] of Object.entries(lengths)) {
      for (const value of valuesOf(kindNamed(kinds, name)).map(String)) {
        const [local = "", domain = ""] = value.split("@");
        expect(value).toHaveLength(length);
        expect(local.length).toBeLessThanOrEqual(64);
        expect(domain.split(".").every((label) => label.length > 0 && label.length <= 63)).toBe(true);
      }
    }
  });
});
