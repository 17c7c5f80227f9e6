/** Where the access token of the key `token-from` comes from: a log-in operation of the document, or client credentials. */
import type { JsonSchema, Schemas } from "../../../helpers/contract/contract.ts";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { jsonTypeIn } from "../../../helpers/contract/media-type.ts";
import { didYouMean } from "../../../helpers/contract/nearest.ts";
import { escapeSegment } from "../../../helpers/contract/pointer.ts";
import { innerSchemas, propertiesOf, requiredOf } from "../../../helpers/contract/schemas/schema-visitor.ts";
import { successIn } from "../../../helpers/contract/statuses.ts";
import { ConfigurationError } from "../../../helpers/target/load-target.ts";
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
    flow === undefined ? asLogIn(root, found as Json, service) : asGrant(root, own, flow, service, base);
  return { ...converted, settings: [...settings.filter(({ name }) => name !== key), ...added] };
};

const noSource = ({ operations, schemes }: Converted, from: string): ConfigurationError => {
  const flows = Object.keys(schemes).filter((name) => clientCredentialsOf(schemes[name] ?? {}) !== undefined);
  const names = [...operations.map(({ operationId }) => operationId), ...flows];
  return new ConfigurationError(
    names.includes(from)
      ? `token-from ${from}: the document names no header for a token.`
      : `token-from: there is no log-in operation, and no scheme with client credentials, named "${from}".${didYouMean(from, names)}`,
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

/** Gives a scheme the settings of a client, and its token endpoint the same client if the document describes it. */
const asGrant = (
  root: Json,
  scheme: Json,
  { tokenUrl, scopes }: Json,
  service: string,
  base: string,
): DocumentSetting[] => {
  const name = (words: string) => settingName(service, words);
  const grant = { address: name("token address"), id: name("client id"), secret: name("client secret") };
  const scope = Object.keys((scopes ?? {}) as Json).join(" ");
  scheme["x-grant"] = { ...grant, scope };
  const address = String(tokenUrl);
  const [, item] =
    Object.entries(root.paths as Record<string, Json>).find(([path]) => `/${address}`.endsWith(path)) ?? [];
  const named = isObject(item?.post) ? nameClient(schemasOf(root), item.post) : [];
  const [id, secret, scoped] = CLIENT.map((field) => ({
    field,
    ...(named.includes(field) && { resource: resourceOf(field) }),
  }));
  const all: DocumentSetting[] = [
    { name: grant.address, meaning: "address of the token endpoint", value: atServer(root, address, base) },
    { name: grant.id, meaning: "client_id of the client credentials", ...id },
    { name: grant.secret, meaning: "client_secret of the client credentials", ...secret },
    { name: name("scope"), meaning: "scope of the client credentials", value: scope, ...scoped },
  ];
  return all.filter(({ value }) => value !== "");
};

/** The fields of a request for a token that the server knows (RFC 6749, 2.3.1 and 3.3). */
const CLIENT = ["client_id", "client_secret", "scope"];

/**
 * Lets each request to a token endpoint state the given client: an unknown one is refused in every request.
 * @returns the fields of the client that a request has
 */
const nameClient = (schemas: Schemas, operation: Json): string[] => {
  const { content = {} } = (operation.requestBody ?? {}) as { content?: Record<string, Json> };
  return Object.values(content).flatMap((media) => {
    const known = innerSchemas(schemas, media.schema).flatMap(({ name = [] }) => name);
    const fields = CLIENT.filter((field) => known.includes(field));
    const properties = Object.fromEntries(
      fields.map((field) => [field, { "x-resource": resourceOf(field) }]),
    );
    const required = fields.filter((field) => field !== "scope");
    media.schema = { allOf: [media.schema ?? {}, { properties, "x-assumed": { required } }] };
    return fields;
  });
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
  delete operation["x-hazards"];
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
