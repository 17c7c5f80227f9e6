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
const secured = (security: unknown, scheme: Json = {}): Json => ({
  ...operation({ security }),
  components: {
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key", ...scheme },
      token: { type: "http", scheme: "bearer" },
    },
  },
});

const OPERATIONS: readonly WireLine[] = [
  ["an operation is removed", "BC", called("/a"), { paths: {} }],
  ["a deprecated operation is removed", "BC", called("/a", { deprecated: true }), { paths: {} }],
  [
    "an operation is removed after its sunset",
    "CC",
    called("/a", { deprecated: true, "x-sunset": "2020-01-31" }),
    { paths: {} },
  ],
  [
    "an operation is removed before its sunset",
    "BC",
    called("/a", { deprecated: true, "x-sunset": "2999-01-31" }),
    { paths: {} },
  ],
  ["an operation is deprecated", "CC", called("/a"), called("/a", { deprecated: true })],
  ["an operation moves", "BB", called("/a"), called("/b")],
  ["an operation gets another name", "CC", called("/a"), called("/a", { operationId: "get" })],
  ["a path parameter gets another name", "--", inPath("a", text), inPath("b", text)],
  ["a path parameter is narrower", "BC", inPath("a", text), inPath("a", integer)],
  [
    "a server changes",
    "BB",
    called("/a", { servers: [{ url: "https://a.example.com" }] }),
    called("/a", { servers: [{ url: "https://b.example.com" }] }),
  ],
  ["credentials are required", "BC", secured([]), secured([{ key: [] }])],
  [
    "an alternative of credentials is removed",
    "BC",
    secured([{ key: [] }, { token: [] }]),
    secured([{ key: [] }]),
  ],
  ["a key moves", "BB", secured([{ key: [] }]), secured([{ key: [] }], { in: "query", name: "key" })],
];

const PARAMETERS: readonly WireLine[] = [
  ["an optional parameter is added", "CU", operation({}), parameter(text)],
  ["a required parameter is added", "BU", operation({}), parameter(text, { required: true })],
  [
    "a parameter is removed after its sunset",
    "CC",
    parameter(text, { deprecated: true, "x-sunset": "2020-01-31" }),
    operation({}),
  ],
  ["a parameter becomes required", "BC", parameter(text), parameter(text, { required: true })],
  ["a parameter is deprecated", "CC", parameter(text), parameter(text, { deprecated: true })],
  [
    "a required parameter moves",
    "BB",
    parameter(text, { required: true }),
    parameter(text, { in: "header", required: true }),
  ],
  ["empty values of a number", "BC", parameter(integer, { allowEmptyValue: true }), parameter(integer)],
  ["empty values of a text", "CC", parameter(text, { allowEmptyValue: true }), parameter(text)],
  [
    "empty values of a text with a minimum length",
    "BC",
    parameter({ ...text, minLength: 1 }, { allowEmptyValue: true }),
    parameter({ ...text, minLength: 1 }),
  ],
  ["numbers are no longer repeated", "BB", parameter(integers), parameter(integers, { explode: false })],
  ["texts are no longer repeated", "BB", parameter(texts), parameter(texts, { explode: false })],
  ["an object is no longer exploded", "BB", parameter(point), parameter(point, { explode: false })],
  [
    "another separator",
    "BB",
    parameter(texts, { explode: false }),
    parameter(texts, { explode: false, style: "pipeDelimited" }),
  ],
  ["a deep object", "BB", parameter(point), parameter(point, { style: "deepObject" })],
  ["explode has no effect on a text", "--", parameter(text), parameter(text, { explode: false })],
  ["an array becomes a text", "BC", parameter(texts), parameter(text)],
  [
    "an array in one text becomes a text",
    "CB",
    parameter(integers, { explode: false }),
    parameter(text, { explode: false }),
  ],
  ["reserved characters", "UC", parameter(text, { allowReserved: true }), parameter(text)],
  [
    "a header becomes required",
    "BC",
    parameter(text, { in: "header" }),
    parameter(text, { in: "header", required: true }),
  ],
  ["a cookie is narrower", "BC", parameter(text, { in: "cookie" }), parameter(integer, { in: "cookie" })],
];

const BODIES: readonly WireLine[] = [
  ["an optional body is added", "CU", operation({}), body(text)],
  ["a required body is added", "BU", operation({}), body(text, { required: true })],
  ["a body becomes required", "BC", body(text), body(text, { required: true })],
  ["a media type is removed", "BC", body(text, { content: { ...json(text), "text/csv": {} } }), body(text)],
  ["a media type is replaced", "BB", body(text), body(text, { content: { "text/plain": { schema: text } } })],
  [
    "a media type gets a parameter",
    "--",
    body(text),
    body(text, { content: { "application/json; charset=utf-8": { schema: text } } }),
  ],
];

const WEBHOOKS: readonly WireLine[] = [
  ["a delivery is added", "UU", {}, webhook(text)],
  ["a delivery sends more", "BC", webhook({ enum: ["a"] }), webhook({ enum: ["a", "b"] })],
  [
    "a delivery has more properties",
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
