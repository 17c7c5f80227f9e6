/** Mutations of operations, parameters and request bodies. */
import { operation } from "../small-documents.ts";
import { BOTH, type Json, ONLY_31, type WireLine, type WireMutation, wireMutations } from "./mutation.ts";

const text = { type: "string" };
const integer = { type: "integer" };
const texts = { type: "array", items: text };
const integers = { type: "array", items: integer };
const point = { type: "object", properties: { x: integer, y: integer }, required: ["x", "y"] };
const json = (schema: unknown) => ({ "application/json": { schema } });
const ok = { responses: { "200": { description: "ok" } } };

const called = (path: string, more: Json = {}): Json => ({
  paths: { [path]: { get: { operationId: "read", ...ok, ...more } } },
});
const parameter = (schema: unknown, more: Json = {}): Json =>
  operation({ parameters: [{ name: "limit", in: "query", schema, ...more }] });
const body = (schema: unknown, more: Json = {}): Json =>
  operation({ requestBody: { content: json(schema), ...more } });
const inPath = (name: string, schema: unknown): Json =>
  called(`/things/{${name}}`, { parameters: [{ name, in: "path", required: true, schema }] });
const parts = (contentType: string): Json => ({
  "multipart/form-data": {
    schema: { type: "object", properties: { file: text } },
    encoding: { file: { contentType } },
  },
});
const served = (region: string): Json => ({
  ...operation({}),
  servers: [
    { url: "https://{region}.example.com", variables: { region: { enum: ["eu", "us"], default: region } } },
  ],
});
const versioned = (version: string): Json => ({ ...operation({}), info: { title: "Small", version } });
const secured = (security: unknown, scheme: Json = {}, name = "key"): Json => ({
  ...operation({ security }),
  components: {
    securitySchemes: {
      [name]: { type: "apiKey", in: "header", name: "X-Key", ...scheme },
      token: { type: "http", scheme: "bearer" },
    },
  },
});

const login = (flows: Json, ...scopes: readonly string[]): Json => ({
  ...operation({ security: [{ login: scopes }] }),
  components: { securitySchemes: { login: { type: "oauth2", flows } } },
});
const flows = { clientCredentials: { tokenUrl: "https://example.com/a", scopes: { read: "", write: "" } } };
const spare = (name: string): Json => ({ ...operation({}), components: { schemas: { [name]: text } } });
const discriminated = (propertyName: string): Json =>
  body({ type: "object", discriminator: { propertyName } }, { required: true });

const OPERATIONS: readonly WireLine[] = [
  ["an operation is removed", "operation", "BC", called("/a"), { paths: {} }],
  ["a deprecated operation is removed", "operation", "BC", called("/a", { deprecated: true }), { paths: {} }],
  [
    "an operation is removed after its sunset",
    "operation",
    "CC",
    called("/a", { deprecated: true, "x-sunset": "2020-01-31" }),
    { paths: {} },
  ],
  [
    "an operation is removed before its sunset",
    "operation",
    "BC",
    called("/a", { deprecated: true, "x-sunset": "2999-01-31" }),
    { paths: {} },
  ],
  [
    "a deprecated operation gets a day of its end",
    "sunset",
    "CU",
    called("/a", { deprecated: true }),
    called("/a", { deprecated: true, "x-sunset": "2999-12-31" }),
  ],
  [
    "the end of an operation is earlier",
    "sunset sunset.earlier",
    "UC",
    called("/a", { deprecated: true, "x-sunset": "2999-12-31" }),
    called("/a", { deprecated: true, "x-sunset": "2999-01-31" }),
  ],
  [
    "an operation gets another stability level",
    "stability",
    "CC",
    called("/a", { "x-stability-level": "beta" }),
    called("/a", { "x-stability-level": "stable" }),
  ],
  [
    "an operation gets other tags",
    "tags",
    "CC",
    called("/a", { tags: ["a"] }),
    called("/a", { tags: ["b"] }),
  ],
  [
    "a part of a body is encoded in another way",
    "encoding",
    "UU",
    operation({ requestBody: { content: parts("text/plain") } }),
    operation({ requestBody: { content: parts("image/png") } }),
  ],
  ["the default of a server's variable changes", "server.variables", "UU", served("eu"), served("us")],
  ["a version goes down", "version", "C-", versioned("1.10.0"), versioned("1.9.0")],
  [
    "a scheme of credentials becomes one of another kind",
    "securityScheme",
    "UU",
    login(flows),
    secured([{ login: [] }], { type: "openIdConnect", openIdConnectUrl: "https://example.com/b" }, "login"),
  ],
  ["a segment of a path becomes a parameter", "path", "CB", called("/things/now"), inPath("id", text)],
  [
    "a segment of a path becomes a parameter of another type",
    "path",
    "BB",
    called("/things/now"),
    inPath("id", integer),
  ],
  [
    "an operation is deprecated",
    "operation.deprecated",
    "CC",
    called("/a"),
    called("/a", { deprecated: true }),
  ],
  ["an operation moves", "path", "BB", called("/a"), called("/b")],
  ["an operation gets another name", "operationId", "CC", called("/a"), called("/a", { operationId: "get" })],
  ["a path parameter gets another name", "none", "--", inPath("a", text), inPath("b", text)],
  ["a path parameter is narrower", "type", "BC", inPath("a", text), inPath("a", integer)],
  [
    "a server changes",
    "server",
    "BB",
    called("/a", { servers: [{ url: "https://a.example.com" }] }),
    called("/a", { servers: [{ url: "https://b.example.com" }] }),
  ],
  ["credentials are required", "credentials", "BC", secured([]), secured([{ key: [] }])],
  [
    "an alternative of credentials is removed",
    "credentials",
    "BC",
    secured([{ key: [] }, { token: [] }]),
    secured([{ key: [] }]),
  ],
  [
    "a key moves",
    "credentials",
    "BB",
    secured([{ key: [] }]),
    secured([{ key: [] }], { in: "query", name: "key" }),
  ],
  [
    "an operation states another limit",
    "limit",
    "UU",
    called("/a", { "x-rate-limit": 9 }),
    called("/a", { "x-rate-limit": 2 }),
  ],
  ["credentials come from another address", "securityScheme", "UU", login(flows), login({})],
  ["another scope is required", "credentials", "BC", login(flows, "read"), login(flows, "read", "write")],
  ["an unused component", "component", "CC", spare("Spare"), spare("Other")],
  [
    "a discriminator without alternatives",
    "discriminator.alone",
    "UU",
    discriminated("kind"),
    discriminated("type"),
  ],
  ["a parameter moves", "parameter.in", "UU", parameter(text), parameter(text, { in: "header" })],
];

