/** Diff rules for operations: their paths, their security, and the operations that the service calls itself. */

import { operation } from "../small-documents.ts";
import { type Json, json, string, type WireRow, wireRow } from "./rows.ts";

const called = (path: string, more: Json = {}): Json => ({
  paths: { [path]: { get: { operationId: "read", responses: { "200": { description: "ok" } }, ...more } } },
});
const hook = (schema: unknown, responses: Json = { "200": { description: "ok" } }): Json => ({
  webhooks: { paid: { post: { requestBody: { required: true, content: json(schema) }, responses } } },
});
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

export const OPERATION_ROWS: readonly WireRow[] = [
  wireRow("is removed or added", "operation", called("/a"), { paths: {} }, "breaking", "compatible"),
  wireRow("moves to another path", "path", called("/a"), called("/b"), "breaking", "breaking"),
  wireRow(
    "has another name",
    "operationId",
    called("/a"),
    called("/a", { operationId: "get" }),
    "compatible",
    "compatible",
  ),
  wireRow(
    "becomes deprecated",
    "operation.deprecated",
    called("/a"),
    called("/a", { deprecated: true }),
    "compatible",
    "compatible",
  ),
  wireRow(
    "states another limit",
    "limit",
    called("/a", { "x-rate-limit": 9 }),
    called("/a", { "x-rate-limit": 2 }),
    "undecided",
    "undecided",
  ),
  wireRow(
    "is served elsewhere",
    "server",
    called("/a", { servers: [{ url: "https://a.example.com" }] }),
    called("/a", { servers: [{ url: "https://b.example.com" }] }),
    "breaking",
    "breaking",
  ),
  wireRow(
    "an alternative is removed",
    "credentials",
    secured([{ key: [] }, { token: [] }]),
    secured([{ key: [] }]),
    "breaking",
    "compatible",
  ),
  wireRow(
    "more are required",
    "credentials",
    secured([{ key: [] }]),
    secured([{ key: [], token: [] }]),
    "breaking",
    "compatible",
  ),
  wireRow(
    "another scope is required",
    "credentials",
    secured([{ login: ["read"] }]),
    secured([{ login: ["read", "write"] }]),
    "breaking",
    "compatible",
  ),
  wireRow(
    "another header is required",
    "credentials",
    secured([{ key: [] }]),
    secured([{ key: [] }], { key: { type: "apiKey", in: "header", name: "X-Other" } }),
    "breaking",
    "breaking",
  ),
  wireRow(
    "come from another address",
    "securityScheme",
    secured([{ login: [] }]),
    secured([{ login: [] }], { login: { type: "oauth2", flows: {} } }),
    "undecided",
    "undecided",
  ),
  wireRow("is added or removed", "delivery", {}, hook(string), "undecided", "undecided"),
  wireRow(
    "sends more values",
    "value",
    hook({ enum: ["a"] }),
    hook({ enum: ["a", "b"] }),
    "breaking",
    "compatible",
  ),
  wireRow(
    "accepts fewer responses of the listener",
    "status",
    hook(string, { "200": { description: "ok" }, "202": { description: "later" } }),
    hook(string),
    "breaking",
    "compatible",
  ),
];
