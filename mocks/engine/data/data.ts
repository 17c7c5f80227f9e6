/** The data that a sandbox starts with: chosen by the user, one entry per service, each with its own JSON Schema. */
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { JsonSchema, Service } from "../../../helpers/contract/contract.ts";
import { segmentsOf } from "../../../helpers/contract/pointer.ts";
import { ALIASES } from "../aliases.ts";
import { sandboxService } from "../services.ts";
import { type Fields, fieldsIn, isObject } from "../values/fields.ts";
import { FORMATS } from "../values/formats.ts";
import { DataError } from "./data-error.ts";

/** By service. */
export type SandboxData = Readonly<Record<Service, Fields>>;

const OF_ALIASES =
  "The identifiers that clients get in place of those of the sandbox that have not the form of the provider's document.";

/** Returns the JSON Schema of the data of these services. */
export const dataSchemaOf = async (services: readonly Service[]): Promise<JsonSchema> => {
  const entries = await Promise.all(
    services.map(async (service) => [service, (await sandboxService(service)).dataSchema ?? {}] as const),
  );
  const aliases = { type: "object", additionalProperties: { type: "string" }, description: OF_ALIASES };
  const withAliases = ([service, schema]: readonly [Service, JsonSchema]) => [
    service,
    { ...schema, properties: { ...fieldsIn(schema.properties), [ALIASES]: aliases } },
  ];
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "The data of a sandbox",
    type: "object",
    additionalProperties: false,
    properties: { $schema: { type: "string" }, ...Object.fromEntries(entries.map(withAliases)) },
  };
};

/** @throws DataError when the value does not fit the schema */
export const checkedData = async (value: unknown, services: readonly Service[]): Promise<SandboxData> => {
  const schema = await dataSchemaOf(services);
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: FORMATS });
  const validate = ajv.compile(schema);
  if (!validate(value)) throw dataErrorOf(validate.errors?.[0] as ErrorObject);
  const { $schema: _, ...data } = fieldsIn(value);
  return Object.fromEntries(
    Object.entries(data).flatMap(([service, fields]) => (isObject(fields) ? [[service, fields]] : [])),
  );
};

const dataErrorOf = ({ instancePath, keyword, params, message = "is not valid" }: ErrorObject): DataError => {
  const path = segmentsOf(instancePath);
  if (keyword === "additionalProperties") {
    const name = String(params.additionalProperty);
    return new DataError([...path, name], `"${name}" is unknown here`);
  }
  if (keyword === "enum") return new DataError(path, `${message}: ${params.allowedValues.join(", ")}`);
  return new DataError(path, message);
};
