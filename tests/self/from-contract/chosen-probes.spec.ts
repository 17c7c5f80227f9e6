/** Which probes of a requirement are chosen, how many, and which trials of a large document. */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import type { Contract, JsonSchema, Rule } from "../../../helpers/contract/contract.ts";
import { because, sentenceOf, type Why } from "../../../helpers/reasons/reason.ts";
import { withoutRepeated } from "../../../helpers/trials/from-contract/repeated-rules.ts";
import { chooseProbes, possibleChoices } from "../../../helpers/trials/from-contract/rule-kinds.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";
import { contextOf } from "../generate/generating.ts";

const CALL = { operationId: "made-up" };
const TYPES = ["string", "integer", "boolean", "array", "object"] as const;

/** Returns the probes of the types of so many fields, one of which has an own keyword. */
const probesOf = (fields: number, depth: "quick" | "standard" | "exhaustive", seed: number) => {
  const properties = Object.fromEntries(
    Array.from({ length: fields }, (_, index): [string, JsonSchema] => [
      `field${index}`,
      { type: TYPES[index % TYPES.length] as string },
    ]),
  );
  const requests = {
    generation: contextOf({}),
    schemaOf: () => ({ type: "object", properties: { ...properties, word: { enum: ["A", "B"] } } }),
    samples: () => fc.constant({ control: CALL, probe: CALL }),
  };
  const rule = (name: string, keyword: string, value: unknown, schema: JsonSchema): Rule => ({
    requirement: "made-up.request.body",
    ...{ operationId: "made-up", direction: "request", level: "documented" },
    ...{ pointer: `/${name}`, keyword, value, schema },
  });
  const rules = [
    ...Object.entries(properties).map(([name, schema]) => rule(name, "type", schema.type, schema)),
    rule("word", "enum", ["A", "B"], { enum: ["A", "B"] }),
  ];
  const possible = rules.flatMap((one) => possibleChoices(one, requests));
  return chooseProbes(possible, { depth, seed });
};

test("a body of hundreds of fields gets no more probes than one of a hundred, of every keyword and type", () => {
  for (const [depth, most] of [
    ["quick", 24],
    ["standard", 240],
  ] as const) {
    const chosen = probesOf(400, depth, 1);
    expect(chosen).toHaveLength(most);
    expect(new Set(chosen.map(({ rule }) => `${rule.keyword} ${rule.value}`)).size).toBe(TYPES.length + 1);
  }
});

test("another seed chooses other fields", () => {
  const [first, second] = [1, 2].map((seed) => probesOf(400, "quick", seed).map(({ rule }) => rule.pointer));
  expect(second).not.toEqual(first);
});

test("a small body gets a probe of every field at standard depth, and so does every body at exhaustive depth", () => {
  const fieldsOf = (...asked: Parameters<typeof probesOf>) =>
    new Set(probesOf(...asked).map(({ rule }) => rule.pointer)).size;
  expect(fieldsOf(10, "standard", 1)).toBe(11);
  expect(fieldsOf(400, "exhaustive", 1)).toBe(401);
});

test("0 and 1 are observed for a parameter without a minimum, if a gap has them", () => {
  const observed = (schema: JsonSchema, gapOf?: () => string | undefined) => {
    const rule: Rule = {
      requirement: "made-up.parameter.start.type",
      ...{ operationId: "made-up", direction: "request", level: "documented" },
      ...{ pointer: "", keyword: "type", value: "integer", schema, parameter: "start", place: "query" },
    };
    const requests = {
      generation: contextOf({}),
      schemaOf: () => schema,
      samples: () => fc.constant({ control: CALL, probe: CALL }),
    };
    const choices = possibleChoices(rule, requests, gapOf);
    return choices.filter(({ kind }) => kind.class === "observation").map(({ kind }) => kind.kind);
  };
  const inGap = () => "paging parameters";
  const both = ["0 without a minimum", "1 without a minimum"];
  expect(observed({ type: "integer" }, inGap)).toEqual(both);
  expect(observed({ type: "integer", minimum: 1 }, inGap)).toEqual([]);
  expect(observed({ type: "integer" }, () => undefined)).toEqual([]);
  expect(observed({ type: "integer" })).toEqual([]);
});

/** Returns the requirements of a body of so many fields in each of so many operations that quick depth leaves out. */
const leftOut = async (fields: number, operations: number, schemaName?: string): Promise<string[]> => {
  const names = Array.from({ length: operations }, (_, index) => `add${index}`);
  const schemas = Array.from({ length: fields }, (): JsonSchema => ({ type: "string", maxLength: 10 }));
  const rules = names.flatMap((operationId) =>
    schemas.map((schema, index) => ({
      requirement: `shop.${operationId}.request.field${index}.max-length`,
      ...{ operationId, direction: "request", pointer: `/field${index}`, level: "documented" },
      ...{ keyword: "maxLength", value: 10, schema, ...(schemaName && { schemaName }) },
    })),
  );
  // The first operation needs a resource, so that another one is more likely to be called.
  const contract = {
    operations: names.map((operationId, index) => ({
      operationId,
      parameters: index === 0 ? [{ resource: "basket" }] : [],
    })),
    rules,
  } as unknown as Contract;
  const trials = rules.map(({ requirement, operationId, pointer }) => ({
    id: `${operationId}/rule${pointer}`,
    requirements: [requirement],
    run: async () => {},
  })) as unknown as Trial[];
  const told: string[] = [];
  const judge = { notTried: (id: string, ...why: Why) => told.push(`${id}: ${sentenceOf(because(...why))}`) };
  for (const trial of withoutRepeated(contract, trials))
    await trial.run({ judge } as unknown as TrialContext);
  return told;
};

test("quick depth tries each rule of a component of a large document at one place, and says so elsewhere", async () => {
  const told = await leftOut(100, 6, "Item");
  expect(told).toHaveLength(500);
  expect(told[0]).toBe(
    "shop.add0.request.field0.max-length: the document is large, so quick depth tries this rule of a component only " +
      "at shop.add1.request.field0.max-length: --depth standard tries it here",
  );
});

test("quick depth tries each rule of a small document, and each rule of no component, at each place", async () => {
  expect(await leftOut(100, 5, "Item")).toEqual([]);
  expect(await leftOut(100, 6)).toEqual([]);
});

test("a keyword that is left out has no probes", () => {
  const rule: Rule = {
    requirement: "made-up.request.fields",
    ...{ operationId: "made-up", direction: "request", level: "documented", pointer: "", schema: {} },
    ...{ keyword: "anyOf", value: true, untried: "it is about several fields of a form" },
  };
  const requests = {
    generation: contextOf({}),
    schemaOf: () => ({}),
    samples: () => fc.constant({ control: CALL, probe: CALL }),
  };
  expect(possibleChoices(rule, requests)).toEqual([]);
});
