/** Request validators. They are compiled from a contract's schemas when they are first used. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Contract, JsonSchema, Operation } from "../../helpers/contract/contract.ts";
import { rewritten } from "../../helpers/contract/json.ts";
import { keptIn, oncePer } from "../../helpers/contract/once.ts";
import { segmentsOf } from "../../helpers/contract/pointer.ts";
import type { RequestEffect } from "./faults/fault.ts";
import { editSchema, MOST_BYTES } from "./faults/schema-edit.ts";
import { type ParameterPlace, parameterSchema } from "./parameters.ts";
import { type Flatten, flattener } from "./values/flat-schema.ts";
import { FORMATS, NUMBER_FORMATS } from "./values/formats.ts";

export interface Violation {
  /** Property names and indexes that lead to the invalid value. */
  readonly path: readonly string[];
  readonly keyword: string;
  /** Whether the value is absent or null. */
  readonly absent: boolean;
}

export type Validator = (value: unknown) => readonly Violation[];

export interface Validators {
  /** Returns the validator of the JSON body; `undefined` when the operation has none. */
  body(operation: Operation): Validator | undefined;
  /** Returns the validator of a component schema. */
  schema(name: string): Validator;
  /** Returns the validator of the parameters of one place, as an object; `undefined` when there are none. */
  parameters(operation: Operation, place: ParameterPlace): Validator | undefined;
  readonly flatten: Flatten;
}

/** Returns the key under which effects refer to the parameters of one place. */
export const parametersOf = (operationId: string, place: ParameterPlace): string => `${operationId}?${place}`;

/** Compiles validators for the schemas that the effects change. All others are shared with `correct`. */
export const validatorsOf = (
  contract: Contract,
  effects: readonly RequestEffect[] = [],
  correct?: Validators,
): Validators => {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: true,
    verbose: true,
    logger: false,
    // Only the keyword and the place of a violation are read.
    messages: false,
    // Each schema is compiled at its first call, and shorter code does not make up for the time.
    code: { optimize: false },
    formats: { ...FORMATS, ...NUMBER_FORMATS },
  });
  ajv.addKeyword({
    keyword: MOST_BYTES,
    type: "string",
    validate: (most: number, text: string) => Buffer.byteLength(text) <= most,
  });
  // Registered once, because operations and effects share the many components.
  ajv.addSchema({ components: { schemas: contract.schemas } }, COMPONENTS);
  const effectsOf = (of: string) => effects.filter((effect) => effect.of === of);
  const isFaulty = (of: string) => correct === undefined || effectsOf(of).length > 0;
  const ownValidator = (of: string, schema: JsonSchema): Validator =>
    compiledLater(() => compile(ajv, contract, schema, effectsOf(of)));
  const requestsOf = oncePer((operation: Operation): RequestValidators => {
    const { operationId, requestBody } = operation;
    const own = (of: string, schema: JsonSchema | undefined): Validator | undefined =>
      schema === undefined ? undefined : ownValidator(of, schema);
    const parameters = (place: ParameterPlace): Validator | undefined => {
      const of = parametersOf(operationId, place);
      return isFaulty(of)
        ? own(of, parameterSchema(operation, place))
        : correct?.parameters(operation, place);
    };
    return {
      body: isFaulty(operationId)
        ? own(operationId, requestBody?.content["application/json"])
        : correct?.body(operation),
      query: parameters("query"),
      header: parameters("header"),
      path: parameters("path"),
    };
  });
  const components = new Map<string, Validator>();
  return {
    flatten: correct?.flatten ?? flattener(contract.schemas),
    parameters: (operation, place) => requestsOf(operation)[place],
    body: (operation) => requestsOf(operation).body,
    schema: (name) =>
      correct !== undefined && !isFaulty(name)
        ? correct.schema(name)
        : keptIn(components, name, () => ownValidator(name, contract.schemas[name] ?? {})),
  };
};

/** The validators of one operation. */
type RequestValidators = Readonly<Record<"body" | ParameterPlace, Validator | undefined>>;

/** Compiles at the first call, because most schemas are never used. */
const compiledLater = (make: () => Validator): Validator => {
  let made: Validator | undefined;
  return (value) => {
    made ??= make();
    return made(value);
  };
};

const compile = (
  ajv: Ajv2020,
  contract: Contract,
  schema: JsonSchema,
  effects: readonly RequestEffect[],
): Validator => {
  const faulty = effects.reduce(
    (edited, effect) => editSchema(edited, contract.schemas, effect.pointer, effect.edit),
    schema,
  );
  const validate: ValidateFunction = ajv.compile(anchored(faulty) as JsonSchema);
  return (value) => (validate(value) ? NO_VIOLATIONS : (validate.errors ?? []).map(violationOf));
};

const NO_VIOLATIONS: readonly Violation[] = [];

/** The address under which validators register the components of a contract. */
export const COMPONENTS = "https://contract.example.com/";

/** Rewrites references so that they point to the registered components. */
export const anchored = (schema: JsonSchema): unknown =>
  rewritten(schema, (node) =>
    typeof node.$ref === "string" && node.$ref.startsWith("#/components/")
      ? { ...node, $ref: `${COMPONENTS}${node.$ref}` }
      : node,
  );

const violationOf = (error: ErrorObject): Violation => {
  const path = segmentsOf(error.instancePath);
  if (error.keyword === "required") {
    return { path: [...path, String(error.params.missingProperty)], keyword: "required", absent: true };
  }
  return { path, keyword: error.keyword, absent: error.data === null };
};
