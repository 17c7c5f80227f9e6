/** Laws of the generators, over the card enrollment contract and over schemas that are hard to generate for. */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import type { JsonSchema, Rule } from "../../helpers/contract/contract.ts";
import { loadContract } from "../../helpers/contract/load.ts";
import { createValidator } from "../../helpers/contract/schema-validator.ts";
import { dataMaker } from "../../helpers/generate/data.ts";
import { differences } from "../../helpers/generate/edit.ts";
import { type ProbeKind, probePairs, probesFor } from "../../helpers/generate/probes.ts";
import { proveNearMiss } from "../../helpers/generate/proof.ts";
import { type GenerateContext, validValues } from "../../helpers/generate/valid.ts";

const component = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const contract = await loadContract("card-enrollment");
const RESOURCES = { "src-client-id": "0a1b2c3d-0000-4000-8000-00000000000a", "service-id": "SVC#1" };
const card: GenerateContext = {
  schemas: contract.schemas,
  validator: createValidator(contract),
  resources: RESOURCES,
};

const contextOf = (schemas: Record<string, JsonSchema>): GenerateContext => ({
  schemas,
  validator: createValidator({ schemas }),
  resources: {},
});

const TRICKY: Record<string, JsonSchema> = {
  Tree: {
    type: "object",
    required: ["name", "children"],
    properties: {
      name: { type: "string", minLength: 2, maxLength: 5 },
      children: { type: "array", items: component("Tree"), maxItems: 3 },
      parent: component("Tree"),
    },
  },
  Pet: {
    oneOf: [component("Cat"), component("Dog")],
    discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat" } },
    required: ["kind"],
  },
  Cat: {
    type: "object",
    required: ["lives"],
    properties: { kind: { type: "string" }, lives: { type: "integer", minimum: 1, maximum: 9 } },
  },
  Dog: {
    type: "object",
    required: ["tag"],
    properties: { kind: { type: "string" }, tag: { type: "string", pattern: "^[A-Z]{3}-\\d{4}$" } },
  },
  Choice: {
    oneOf: [
      { type: "integer", multipleOf: 3 },
      { type: "integer", multipleOf: 5 },
    ],
  },
  Nullable: {
    type: "object",
    required: ["a", "b"],
    properties: { a: { type: "string", nullable: true }, b: { type: ["integer", "null"] } },
  },
  Joined: {
    allOf: [
      component("Nullable"),
      {
        type: "object",
        required: ["c"],
        properties: { c: { type: "string", format: "uri", maxLength: 200 } },
      },
    ],
  },
  Closed: {
    type: "object",
    additionalProperties: false,
    minProperties: 1,
    properties: { amount: { type: "number", exclusiveMinimum: 0, maximum: 10, multipleOf: 0.01 } },
  },
  Set: {
    type: "array",
    minItems: 2,
    maxItems: 4,
    uniqueItems: true,
    items: { type: "string", enum: ["a", "b", "c", "d", "e"] },
  },
  Map: { type: "object", minProperties: 1, additionalProperties: component("Cat") },
  Patterns: {
    type: "object",
    required: ["id", "code", "ledger", "word"],
    properties: {
      id: { type: "string", format: "uuid" },
      code: { type: "string", pattern: "^(?:[0-9]{6}|[0-9]{9})$" },
      ledger: { type: "string", pattern: "^[0-9a-zA-Z#_-]*$", maxLength: 8, minLength: 8 },
      word: { type: "string", pattern: "^(?:YES|NO)$" },
    },
  },
};

/** Rules of all keywords at one place, as the contract would derive them. */
const rulesAt = (pointer: string, schema: JsonSchema, keywords = Object.keys(schema)): Rule[] =>
  keywords.map((keyword) => ({
    requirement: `made-up${pointer.replaceAll("/", ".")}.${keyword}`,
    operationId: "made-up",
    direction: "request",
    pointer,
    keyword,
    value: schema[keyword],
    schema,
    level: "documented",
  }));

const kindNamed = (kinds: readonly ProbeKind[], name: string): ProbeKind => {
  const kind = kinds.find((each) => each.kind === name);
  if (kind === undefined)
    throw new Error(`No kind "${name}" in ${kinds.map((each) => each.kind).join(", ")}`);
  return kind;
};

const valuesOf = (kind: ProbeKind): unknown[] =>
  fc.sample(kind.edit, { numRuns: 20, seed: 5 }).map((edit) => ("value" in edit ? edit.value : undefined));

