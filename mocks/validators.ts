/** Request validators, compiled from a contract's schemas when an operation is first called. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Contract, JsonSchema, Operation } from "../helpers/contract/contract.ts";
import type { RequestBend } from "./fault.ts";
import { FORMATS } from "./formats.ts";
import { tokensOf } from "./pointer.ts";
import { editSchema } from "./schema-edit.ts";

export interface Violation {
  /** Names and indexes on the way to the offending value. */
  readonly path: readonly string[];
  readonly keyword: string;
  /** Whether the value is absent or null. */
  readonly absent: boolean;
}

export type Validator = (value: unknown) => readonly Violation[];

export interface Validators {
  /** For the JSON body of an operation; `undefined` when it takes none. */
  body(operation: Operation): Validator | undefined;
  /** For a component schema by name. */
  schema(name: string): Validator;
}

/** The bends change only what they are about; everything else is shared with `unbent`. */
export const validatorsOf = (
  contract: Contract,
  bends: readonly RequestBend[] = [],
  unbent?: Validators,
): Validators => {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: true,
    verbose: true,
    logger: false,
    formats: FORMATS,
  });
  const compiled = new Map<string, Validator>();
  const lookup = (of: string, schema: JsonSchema): Validator => {
    const known = compiled.get(of);
    if (known !== undefined) return known;
    const fresh = compile(
      ajv,
      contract,
      schema,
      bends.filter((bend) => bend.of === of),
    );
    compiled.set(of, fresh);
    return fresh;
  };
  const isBent = (of: string) => unbent === undefined || bends.some((bend) => bend.of === of);
  return {
    body: (operation) => {
      const schema = operation.requestBody?.content["application/json"];
      if (schema === undefined) return undefined;
      if (!isBent(operation.operationId)) return unbent?.body(operation);
      return lookup(operation.operationId, schema);
    },
    schema: (name) =>
      unbent !== undefined && !isBent(name)
        ? unbent.schema(name)
        : lookup(name, contract.schemas[name] ?? {}),
  };
};

const compile = (
  ajv: Ajv2020,
  contract: Contract,
  schema: JsonSchema,
  bends: readonly RequestBend[],
): Validator => {
  const bent = bends.reduce(
    (edited, bend) => editSchema(edited, contract.schemas, bend.pointer, bend.edit),
    schema,
  );
  const validate: ValidateFunction = ajv.compile({ ...bent, components: { schemas: contract.schemas } });
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(violationOf));
};

const violationOf = (error: ErrorObject): Violation => {
  const path = tokensOf(error.instancePath);
  if (error.keyword === "required") {
    return { path: [...path, String(error.params.missingProperty)], keyword: "required", absent: true };
  }
  return { path, keyword: error.keyword, absent: error.data === null };
};