const PARAMETERS: readonly WireLine[] = [
  ["an optional parameter is added", "parameter", "CU", operation({}), parameter(text)],
  ["a required parameter is added", "parameter", "BU", operation({}), parameter(text, { required: true })],
  [
    "a parameter is removed after its sunset",
    "parameter",
    "CC",
    parameter(text, { deprecated: true, "x-sunset": "2020-01-31" }),
    operation({}),
  ],
  [
    "a parameter becomes required",
    "parameter.required",
    "BC",
    parameter(text),
    parameter(text, { required: true }),
  ],
  [
    "a parameter is deprecated",
    "parameter.deprecated",
    "CC",
    parameter(text),
    parameter(text, { deprecated: true }),
  ],
  [
    "a required parameter moves",
    "parameter.in",
    "BB",
    parameter(text, { required: true }),
    parameter(text, { in: "header", required: true }),
  ],
  [
    "empty values of a number",
    "parameter.allowEmptyValue",
    "BC",
    parameter(integer, { allowEmptyValue: true }),
    parameter(integer),
  ],
  [
    "empty values of a text",
    "parameter.allowEmptyValue",
    "CC",
    parameter(text, { allowEmptyValue: true }),
    parameter(text),
  ],
  [
    "empty values of a text with a minimum length",
    "parameter.allowEmptyValue",
    "BC",
    parameter({ ...text, minLength: 1 }, { allowEmptyValue: true }),
    parameter({ ...text, minLength: 1 }),
  ],
  [
    "numbers are no longer repeated",
    "parameter.style",
    "BB",
    parameter(integers),
    parameter(integers, { explode: false }),
  ],
  [
    "texts are no longer repeated",
    "parameter.style",
    "BB",
    parameter(texts),
    parameter(texts, { explode: false }),
  ],
  [
    "an object is no longer exploded",
    "parameter.style",
    "BB",
    parameter(point),
    parameter(point, { explode: false }),
  ],
  [
    "another separator",
    "parameter.style",
    "BB",
    parameter(texts, { explode: false }),
    parameter(texts, { explode: false, style: "pipeDelimited" }),
  ],
  ["a deep object", "parameter.style", "BB", parameter(point), parameter(point, { style: "deepObject" })],
  ["explode has no effect on a text", "none", "--", parameter(text), parameter(text, { explode: false })],
  ["an array becomes a text", "type", "BC", parameter(texts), parameter(text)],
  [
    "an array in one text becomes a text",
    "type",
    "CB",
    parameter(integers, { explode: false }),
    parameter(text, { explode: false }),
  ],
  [
    "reserved characters",
    "parameter.allowReserved",
    "UC",
    parameter(text, { allowReserved: true }),
    parameter(text),
  ],
  [
    "a header becomes required",
    "parameter.required",
    "BC",
    parameter(text, { in: "header" }),
    parameter(text, { in: "header", required: true }),
  ],
  [
    "a cookie is narrower",
    "type",
    "BC",
    parameter(text, { in: "cookie" }),
    parameter(integer, { in: "cookie" }),
  ],
];

const BODIES: readonly WireLine[] = [
  ["an optional body is added", "body", "CU", operation({}), body(text)],
  ["a required body is added", "body", "BU", operation({}), body(text, { required: true })],
  ["a body becomes required", "body.required", "BC", body(text), body(text, { required: true })],
  [
    "a media type is removed",
    "request.mediaType",
    "BC",
    body(text, { content: { ...json(text), "text/csv": {} } }),
    body(text),
  ],
  [
    "a media type is replaced",
    "request.mediaType",
    "BB",
    body(text),
    body(text, { content: { "text/plain": { schema: text } } }),
  ],
  [
    "a media type gets a parameter",
    "none",
    "--",
    body(text),
    body(text, { content: { "application/json; charset=utf-8": { schema: text } } }),
  ],
];

const WEBHOOKS: readonly WireLine[] = [
  ["a delivery is added", "delivery", "UU", {}, webhook(text)],
  ["a delivery sends more", "value", "BC", webhook({ enum: ["a"] }), webhook({ enum: ["a", "b"] })],
  [
    "a delivery has more properties",
    "property",
    "CU",
    webhook(point),
    webhook({ ...point, properties: { ...point.properties, z: text } }),
  ],
];

function webhook(schema: unknown): Json {
  return { webhooks: { paid: { post: { requestBody: { required: true, content: json(schema) }, ...ok } } } };
}

export const REQUEST_MUTATIONS: readonly WireMutation[] = [
  ...[...OPERATIONS, ...PARAMETERS, ...BODIES].map(wireMutations(BOTH)),
  ...WEBHOOKS.map(wireMutations(ONLY_31)),
];
