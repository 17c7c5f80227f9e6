/** Mutations of parameters and request bodies, and of deliveries, whose bodies the service sends. */
import { operation } from "../small-documents.ts";
import { BOTH, type Json, ONLY_31, type WireLine, type WireMutation, wireMutations } from "./mutation.ts";

const text = { type: "string" };
const integer = { type: "integer" };
const texts = { type: "array", items: text };
const integers = { type: "array", items: integer };
const point = { type: "object", properties: { x: integer, y: integer }, required: ["x", "y"] };
const json = (schema: unknown) => ({ "application/json": { schema } });
const ok = { responses: { "200": { description: "ok" } } };

const parameter = (schema: unknown, more: Json = {}): Json =>
  operation({ parameters: [{ name: "limit", in: "query", schema, ...more }] });
const body = (schema: unknown, more: Json = {}): Json =>
  operation({ requestBody: { content: json(schema), ...more } });
const parts = (contentType: string): Json => ({
  "multipart/form-data": {
    schema: { type: "object", properties: { file: text } },
    encoding: { file: { contentType } },
  },
});
const discriminated = (propertyName: string): Json =>
  body({ type: "object", discriminator: { propertyName } }, { required: true });

const PARAMETERS: readonly WireLine[] = [
  ["a parameter moves", "parameter.in", "UU", parameter(text), parameter(text, { in: "header" })],
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
  [
    "a part of a body is encoded in another way",
    "encoding",
    "UU",
    operation({ requestBody: { content: parts("text/plain") } }),
    operation({ requestBody: { content: parts("image/png") } }),
  ],
  [
    "a discriminator without alternatives",
    "discriminator.alone",
    "UU",
    discriminated("kind"),
    discriminated("type"),
  ],
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
  ...[...PARAMETERS, ...BODIES].map(wireMutations(BOTH)),
  ...WEBHOOKS.map(wireMutations(ONLY_31)),
];