test.describe("valid values", () => {
  for (const name of ["EnrollCardRequest", "EnrollCardResponse", "Card", "SampleError"]) {
    test(`of ${name} fit`, () => {
      const schema = component(name);
      fc.assert(
        fc.property(
          validValues(schema, card),
          (value) => card.validator.validate(schema, value).length === 0,
        ),
      );
    });
  }

  for (const name of Object.keys(TRICKY)) {
    test(`of the tricky schema ${name} fit, differ, and end`, () => {
      const context = contextOf(TRICKY);
      const values = fc.sample(validValues(component(name), context), { numRuns: 60, seed: 11 });
      expect(values.flatMap((value) => context.validator.validate(component(name), value))).toEqual([]);
      expect(new Set(values.map((value) => JSON.stringify(value))).size).toBeGreaterThan(2);
    });
  }

  test("are the same for the same seed, and leave optional properties out at times", () => {
    const draw = () => fc.sample(validValues(component("EnrollCardRequest"), card), { numRuns: 30, seed: 7 });
    expect(draw()).toEqual(draw());
    const withSource = draw().filter((value) => "cardSource" in (value as object)).length;
    expect(withSource).toBeGreaterThan(0);
    expect(withSource).toBeLessThan(30);
  });

  test("have and lack the places that the context names", () => {
    const context = {
      ...card,
      with: ["/enrolmentReferenceData/enrolmentReferenceId"],
      without: ["/cardSource"],
    };
    for (const value of fc.sample(validValues(component("EnrollCardRequest"), context), 30)) {
      expect(value).toHaveProperty("enrolmentReferenceData.enrolmentReferenceId");
      expect(value).not.toHaveProperty("cardSource");
      expect(value).toHaveProperty("srcClientId", RESOURCES["src-client-id"]);
    }
  });

  test("go together: calling code, country and test card numbers that pass the check digit", () => {
    const codes: Record<string, string> = { US: "1", CA: "1", GB: "44", FR: "33", SE: "46" };
    for (const value of fc.sample(validValues(component("Consumer"), card), 50)) {
      const consumer = value as { countryCode: string; mobileNumber: { countryCode: string } };
      expect(consumer.mobileNumber.countryCode).toBe(codes[consumer.countryCode]);
    }
    for (const value of fc.sample(validValues(component("Card"), card), 50)) {
      expect(passesLuhn((value as { primaryAccountNumber: string }).primaryAccountNumber)).toBe(true);
    }
  });

  test("of card enrollment come from data makers wherever the contract names one", () => {
    const names = [...JSON.stringify(contract.schemas).matchAll(/"x-data":"([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => dataMaker(name) === undefined)).toEqual([]);
  });

  test("that do not fit are never given out", () => {
    const context = { ...card, resources: { ...RESOURCES, "src-client-id": "NOT-A-UUID" } };
    const draw = () => fc.sample(validValues(component("EnrollCardRequest"), context), 1);
    expect(draw).toThrow(/\/srcClientId \(pattern/);
  });

  test("of a schema that never ends are refused", () => {
    const endless = contextOf({
      Endless: { type: "object", required: ["again"], properties: { again: component("Endless") } },
    });
    expect(() => fc.sample(validValues(component("Endless"), endless), 1)).toThrow(/values never end/);
  });
});

test.describe("probes of card enrollment", () => {
  const rules = contract.rules.filter(({ direction }) => direction === "request");

  for (const keyword of new Set(rules.map((rule) => rule.keyword))) {
    test(`for ${keyword} are proved and change one place`, () => {
      for (const rule of rules.filter((each) => each.keyword === keyword)) {
        const body = component(rule.schemaName === "Card" ? "Card" : "EnrollCardRequest");
        const kinds = probesFor(rule, body, card);
        expect(new Set(kinds.map(({ kind }) => kind)).size).toBe(kinds.length);
        expect(kinds.filter((kind) => kind.class !== "observation").length, rule.requirement).toBeGreaterThan(
          0,
        );
        for (const kind of kinds) lawsHold(kind, rule, body, card);
      }
    });
  }

  test("leave what the documents leave open unjudged", () => {
    const at = (pointer: string, keyword: string): readonly ProbeKind[] => {
      const rule = rules.find((each) => each.pointer === pointer && each.keyword === keyword);
      if (rule === undefined) throw new Error(`no rule ${keyword} at ${pointer}`);
      return probesFor(rule, component(rule.schemaName === "Card" ? "Card" : "EnrollCardRequest"), card);
    };
    expect(kindNamed(at("/consumer/firstName", "maxLength"), "non-BMP characters at the limit").class).toBe(
      "observation",
    );
    expect(kindNamed(at("/primaryAccountNumber", "maxLength"), "longest, 20 characters").class).toBe(
      "observation",
    );
    expect(kindNamed(at("/cardSource", "type"), "null").class).toBe("observation");
    expect(kindNamed(at("/serviceId", "type"), "empty string").class).toBe("observation");
    expect(kindNamed(at("/consumer/countryCode", "format"), "well-formed unassigned code").class).toBe(
      "observation",
    );
    expect(at("/srcCorrelationId", "pattern").map(({ kind }) => kind)).not.toContain("upper-case hex");
    expect(kindNamed(at("/srcClientId", "pattern"), "upper-case hex").class).toBe("near-miss");
  });

  test("upper-case hex is left out where the known id has no letter", () => {
    const rule = rules.find((each) => each.pointer === "/srcClientId" && each.keyword === "pattern") as Rule;
    const digitsOnly = {
      ...card,
      resources: { ...RESOURCES, "src-client-id": "01234567-0000-4000-8000-000000000000" },
    };
    const kinds = probesFor(rule, component("EnrollCardRequest"), digitsOnly).map(({ kind }) => kind);
    expect(kinds).not.toContain("upper-case hex");
    expect(kinds).toContain("missing hyphens");
  });

  test("a too-long e-mail address keeps a valid form", () => {
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

test.describe("probes of every keyword", () => {
  const cases: readonly [string, JsonSchema, readonly string[]][] = [
    [
      "number limits",
      { type: "number", minimum: 1, maximum: 5 },
      ["too small", "too large", "smallest", "largest"],
    ],
    [
      "exclusive limits",
      { type: "integer", exclusiveMinimum: 1, exclusiveMaximum: 9 },
      ["too small", "too large", "smallest", "largest"],
    ],
    ["steps", { type: "integer", multipleOf: 4 }, ["between two multiples", "string instead of integer"]],
    ["a constant", { const: "A" }, ["another value"]],
    [
      "items",
      { type: "array", items: { type: "integer" }, minItems: 2, maxItems: 3 },
      ["one item too few", "no items", "one item too many", "most items"],
    ],
    ["unique items", { type: "array", items: { type: "integer" }, uniqueItems: true }, ["an item twice"]],
    [
      "closed objects",
      {
        type: "object",
        properties: { a: { type: "string" } },
        additionalProperties: false,
        minProperties: 1,
      },
      ["property that is not allowed", "no properties"],
    ],
    ["dates", { type: "string", format: "utc-datetime" }, ["another zone", "no such day"]],
    ["UUIDs", { type: "string", format: "uuid" }, ["in braces", "one character short"]],
    [
      "digits",
      { type: "string", pattern: "^[0-9]{4}$" },
      ["plus sign", "letter", "one character short", "one character more"],
    ],
    [
      "words",
      { type: "string", pattern: "^(?:YES|NO)$" },
      ["foreign character at the start", "foreign character at the end"],
    ],
    ["integers", { type: "integer", format: "int32" }, ["too large", "fraction instead of integer"]],
  ];

  for (const [title, schema, expected] of cases) {
    test(`are proved for ${title}`, () => {
      const body = {
        type: "object",
        required: ["list"],
        properties: { list: { type: "array", items: { type: "object", properties: { x: schema } } } },
      };
      const context = contextOf({});
      const kinds = rulesAt("/list/*/x", schema).flatMap((rule) => {
        const found = probesFor(rule, body, context);
        for (const kind of found) lawsHold(kind, rule, body, context);
        return found.map(({ kind }) => kind);
      });
      expect(kinds).toEqual(expect.arrayContaining([...expected]));
    });
  }

  test("give no null where null is allowed, and none for an optional property", () => {
    const context = contextOf(TRICKY);
    const [required, type] = rulesAt("/a", { type: "string", nullable: true }, ["required", "type"]);
    const kinds = [required, type].flatMap((rule) => probesFor(rule as Rule, component("Nullable"), context));
    expect(kinds.filter((kind) => kind.class === "near-miss").map(({ kind }) => kind)).toContain("missing");
    expect(kinds.map(({ kind }) => kind).filter((kind) => kind.startsWith("null"))).toEqual([]);
  });
});

test("a near-miss that the contract allows, or that strays, is no near-miss", () => {
  const [rule] = rulesAt("/a", { maxLength: 3 });
  const body: JsonSchema = { type: "object", properties: { a: { type: "string", maxLength: 3 } } };
  const prove = (base: unknown, value: unknown) => () =>
    proveNearMiss(rule as Rule, body, base, { pointer: "/a", value }, contextOf({}));
  expect(prove({ a: "b" }, "four")).not.toThrow();
  expect(prove({ a: "b" }, "abc")).toThrow(/made-up\.a\.maxLength.*"abc".*allows it/);
  expect(prove({ a: "b" }, 4)).toThrow(/breaks type instead/);
  expect(prove({ a: "far too long" }, "four")).toThrow(/base is invalid/);
});

const lawsHold = (kind: ProbeKind, rule: Rule, body: JsonSchema, context: GenerateContext): void => {
  const pairs = fc.sample(probePairs(kind, rule, body, context), { numRuns: 5, seed: 3 });
  for (const { base, edit, edited } of pairs) {
    const places = differences(base, edited);
    expect(places.every((place) => `${place}/`.startsWith(`${edit.pointer}/`))).toBe(true);
    expect(context.validator.validate(body, base)).toEqual([]);
    const errors = context.validator.validate(body, edited).length;
    if (kind.class === "near-miss") expect(errors, `${rule.requirement}: ${kind.kind}`).toBeGreaterThan(0);
    if (kind.class === "boundary") expect(errors, `${rule.requirement}: ${kind.kind}`).toBe(0);
  }
};

const passesLuhn = (digits: string): boolean =>
  [...digits].reverse().reduce((sum, digit, index) => {
    const doubled = Number(digit) * (1 + (index % 2));
    return sum + Math.floor(doubled / 10) + (doubled % 10);
  }, 0) %
    10 ===
  0;
