/** Validates values against the schemas of a contract (JSON Schema 2020-12). */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Contract, JsonSchema } from "../contract.ts";
import { isObject, type Json } from "../json.ts";
import { getOrInsert, memoize } from "../memoize.ts";
import { componentNamed, escapeSegment } from "../pointer.ts";
import { patternsOfAjv } from "./expressions.ts";
import { FORMATS, isInt64, isMasked } from "./formats.ts";
import { isListed, orNull, translateExclusive } from "./keywords.ts";
import { withSchemas } from "./schema-visitor.ts";

export interface ValidationError {
  /** JSON pointer to the invalid value; for a missing or unexpected property, the pointer of that property. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
  /** The keyword's place in the innermost component schema, for example `#/properties/firstName/maxLength`. */
  readonly schemaPath: string;
}

export interface Validator {
  /**
   * Returns the violations of `schema` by `value`. Lengths count code points; unknown keywords and formats
   * are ignored.
   * @throws when the schema is invalid, or refers to a missing component schema
   */
  validate(schema: JsonSchema, value: unknown): ValidationError[];
}

/**
 * Compiles on first use: equal schemas once, component schemas only when a schema refers to them.
 * @param allErrors whether it goes on after the first violation, which takes long in a large value
 */
export const createValidator = (contract: Pick<Contract, "schemas">, allErrors = true): Validator => {
  const ajv = createAjv(allErrors);
  const compiled = new WeakMap<JsonSchema, ValidateFunction>();
  const compiledTexts = new Map<string, ValidateFunction>();
  const registered = new Set<string>();

  const register = (name: string): void => {
    if (registered.has(name)) return;
    registered.add(name);
    const schema = contract.schemas[name];
    if (schema === undefined) {
      throw new Error(
        `The contract has no schema "${name}" under components.schemas, though a $ref names it.`,
      );
    }
    ajv.addSchema(prepare(schema, register) as object, schemaKey(name));
  };

  const compile = (schema: JsonSchema): ValidateFunction =>
    getOrInsert(compiled, schema, () =>
      getOrInsert(compiledTexts, JSON.stringify(schema), () =>
        ajv.compile(prepare(schema, register) as object),
      ),
    );

  return {
    validate(schema, value) {
      const validate = compile(schema);
      return validate(value) ? [] : (validate.errors ?? []).map(toValidationError);
    },
  };
};

/** Returns the validator that all who judge by a contract share. */
export const validatorOf = memoize((contract: Pick<Contract, "schemas">) => createValidator(contract));

const createAjv = (allErrors: boolean): Ajv2020 => {
  const ajv = new Ajv2020({
    allErrors,
    strict: false,
    logger: false,
    validateSchema: false,
    meta: false,
    // A component schema is compiled once, not again at each place that refers to it.
    inlineRefs: false,
    addUsedSchema: false,
    // Decimal fractions have no exact binary form, so 0.07 would not be a multiple of 0.01.
    multipleOfPrecision: 9,
    // Most schemas validate only a few values, so optimizing their code takes more time than it saves.
    code: { regExp: patternsOfAjv, optimize: false },
  });
  ajv.addKeyword({
    keyword: ANY_CASE,
    validate: (values: readonly unknown[], value: unknown) => isListed({ "x-case": "ignore" }, values, value),
    error: { message: "must be equal to one of the allowed values" },
  });
  addFormats.default(ajv);
  for (const [name, test] of Object.entries(FORMATS)) ajv.addFormat(name, test);
  ajv.addFormat("int64", { type: "number", validate: isInt64 });
  for (const name of [...Object.keys(FORMATS), "uuid", "uri", "date"]) {
    let validate: ValidateFunction | undefined;
    ajv.addFormat(`masked-or-${name}`, (value: string) => {
      validate ??= ajv.compile({ type: "string", format: name });
      return isMasked(value) || validate(value);
    });
  }
  return ajv;
};

/** `enum`, where letter case does not count. Errors say `enum`. */
const ANY_CASE = "enumInAnyCase";

const schemaKey = (name: string): string => `schema:${encodeURIComponent(name)}`;

/** Returns a copy for ajv: with registered `$ref`s and translated OpenAPI 3.0 keywords, without extensions. */
const prepare = (schema: unknown, register: (name: string) => void): unknown => {
  if (!isObject(schema)) return schema;
  const result: Json = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith("x-") || keyword === "discriminator" || keyword === "nullable") continue;
    result[keyword] =
      keyword === "$ref"
        ? prepareRef(String(value), register)
        : withSchemas(keyword, value, (inner) => prepare(inner, register));
  }
  translateExclusive(result);
  const whole = schema.nullable === true ? orNull(result) : result;
  return schema["x-case"] === "ignore" ? inAnyCase(whole) : whole;
};

const inAnyCase = ({ enum: values, ...others }: Json): Json =>
  values === undefined ? others : { ...others, [ANY_CASE]: values };

const prepareRef = (ref: string, register: (name: string) => void): string => {
  const name = componentNamed(ref);
  if (name === undefined)
    throw new Error(`The $ref "${ref}" does not start with #/components/schemas/; name a component schema.`);
  register(name);
  return schemaKey(name);
};

/** Parameters of an error that name the invalid property. */
const PROPERTY_PARAMETERS = ["missingProperty", "additionalProperty", "unevaluatedProperty"];

const toValidationError = (error: ErrorObject): ValidationError => {
  const property = PROPERTY_PARAMETERS.map((name) => error.params[name]).find(
    (name) => typeof name === "string",
  );
  return {
    pointer: property === undefined ? error.instancePath : `${error.instancePath}/${escapeSegment(property)}`,
    keyword: error.keyword.replace(ANY_CASE, "enum"),
    message: error.message ?? "",
    schemaPath: error.schemaPath.replace(ANY_CASE, "enum"),
  };
};
