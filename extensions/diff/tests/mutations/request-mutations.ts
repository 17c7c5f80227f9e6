/** Mutations of parameters and request bodies, and of deliveries, whose bodies the service sends. */
import { operation } from "../small-documents.ts";
import {
  BOTH,
  completed,
  type Json,
  ONLY_31,
  type WireLine,
  type WireMutation,
  wireMutations,
} from "./mutation.ts";

const text = { type: "string" };
const integer = { type: "integer" };
const texts = { type: "array", items: text };
const integers = { type: "array", items: integer };
const point = { type: "object", properties: { x: integer, y: integer }, required: ["x", "y"] };
const space = { ...point, properties: { ...point.properties, z: text } };
const json = (schema: unknown) => ({ "application/json": { schema } });
const typed = (type: string) => ({ [type]: { schema: text } });
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
const required = { required: true };
const over = { deprecated: true, "x-sunset": "2020-01-31" };
const inHeader = { in: "header" };
const allowEmpty = { allowEmptyValue: true };
const inOneText = { explode: false };

const PARAMETERS: readonly WireLine[] = [
  ["an optional parameter is added", "parameter", "CU", operation({}), parameter(text)],
  ["a required parameter is added", "parameter", "BU", operation({}), parameter(text, required)],
  ["a parameter is removed after its sunset", "parameter", "CC", parameter(text, over), operation({})],
  ...completed((more: Json) => parameter(text, more))([
    ["a parameter moves", "parameter.in", "UU", {}, inHeader],
    ["a parameter becomes required", "parameter.required", "BC", {}, required],
    ["a parameter is deprecated", "parameter.deprecated", "CC", {}, { deprecated: true }],
    ["a required parameter moves", "parameter.in", "BB", required, { ...inHeader, ...required }],
    ["empty values of a text", "parameter.allowEmptyValue", "CC", allowEmpty, {}],
    ["explode has no effect on a text", "none", "--", {}, inOneText],
    ["reserved characters", "parameter.allowReserved", "UC", { allowReserved: true }, {}],
    ["a header becomes required", "parameter.required", "BC", inHeader, { ...inHeader, ...required }],
  ]),
  ...completed((more: Json) => parameter(integer, more))([
    ["empty values of a number", "parameter.allowEmptyValue", "BC", allowEmpty, {}],
  ]),
  ...completed((more: Json) => parameter({ ...text, minLength: 1 }, more))([
    ["empty values of a text with a minimum length", "parameter.allowEmptyValue", "BC", allowEmpty, {}],
  ]),
  ...completed((more: Json) => parameter(integers, more))([
    ["numbers are no longer repeated", "parameter.style", "BB", {}, inOneText],
  ]),
  ...completed((more: Json) => parameter(texts, more))([
    ["texts are no longer repeated", "parameter.style", "BB", {}, inOneText],
    ["another separator", "parameter.style", "BB", inOneText, { ...inOneText, style: "pipeDelimited" }],
  ]),
  ...completed((more: Json) => parameter(point, more))([
    ["an object is no longer exploded", "parameter.style", "BB", {}, inOneText],
    ["a deep object", "parameter.style", "BB", {}, { style: "deepObject" }],
  ]),
  ["an array becomes a text", "type", "BC", parameter(texts), parameter(text)],
  ...completed((schema: Json) => parameter(schema, inOneText))([
    ["an array in one text becomes a text", "type", "CB", integers, text],
  ]),
  ...completed((schema: Json) => parameter(schema, { in: "cookie" }))([
    ["a cookie is narrower", "type", "BC", text, integer],
  ]),
];

const BODIES: readonly WireLine[] = [
  ...completed((type: string) => operation({ requestBody: { content: parts(type) } }))([
    ["a part of a body is encoded in another way", "encoding", "UU", "text/plain", "image/png"],
  ]),
  ...completed(discriminated)([
    ["a discriminator without alternatives", "discriminator.alone", "UU", "kind", "type"],
  ]),
  ["an optional body is added", "body", "CU", operation({}), body(text)],
  ["a required body is added", "body", "BU", operation({}), body(text, required)],
  ["a body becomes required", "body.required", "BC", body(text), body(text, required)],
  ...completed((content: Json) => body(text, { content }))([
    ["a media type is removed", "request.mediaType", "BC", { ...json(text), "text/csv": {} }, json(text)],
    ["a media type is replaced", "request.mediaType", "BB", json(text), typed("text/plain")],
    ["a media type gets a parameter", "none", "--", json(text), typed("application/json; charset=utf-8")],
  ]),
];

const WEBHOOKS: readonly WireLine[] = [
  ["a delivery is added", "delivery", "UU", {}, webhook(text)],
  ["a delivery sends more", "value", "BC", webhook({ enum: ["a"] }), webhook({ enum: ["a", "b"] })],
  ["a delivery has more properties", "property", "CU", webhook(point), webhook(space)],
];

function webhook(schema: unknown): Json {
  return { webhooks: { paid: { post: { requestBody: { required: true, content: json(schema) }, ...ok } } } };
}

export const REQUEST_MUTATIONS: readonly WireMutation[] = [
  ...[...PARAMETERS, ...BODIES].map(wireMutations(BOTH)),
  ...WEBHOOKS.map(wireMutations(ONLY_31)),
];
