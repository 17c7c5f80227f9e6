/** Where the access token of `--token-from` comes from: a log-in operation of the document, or client credentials. */
import type { JsonSchema, Schemas } from "../../helpers/contract/contract.ts";
import { isObject, type Json } from "../../helpers/contract/json.ts";
import { jsonTypeIn } from "../../helpers/contract/media-type.ts";
import { didYouMean } from "../../helpers/contract/nearest.ts";
import { escapeSegment } from "../../helpers/contract/pointer.ts";
import { innerSchemas, propertiesOf, requiredOf } from "../../helpers/contract/schema-visitor.ts";
import { successIn } from "../../helpers/contract/statuses.ts";
import { ConfigurationError } from "../../helpers/target/load-target.ts";
import { schemasOf, settingName } from "./convert.ts";
import type { Converted, DocumentSetting } from "./converted.ts";
import { atServer } from "./servers.ts";

/**
 * Returns the contract in which the token of a scheme comes from a log-in or from client credentials.
 * @param from the operationId of the log-in, or the name of the scheme with client credentials
 * @param base the address to which the address of a token endpoint may be relative
 * @throws ConfigurationError if the document has neither
 */
export const withToken = (service: string, converted: Converted, from: string, base: string): Converted => {
  const { root, schemes, settings } = converted;
  const flow = clientCredentialsOf(schemes[from] ?? {});
  const scheme = flow === undefined ? tokenScheme(schemes) : from;
  const found = flow === undefined ? operationNamed(root, from) : undefined;
  if (scheme === undefined || (flow === undefined && found === undefined)) throw noSource(converted, from);
  const own = ((root.components as Json).securitySchemes as Record<string, Json>)[scheme] as Json;
  const key = own["x-configuration"];
  delete own["x-configuration"];
  own["x-prefix"] = /^apiKey$/.test(String(schemes[scheme]?.type)) ? "" : "Bearer ";
  const added =
    flow === undefined
      ? asLogIn(root, found as Json, service)
      : asGrant(own, atServer(root, String(flow.tokenUrl), base), flow, service);
  return { ...converted, settings: [...settings.filter(({ name }) => name !== key), ...added] };
};

const noSource = ({ operations, schemes }: Converted, from: string): ConfigurationError => {
  const flows = Object.keys(schemes).filter((name) => clientCredentialsOf(schemes[name] ?? {}) !== undefined);
  const names = [...operations.map(({ operationId }) => operationId), ...flows];
  return new ConfigurationError(
    names.includes(from)
      ? `--token-from ${from}: the document names no header for a token.`
      : `--token-from: there is no log-in operation, and no scheme with client credentials, named "${from}".${didYouMean(from, names)}`,
  );
};

const operationNamed = ({ paths }: Json, id: string): Json | undefined =>
  Object.values(paths as Json)
    .flatMap((item) => Object.values(item as Json))
    .find((one): one is Json => isObject(one) && one.operationId === id);

/** Returns the first scheme whose header has a token. */
const tokenScheme = (schemes: Converted["schemes"]): string | undefined =>
  Object.entries(schemes).find(
    ([, { type, scheme, in: place, name }]) =>
      type === "oauth2" ||
      type === "openIdConnect" ||
      (type === "http" && /^bearer$/i.test(String(scheme))) ||
      (type === "apiKey" && place === "header" && /token|authorization/i.test(String(name))),
  )?.[0];

const clientCredentialsOf = ({ type, flows }: Json): Json | undefined =>
  type === "oauth2"
    ? ((flows as Record<string, Json> | undefined)?.clientCredentials as Json | undefined)
    : undefined;

/** Gives a scheme the settings of a client. */
const asGrant = (scheme: Json, address: string, flow: Json, service: string): DocumentSetting[] => {
  const name = (words: string) => settingName(service, words);
  const grant = { address: name("token address"), id: name("client id"), secret: name("client secret") };
  scheme["x-grant"] = { ...grant, scope: Object.keys((flow.scopes ?? {}) as Json).join(" ") };
  return [
    { name: grant.address, meaning: "address of the token endpoint", value: address },
    { name: grant.id, meaning: "client_id of the client credentials", field: "client_id" },
    { name: grant.secret, meaning: "client_secret of the client credentials", field: "client_secret" },
  ];
};

/** Marks an operation as the log-in: its answer shows the token, and its body has the settings of the user. */
const asLogIn = (root: Json, operation: Json, service: string): DocumentSetting[] => {
  const schemas = schemasOf(root);
  const body = (operation.requestBody ?? {}) as Json;
  const content = (body.content ?? {}) as Record<string, Json>;
  const type = jsonTypeIn(Object.keys(content)) ?? Object.keys(content)[0] ?? "";
  const schema = (content[type]?.schema ?? {}) as JsonSchema;
  const fields = fieldsOf(schemas, schema);
  const properties = Object.fromEntries(fields.map((field) => [field, { "x-resource": resourceOf(field) }]));
  const own = fields.find((field) => !SECRET.test(field));
  operation["x-token"] = tokenPointer(schemas, successIn(operation.responses as Json).schema);
  operation["x-refusal-hazards"] = ["locks-account"];
  operation.requestBody = {
    ...body,
    content: { ...content, [type]: { ...content[type], schema: { allOf: [schema, { properties }] } } },
  };
  return fields.map((field) => ({
    name: settingName(service, resourceOf(field)),
    meaning: `${field} of the log-in`,
    resource: resourceOf(field),
    field,
    ...(field === own && { account: "own" as const }),
  }));
};

const resourceOf = (field: string): string => `log-in-${field.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;

const SECRET = /pass|secret|pin|code/i;

/** Returns the required fields of a body, or all if none is required. */
const fieldsOf = (schemas: Schemas, schema: unknown): string[] => {
  const parts = innerSchemas(schemas, schema).map(({ part }) => part);
  const isText = (name: string): boolean =>
    parts.some((part) => {
      const property = propertiesOf(part)[name] as JsonSchema | undefined;
      return property !== undefined && property.enum === undefined && property.const === undefined;
    });
  const required = [...new Set(parts.flatMap(requiredOf))].filter(isText);
  const all = [...new Set(parts.flatMap((part) => Object.keys(propertiesOf(part))))].filter(isText);
  return required.length > 0 ? required : all;
};

/** Returns the pointer of the token in an answer. Another place is found by the look of its value. */
const tokenPointer = (schemas: Schemas, schema: unknown): string => {
  const names = innerSchemas(schemas, schema).flatMap(({ name }) => name ?? []);
  const found = TOKEN_NAMES.map((pattern) => names.find((name) => pattern.test(name))).find(
    (name) => name !== undefined,
  );
  return `/${escapeSegment(found ?? "access_token")}`;
};

const TOKEN_NAMES = [/^access[_-]?token$/i, /^(auth|bearer|session|id)?[_-]?token$/i, /^jwt$/i, /token$/i];
