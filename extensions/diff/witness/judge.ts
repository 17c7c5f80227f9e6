/** Judges messages by a document: accepts the messages that it allows, and gives the reasons for refusals. */
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { selectingValues } from "../../../helpers/contract/schemas/discriminators.ts";
import { schemaAt } from "../../../helpers/contract/schemas/schema-reading.ts";
import { createValidator, type ValidationError } from "../../../helpers/contract/schemas/schema-validator.ts";
import { withinChanged } from "../../../helpers/contract/schemas/schema-visitor.ts";
import type { GenerateContext } from "../../../helpers/generate/context.ts";
import { later } from "../../../helpers/generate/later.ts";
import { structuresOf } from "../../../helpers/generate/structure.ts";
import { NONE } from "../compare/wanted.ts";
import type { ApiDocument, Schemas, Sender } from "../document/model.ts";
import { smallest } from "./smallest.ts";

export interface Judge {
  readonly document: ApiDocument;
  readonly operations: ReadonlyMap<string, ApiDocument["operations"][number]>;
  of(sender: Sender): SenderJudge;
}

/** Judges and generates the values that one sender sends. */
export interface SenderJudge {
  /** @returns all violations; a schema that cannot be compiled counts as one */
  validate(schema: unknown, value: unknown): readonly ValidationError[];
  /** Returns a small instance that the document allows; `NONE` if no generated instance is allowed. */
  sample(schema: unknown): unknown;
  /** Returns the same for a place in the instances of a schema. */
  sampleAt(schema: unknown, pointer: string): unknown;
  /** Returns a small instance that satisfies `serves`; `NONE` if no generated instance does. */
  find(schema: unknown, draws: Draws, serves: (value: unknown) => boolean): unknown;
}

/** Which parts the instances have, and how many instances are generated. */
export interface Draws {
  readonly samples: NonNullable<GenerateContext["samples"]>;
  readonly attempts: number;
}

const ENOUGH = 20;

/** Creates a judge; validators are compiled on first use. */
export const createJudge = (document: ApiDocument): Judge => {
  const kept = new Map<Schemas, SenderJudge>();
  return {
    document,
    operations: new Map(document.operations.map((operation) => [operation.key, operation])),
    of: (sender) => getOrInsert(kept, document.schemas[sender], () => judgeBy(document.schemas[sender])),
  };
};

const judgeBy = (schemas: Schemas): SenderJudge => {
  const contexts = contextsIn(schemas);
  const roots = new WeakMap<object, JsonSchema>();
  const rootOf = (schema: unknown): JsonSchema => {
    if (typeof schema !== "object" || schema === null)
      return (schema === false ? { not: {} } : {}) as JsonSchema;
    return getOrInsert(roots, schema, () => withDiscriminators(schema) as JsonSchema);
  };
  const judge: SenderJudge = {
    validate: (schema, value) => contexts.required.validator.validate(rootOf(schema), value),
    find(schema, { samples, attempts }, serves) {
      const values = later(() => structuresOf(rootOf(schema), contexts[samples]));
      const found = smallest(values, attempts, serves);
      return found === undefined ? NONE : found.value;
    },
    sample(schema) {
      const fits = (value: unknown): boolean => judge.validate(schema, value).length === 0;
      const drawn = (samples: Draws["samples"]) => judge.find(schema, { samples, attempts: ENOUGH }, fits);
      const small = drawn("required");
      return small === NONE ? drawn("optional") : small;
    },
    sampleAt(schema, pointer) {
      const inner = schemaAt(rootOf(schema), pointer, contexts.required.schemas);
      return inner === undefined ? NONE : judge.sample(inner);
    },
  };
  return judge;
};

/** Returns the generator contexts for instances without, with some and with all optional parts. */
const contextsIn = (own: Schemas): Readonly<Record<Draws["samples"], GenerateContext>> => {
  const { $defs: schemas } = withDiscriminators({ $defs: own }) as { $defs: Record<string, JsonSchema> };
  const common = { schemas, validator: createValidator({ schemas }), resources: {} };
  return {
    required: { ...common, samples: "required" },
    optional: { ...common, samples: "optional" },
    every: { ...common, samples: "every" },
  };
};

/** Rewrites discriminators for validators: each alternative requires its values. Returns equal nodes unchanged. */
const withDiscriminators = (node: unknown): unknown => withinChanged(node, withNames);

const withNames = (node: Json): Json => {
  const { discriminator } = node;
  const keyword = ["oneOf", "anyOf"].find((one) => Array.isArray(node[one]));
  if (keyword === undefined || !isObject(discriminator)) return node;
  const { propertyName } = discriminator;
  if (typeof propertyName !== "string") return node;
  const branches = (node[keyword] as unknown[]).map((branch) => named(branch, propertyName, discriminator));
  return { ...node, [keyword]: branches };
};

/** Restricts a branch to the values that select it. */
const named = (branch: unknown, property: string, discriminator: Json): unknown => {
  const values = selectingValues(discriminator, branch);
  if (values === undefined) return branch;
  return { allOf: [branch, { required: [property], properties: { [property]: { enum: values } } }] };
};
