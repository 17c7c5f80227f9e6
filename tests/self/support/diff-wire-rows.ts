/** Rules of the diff about all that is no schema: a pair of documents each, and the class of the change. */
import type { RuleName } from "../../../helpers/diff/compare/rules.ts";
import type { EntryClass } from "../../../helpers/diff/entry.ts";
import { asRequest, asResponse, operation } from "./small-documents.ts";

type Json = Record<string, unknown>;

export interface WireRow {
  readonly about: string;
  readonly rule: RuleName;
  readonly old: Json;
  readonly new: Json;
  readonly class: EntryClass;
  /** The other way round. */
  readonly back: EntryClass;
}

const row = (
  about: string,
  rule: RuleName,
  old: Json,
  fresh: Json,
  is: EntryClass,
  back: EntryClass,
): WireRow => ({
  about,
  rule,
  old,
  new: fresh,
  class: is,
  back,
});

const string = { type: "string" };
const query = (schema: unknown, more: Json = {}): Json =>
  operation({ parameters: [{ name: "limit", in: "query", schema, ...more }] });
const json = (schema: unknown) => ({ "application/json": { schema } });
const answering = (responses: Json): Json => operation({ responses });
const ok = (more: Json = {}): Json => answering({ "200": { description: "ok", ...more } });
const secured = (security: unknown, schemes: Json = SCHEMES()): Json =>
  operation({ security }, { components: { securitySchemes: schemes } });

function SCHEMES(): Json {
  return {
    key: { type: "apiKey", in: "header", name: "X-Key" },
    token: { type: "http", scheme: "bearer" },
    login: {
      type: "oauth2",
      flows: { clientCredentials: { tokenUrl: "https://example.com/a", scopes: { read: "", write: "" } } },
    },
  };
}

const called = (path: string, more: Json = {}): Json => ({
  paths: { [path]: { get: { operationId: "read", responses: { "200": { description: "ok" } }, ...more } } },
});
const hook = (schema: unknown, responses: Json = { "200": { description: "ok" } }): Json => ({
  webhooks: { paid: { post: { requestBody: { required: true, content: json(schema) }, responses } } },
});
const component = (name: string, schema: unknown): Json =>
  operation({}, { components: { schemas: { [name]: schema } } });

