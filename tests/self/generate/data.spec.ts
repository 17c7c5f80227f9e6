/** The data makers that the contracts name, and probes of rules that consist of several patterns. */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import type { Contract, JsonSchema, Operation } from "../../../helpers/contract/contract.ts";
import { schemaText } from "../../../helpers/contract/documents/cache.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { dataMaker } from "../../../helpers/generate/data.ts";
import { probePairs, probesFor } from "../../../helpers/generate/probes.ts";
import { validValues } from "../../../helpers/generate/valid.ts";
import { contextOf } from "./generating.ts";

const contextFor = ({ schemas, country }: Contract) => ({ ...contextOf(schemas), country });

test("every data maker that a contract may name exists", () => {
  const { $defs } = JSON.parse(schemaText("openapi")) as {
    readonly $defs: { readonly data: { enum: string[] } };
  };
  expect($defs.data.enum.filter((name) => dataMaker(name) === undefined)).toEqual([]);
});

test("every request of financial data has valid values", async () => {
  const contract = await loadContract("financial-data");
  const context = contextFor(contract);
  for (const schema of contract.operations.flatMap(requestSchemas)) {
    fc.sample(validValues(schema, context), { numRuns: 3, seed: 7 });
  }
});

const requestSchemas = ({ requestBody, parameters }: Operation): JsonSchema[] => [
  ...Object.values(requestBody?.content ?? {}),
  ...parameters.map(({ schema, data }) => ({ ...(data !== undefined && { "x-data": data }), ...schema })),
];

test("routing numbers have the check digit of their association", () => {
  for (let leaf = 0; leaf < 200; leaf += 1) {
    const digits = [...String(dataMaker("routing-number")?.make({ person: 1, leaf }))].map(Number);
    const sum = digits.reduce((total, digit, index) => total + digit * ([3, 7, 1][index % 3] as number), 0);
    expect(digits).toHaveLength(9);
    expect(sum % 10).toBe(0);
  }
});

test("people live in the only country of the contract", () => {
  for (let person = 0; person < 20; person += 1) {
    const draw = { person, leaf: 100 + person, country: "US" };
    expect(dataMaker("country-code")?.make(draw)).toBe("US");
    expect(dataMaker("phone-number")?.make(draw)).toMatch(/^202555\d{4}$/);
  }
});

test("the start of a period comes before its end", () => {
  for (let leaf = 0; leaf < 50; leaf += 1) {
    const [from, to] = ["from-date", "to-date"].map((name) =>
      Number(dataMaker(name)?.make({ person: 1, leaf })),
    );
    expect(from).toBeLessThan(to as number);
  }
});

test("each near-miss of a partner secret breaks only its own rule", async () => {
  const contract = await loadContract("financial-data");
  const context = contextFor(contract);
  const change = contract.operations.find(({ operationId }) => operationId === "ModifyPartnerSecret");
  const body = change?.requestBody?.content["application/json"] as JsonSchema;
  const broken: Record<string, string[]> = {};
  for (const rule of contract.rules.filter(({ requirement }) => requirement.includes(".auth.secret."))) {
    for (const kind of probesFor(rule, body, context)) {
      if (kind.class !== "near-miss" || kind.kind === "empty") continue;
      broken[rule.requirement.split(".").at(-1) ?? ""] ??= [];
      broken[rule.requirement.split(".").at(-1) ?? ""]?.push(kind.kind);
      for (const { edited } of fc.sample(probePairs(kind, rule, body, context), { numRuns: 5, seed: 3 })) {
        expect(context.validator.validate(body, edited), `${kind.kind}`).toHaveLength(1);
      }
    }
  }
  expect(broken).toEqual({
    characters: [
      "foreign character at the start",
      "foreign character in the middle",
      "foreign character at the end",
    ],
    "min-length-12": ["one character too short"],
    "max-length-255": ["one character too long", "10000 characters"],
    "at-least-one-digit": ["without a digit"],
    "at-least-one-letter": ["without a letter"],
  });
});

test("a value beyond a limit is an observation and not a near-miss if a service may truncate it", async () => {
  const contract = await loadContract("financial-data");
  const rule = contract.rules.find(
    ({ requirement }) => requirement === "financial-data.transactions.page-max-1000",
  );
  expect(rule).toMatchObject({ place: "query", parameter: "limit", keyword: "maximum" });
  if (rule === undefined) return;
  const kinds = probesFor(rule, rule.schema, contextFor(contract));
  expect(kinds.map((kind) => [kind.class, kind.kind])).toEqual([
    ["boundary", "largest"],
    ["observation", "too large"],
    ["observation", "far too large"],
  ]);
});
