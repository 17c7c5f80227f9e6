/** Shared parts of the generator tests: schemas, contexts, and the rules for probes. */
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

/** Schemas that the generated documents do not have. */
export const TRICKY: Record<string, JsonSchema> = {
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