export const WIRE_ROWS: readonly WireRow[] = [
  row("goes or comes", "operation", called("/a"), { paths: {} }, "breaking", "compatible"),
  row("moves to another path", "path", called("/a"), called("/b"), "breaking", "breaking"),
  row(
    "has another name",
    "operationId",
    called("/a"),
    called("/a", { operationId: "get" }),
    "compatible",
    "compatible",
  ),
  row(
    "is going to go",
    "operation.deprecated",
    called("/a"),
    called("/a", { deprecated: true }),
    "compatible",
    "compatible",
  ),
  row(
    "states another limit",
    "limit",
    called("/a", { "x-rate-limit": 9 }),
    called("/a", { "x-rate-limit": 2 }),
    "undecided",
    "undecided",
  ),
  row(
    "is served elsewhere",
    "server",
    called("/a", { servers: [{ url: "https://a.example.com" }] }),
    called("/a", { servers: [{ url: "https://b.example.com" }] }),
    "breaking",
    "breaking",
  ),
  row("an optional one comes", "parameter", operation({}), query(string), "compatible", "undecided"),
  row(
    "a required one comes",
    "parameter",
    operation({}),
    query(string, { required: true }),
    "breaking",
    "undecided",
  ),
  row(
    "becomes required",
    "parameter.required",
    query(string),
    query(string, { required: true }),
    "breaking",
    "compatible",
  ),
  row(
    "moves",
    "parameter.in",
    query(string),
    operation({ parameters: [{ name: "limit", in: "header", schema: string }] }),
    "undecided",
    "undecided",
  ),
  row(
    "moves and is required",
    "parameter.in",
    query(string, { required: true }),
    operation({ parameters: [{ name: "limit", in: "header", required: true, schema: string }] }),
    "breaking",
    "breaking",
  ),
  row(
    "is written another way",
    "parameter.style",
    query({ type: "array", items: { type: "integer" } }),
    query({ type: "array", items: { type: "integer" } }, { explode: false }),
    "undecided",
    "breaking",
  ),
  row(
    "is going to go",
    "parameter.deprecated",
    query(string),
    query(string, { deprecated: true }),
    "compatible",
    "compatible",
  ),
  row(
    "has a narrower schema",
    "maximum",
    query({ type: "integer" }),
    query({ type: "integer", maximum: 9 }),
    "breaking",
    "compatible",
  ),
  row(
    "is a text on the wire, whatever its type",
    "type",
    query({ type: "integer" }),
    query(string),
    "compatible",
    "breaking",
  ),
  row("a required one comes", "body", operation({}), asRequest(string), "breaking", "undecided"),
  row(
    "becomes required",
    "body.required",
    operation({ requestBody: { content: json(string) } }),
    asRequest(string),
    "breaking",
    "compatible",
  ),
  row(
    "goes or comes",
    "request.mediaType",
    operation({ requestBody: { content: { ...json({}), "text/csv": {} } } }),
    operation({ requestBody: { content: json({}) } }),
    "breaking",
    "compatible",
  ),
  row(
    "comes or goes",
    "status",
    ok(),
    answering({ "200": { description: "ok" }, "409": { description: "twice" } }),
    "breaking",
    "compatible",
  ),
  row(
    "that a range takes in is none",
    "status",
    answering({ "2XX": { description: "ok" } }),
    answering({ "2XX": { description: "ok" }, "201": { description: "ok" } }),
    "compatible",
    "compatible",
  ),
  row(
    "goes or comes",
    "response.mediaType",
    ok({ content: { ...json({}), "text/csv": {} } }),
    ok({ content: json({}) }),
    "undecided",
    "breaking",
  ),
  row("goes or comes", "response.content", asResponse(string), ok(), "breaking", "compatible"),
  row(
    "comes or goes",
    "header",
    ok(),
    ok({ headers: { "X-Page": { schema: string } } }),
    "compatible",
    "undecided",
  ),
  row(
    "a required one goes or comes",
    "header",
    ok({ headers: { "X-Page": { required: true, schema: string } } }),
    ok(),
    "breaking",
    "compatible",
  ),
  row(
    "need not be there any more",
    "header.required",
    ok({ headers: { "X-Page": { required: true, schema: string } } }),
    ok({ headers: { "x-page": { schema: string } } }),
    "breaking",
    "compatible",
  ),
  row(
    "has a wider schema",
    "value",
    ok({ headers: { "X-Page": { schema: { enum: ["a"] } } } }),
    ok({ headers: { "X-Page": { schema: { enum: ["a", "b"] } } } }),
    "breaking",
    "compatible",
  ),
  row(
    "an alternative goes",
    "credentials",
    secured([{ key: [] }, { token: [] }]),
    secured([{ key: [] }]),
    "breaking",
    "compatible",
  ),
  row(
    "more are needed",
    "credentials",
    secured([{ key: [] }]),
    secured([{ key: [], token: [] }]),
    "breaking",
    "compatible",
  ),
  row(
    "another scope is needed",
    "credentials",
    secured([{ login: ["read"] }]),
    secured([{ login: ["read", "write"] }]),
    "breaking",
    "compatible",
  ),
  row(
    "another header is needed",
    "credentials",
    secured([{ key: [] }]),
    secured([{ key: [] }], { key: { type: "apiKey", in: "header", name: "X-Other" } }),
    "breaking",
    "breaking",
  ),
  row(
    "are got elsewhere",
    "securityScheme",
    secured([{ login: [] }]),
    secured([{ login: [] }], { login: { type: "oauth2", flows: {} } }),
    "undecided",
    "undecided",
  ),
  row("comes or goes", "delivery", {}, hook(string), "undecided", "undecided"),
  row(
    "sends more values",
    "value",
    hook({ enum: ["a"] }),
    hook({ enum: ["a", "b"] }),
    "breaking",
    "compatible",
  ),
  row(
    "takes fewer answers of the listener",
    "status",
    hook(string, { "200": { description: "ok" }, "202": { description: "later" } }),
    hook(string),
    "breaking",
    "compatible",
  ),
  row(
    "that nobody uses",
    "component",
    component("Spare", string),
    component("Other", string),
    "compatible",
    "compatible",
  ),
  row(
    "that lists its values",
    "discriminator",
    asRequest(pets({ cat: "Cat", dog: "Dog" }), PETS()),
    asRequest(pets({ cat: "Cat", hound: "Dog" }), PETS()),
    "breaking",
    "breaking",
  ),
];

function pets(mapping: Record<string, string>) {
  const refs = ["Cat", "Dog"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const targets = Object.entries(mapping).map(([value, name]) => [value, `#/components/schemas/${name}`]);
  return { oneOf: refs, discriminator: { propertyName: "kind", mapping: Object.fromEntries(targets) } };
}

function PETS(): Json {
  const pet = { type: "object", properties: { kind: string } };
  return { components: { schemas: { Cat: pet, Dog: { ...pet, maxProperties: 9 } } } };
}
