/** Request validators. They are compiled from a contract's schemas when they are first used. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type {
  Contract,
  JsonSchema,
  Operation,
  Parameter,
  RequestBody,
} from "../../helpers/contract/contract.ts";
import { rewritten } from "../../helpers/contract/json.ts";
import { getOrInsert, memoize } from "../../helpers/contract/memoize.ts";
import { componentNamed, segmentsOf } from "../../helpers/contract/pointer.ts";
import { textsIn } from "../../helpers/contract/response-parts.ts";
import { patternsOfAjv } from "../../helpers/contract/schemas/expressions.ts";
import { parameterSchema, parametersOf } from "./parameters.ts";
import { type Flatten, flattener } from "./values/flat-schema.ts";
import { FORMATS, NUMBER_FORMATS } from "./values/formats.ts";
import { editSchema, MOST_BYTES, type SchemaChange } from "./values/schema-edit.ts";

export interface Violation {
  /** Property names and indexes that lead to the invalid value. */
  readonly path: readonly string[];
  readonly keyword: string;
  /** Whether the value is absent or null. */
  readonly absent: boolean;
}

export type Validator = (value: unknown) => readonly Violation[];

export interface Validators {
  /** Returns the validator of the body, which is JSON or a text; `undefined` when the operation has none. */
  body(operation: Operation): Validator | undefined;
  /** Returns the validator of a component schema. */
  schema(name: string): Validator;
  /** Returns the validator of the parameters of one place, as an object; `undefined` when there are none. */
  parameters(operation: Operation, place: Parameter["in"]): Validator | undefined;
  /** Returns the validator of the body of an answer. */
  answer(schema: JsonSchema): Validator;
  readonly flatten: Flatten;
}

/** Compiles validators for the schemas that the effects change. All others are shared with `correct`. */
export const validatorsOf = (
  contract: Contract,
  effects: readonly SchemaChange[] = [],
  correct?: Validators,
): Validators => {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    meta: false,
    allErrors: true,
    verbose: true,
    logger: false,
    // Only the keyword and the place of a violation are read.
    messages: false,
    // Each schema is compiled at its first call, and shorter code does not make up for the time.
    code: { optimize: false, regExp: patternsOfAjv },
    formats: { ...FORMATS, ...NUMBER_FORMATS },
  });
  ajv.addKeyword({
    keyword: MOST_BYTES,
    type: "string",
    validate: (most: number, text: string) => Buffer.byteLength(text) <= most,
  });
  const compile = compilerOf(ajv, contract.schemas);
  const effectsOf = (of: string) => effects.filter((effect) => effect.of === of);
  const isFaulty = (of: string) => correct === undefined || effectsOf(of).length > 0;
  const ownValidator = (of: string, schema: JsonSchema): Validator =>
    compiledLater(() => validatorBy(compile(edited(schema, contract, effectsOf(of)))));
  const requestsOf = memoize(
    (operation: Operation): Readonly<Record<"body" | Parameter["in"], Validator | undefined>> => {
      const { operationId, requestBody } = operation;
      const own = (of: string, schema: JsonSchema | undefined): Validator | undefined =>
        schema === undefined ? undefined : ownValidator(of, schema);
      const parameters = (place: Parameter["in"]): Validator | undefined => {
        const of = parametersOf(operationId, place);
        return isFaulty(of)
          ? own(of, parameterSchema(operation, place))
          : correct?.parameters(operation, place);
      };
      return {
        body: isFaulty(operationId) ? own(operationId, bodySchema(requestBody)) : correct?.body(operation),
        query: parameters("query"),
        header: parameters("header"),
        path: parameters("path"),
        cookie: parameters("cookie"),
        form: parameters("form"),
        part: parameters("part"),
      };
    },
  );
  const components = new Map<string, Validator>();
  const answer = memoize(
    (schema: JsonSchema): Validator => compiledLater(() => validatorBy(compile(schema))),
  );
  return {
    flatten: correct?.flatten ?? flattener(contract.schemas),
    parameters: (operation, place) => requestsOf(operation)[place],
    body: (operation) => requestsOf(operation).body,
    answer: correct?.answer ?? answer,
    schema: (name) =>
      correct !== undefined && !isFaulty(name)
        ? correct.schema(name)
        : getOrInsert(components, name, () => ownValidator(name, contract.schemas[name] ?? {})),
  };
};

const bodySchema = (body: RequestBody | undefined): JsonSchema | undefined =>
  body?.content["application/json"] ?? textsIn(body?.content ?? {}).map(([, schema]) => schema)[0];

/** Compiles at the first call, because most schemas are never used. */
const compiledLater = (make: () => Validator): Validator => {
  let made: Validator | undefined;
  return (value) => {
    made ??= make();
    return made(value);
  };
};

const edited = (schema: JsonSchema, { schemas }: Contract, effects: readonly SchemaChange[]): JsonSchema =>
  effects.reduce((one, { pointer, edit }) => editSchema(one, schemas, pointer, edit), schema);

const validatorBy =
  (validate: ValidateFunction): Validator =>
  (value) =>
    validate(value) ? NO_VIOLATIONS : (validate.errors ?? []).map(violationOf);

const NO_VIOLATIONS: readonly Violation[] = [];

/**
 * Returns a function that compiles schemas of a contract. It registers a component when the first schema refers to it: a
 * contract has many, and a tenant with a fault needs few of them.
 */
export const compilerOf = (ajv: Ajv2020, schemas: Contract["schemas"]) => {
  const registered = new Set<string>();
  const register = (name: string): void => {
    const schema = schemas[name];
    if (schema === undefined || registered.has(name)) return;
    registered.add(name);
    ajv.addSchema(prepared(schema) as object, addressOf(name));
  };
  const prepared = (schema: JsonSchema): unknown =>
    rewritten(schema, (node) => {
      const name = componentNamed(node.$ref);
      if (name === undefined) return node;
      register(name);
      return { ...node, $ref: addressOf(name) };
    });
  return (schema: JsonSchema): ValidateFunction => ajv.compile(prepared(schema) as JsonSchema);
};

const addressOf = (component: string): string =>
  `https://contract.example.com/${encodeURIComponent(component)}`;

const violationOf = (error: ErrorObject): Violation => {
  const path = segmentsOf(error.instancePath);
  if (error.keyword === "required") {
    return { path: [...path, String(error.params.missingProperty)], keyword: "required", absent: true };
  }
  return { path, keyword: error.keyword, absent: error.data === null };
};
