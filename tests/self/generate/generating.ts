/** Shared parts of the generator tests: schemas that are hard to generate for, contexts, and the rules for probes. */
import { expect } from "@playwright/test";
import fc from "fast-check";
import type { JsonSchema, Rule } from "../../../helpers/contract/contract.ts";
import { createValidator } from "../../../helpers/contract/schemas/schema-validator.ts";
import type { GenerateContext } from "../../../helpers/generate/context.ts";
import { differences } from "../../../helpers/generate/edit.ts";
import { type ProbeKind, probePairs } from "../../../helpers/generate/probes.ts";

/** Values that a card enrollment server knows. */
export const RESOURCES = { "src-client-id": "0a1b2c3d-0000-4000-8000-00000000000a", "service-id": "SVC#1" };

export const component = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const contextOf = (
  schemas: Record<string, JsonSchema>,
  resources: GenerateContext["resources"] = {},
): GenerateContext => ({
  schemas,
  validator: createValidator({ schemas }),
  resources,
});

export const TRICKY: Record<string, JsonSchema> = {
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

/** Expects a probe to change one value of a valid body, a near-miss to break the contract, and a boundary to keep it. */
export const checkRulesHold = (
  kind: ProbeKind,
  rule: Rule,
  body: JsonSchema,
  context: GenerateContext,
): void => {
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
