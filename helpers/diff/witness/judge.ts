/** A document as a judge of messages: which it allows, and why it refuses the others. */
import type { JsonSchema } from "../../contract/contract.ts";
import { isObject, type Json, rewritten } from "../../contract/json.ts";
import { keptIn } from "../../contract/once.ts";
import { componentNamed } from "../../contract/pointer.ts";
import { createValidator, type ValidationError } from "../../contract/schema-validator.ts";
import type { GenerateContext } from "../../generate/context.ts";
import { later } from "../../generate/later.ts";
import { smallest } from "../../generate/smallest.ts";
import { structuresOf } from "../../generate/structure.ts";
import type { ApiDocument, Both, Schemas, Sender } from "../document/model.ts";

/** Where nothing is, or nothing can be drawn. */
export const NONE: unique symbol = Symbol("none");

export interface Judge {
  readonly document: ApiDocument;
  readonly operations: ReadonlyMap<string, ApiDocument["operations"][number]>;
  of(sender: Sender): SenderJudge;
}

/** The document as a judge of what one sender sends. */
export interface SenderJudge {
  /** @returns all violations; what is said about a schema that cannot be compiled is one as well */
  validate(schema: unknown, value: unknown): readonly ValidationError[];
  /** A small instance that the document allows; NONE where none that is drawn is one. */
  sample(schema: unknown): unknown;
  /** A small instance that is meant to fit and serves; NONE where none that is drawn does. */
  find(schema: unknown, draws: Draws, serves: (value: unknown) => boolean): unknown;
}

/** Of which parts instances are drawn, and how many of them. */
export interface Draws {
  readonly samples: NonNullable<GenerateContext["samples"]>;
  readonly attempts: number;
}

/** The two documents of a diff. */
export type Judges = Both<Judge>;

const ENOUGH = 20;

/** Validators are compiled when a schema is judged for the first time. */
export const createJudge = (document: ApiDocument): Judge => {
  const kept = new Map<Schemas, SenderJudge>();
  return {
    document,
    operations: new Map(document.operations.map((operation) => [operation.key, operation])),
    of: (sender) => keptIn(kept, document.schemas[sender], () => judgeBy(document.schemas[sender])),
  };
};

const judgeBy = (schemas: Schemas): SenderJudge => {
  const contexts = contextsIn(schemas);
  const roots = new WeakMap<object, JsonSchema>();
  const rootOf = (schema: unknown): JsonSchema => {
    if (typeof schema !== "object" || schema === null)
      return (schema === false ? { not: {} } : {}) as JsonSchema;
    return keptIn(roots, schema, () => withDiscriminators(schema) as JsonSchema);
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
  };
  return judge;
};

/** What instances with and without optional parts are drawn in. */
const contextsIn = (own: Schemas): Readonly<Record<Draws["samples"], GenerateContext>> => {
  const schemas = withDiscriminators(own) as Readonly<Record<string, JsonSchema>>;
  const common = { schemas, validator: createValidator({ schemas }), resources: {} };
  return { required: { ...common, samples: "required" }, optional: { ...common, samples: "optional" } };
};

/**
 * Discriminators as validators can judge them: each alternative names the values that lead to it. The same object where
 * none lists its values.
 */
const withDiscriminators = <Node>(node: Node): Node => rewritten(node, withNames) as Node;

const withNames = (node: Json): Json => {
  const { discriminator } = node;
  const keyword = ["oneOf", "anyOf"].find((one) => Array.isArray(node[one]));
  if (keyword === undefined || !isObject(discriminator) || !isObject(discriminator.mapping)) return node;
  const { propertyName, mapping } = discriminator;
  if (typeof propertyName !== "string") return node;
  const branches = (node[keyword] as unknown[]).map((branch) => named(branch, propertyName, mapping as Json));
  return { ...node, [keyword]: branches };
};

/** A value leads to the component that it is mapped to or, unmapped, to the one of that name. */
const named = (branch: unknown, property: string, mapping: Json): unknown => {
  const name = isObject(branch) ? componentNamed(branch.$ref) : undefined;
  if (name === undefined) return branch;
  const values = Object.entries(mapping)
    .filter(([, target]) => (componentNamed(target) ?? target) === name)
    .map(([value]) => value);
  const names = values.length > 0 ? values : [name];
  return { allOf: [branch, { required: [property], properties: { [property]: { enum: names } } }] };
};
