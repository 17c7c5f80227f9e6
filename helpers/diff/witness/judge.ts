/** A document as a judge of messages: which it allows, and why it refuses the others. */
import type { JsonSchema } from "../../contract/contract.ts";
import { createValidator, type ValidationError, type Validator } from "../../contract/schema-validator.ts";
import type { ApiDocument, Schemas, Sender } from "../document/model.ts";
import { withDiscriminators } from "./discriminators.ts";
import { makeInstance } from "./make-instance.ts";
import { NONE } from "./making.ts";

export interface Judge {
  readonly document: ApiDocument;
  readonly operations: ReadonlyMap<string, ApiDocument["operations"][number]>;
  /** @returns all violations; what is said about a schema that cannot be compiled is one as well */
  validate(schema: unknown, value: unknown, sender: Sender): readonly ValidationError[];
  /** An instance that the document allows; NONE where none of the attempts is one. */
  sample(schema: unknown, sender: Sender): unknown;
  /** An instance that is meant to fit all; NONE where none can be made. */
  make(schemas: readonly unknown[], sender: Sender, attempt: number): unknown;
}

/** The two documents of a diff. */
export interface Judges {
  readonly old: Judge;
  readonly new: Judge;
}

const ATTEMPTS = 40;

/** Validators are compiled when a schema is judged for the first time. */
export const createJudge = (document: ApiDocument): Judge => {
  const kept = new Map<Schemas, { readonly schemas: Schemas; readonly validator: Validator }>();
  const roots = new WeakMap<object, JsonSchema>();

  const of = (sender: Sender) => {
    const own = document.schemas[sender];
    const known = kept.get(own);
    if (known !== undefined) return known;
    const schemas = withDiscriminators(own) as Readonly<Record<string, JsonSchema>>;
    const made = { schemas, validator: createValidator({ schemas }) };
    kept.set(own, made);
    return made;
  };

  const rootOf = (schema: unknown): JsonSchema => {
    if (typeof schema !== "object" || schema === null)
      return (schema === false ? { not: {} } : {}) as JsonSchema;
    const known = roots.get(schema) ?? (withDiscriminators(schema) as JsonSchema);
    roots.set(schema, known);
    return known;
  };

  const judge: Judge = {
    document,
    operations: new Map(document.operations.map((operation) => [operation.key, operation])),
    validate: (schema, value, sender) => of(sender).validator.validate(rootOf(schema), value),
    make: (conjuncts, sender, attempt) => makeInstance(conjuncts.map(rootOf), of(sender).schemas, attempt),
    sample(schema, sender) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const value = judge.make([schema], sender, attempt);
        if (value !== NONE && judge.validate(schema, value, sender).length === 0) return value;
      }
      return NONE;
    },
  };
  return judge;
};
