/** Diff rules for requests: parameters and bodies. */

import { asRequest, operation } from "../small-documents.ts";
import { type Json, json, string, type WireRow, wireRow } from "./rows.ts";

const query = (schema: unknown, more: Json = {}): Json =>
  operation({ parameters: [{ name: "limit", in: "query", schema, ...more }] });

export const REQUEST_ROWS: readonly WireRow[] = [
  wireRow("an optional one is added", "parameter", operation({}), query(string), "compatible", "undecided"),
  wireRow(
    "a required one is added",
    "parameter",
    operation({}),
    query(string, { required: true }),
    "breaking",
    "undecided",
  ),
  wireRow(
    "becomes required",
    "parameter.required",
    query(string),
    query(string, { required: true }),
    "breaking",
    "compatible",
  ),
  wireRow(
    "moves",
    "parameter.in",
    query(string),
    operation({ parameters: [{ name: "limit", in: "header", schema: string }] }),
    "undecided",
    "undecided",
  ),
  wireRow(
    "moves and is required",
    "parameter.in",
    query(string, { required: true }),
    operation({ parameters: [{ name: "limit", in: "header", required: true, schema: string }] }),
    "breaking",
    "breaking",
  ),
  wireRow(
    "has another serialization",
    "parameter.style",
    query({ type: "array", items: { type: "integer" } }),
    query({ type: "array", items: { type: "integer" } }, { explode: false }),
    "breaking",
    "breaking",
  ),
  wireRow(
    "no longer allows empty values",
    "parameter.allowEmptyValue",
    query({ type: "integer" }, { allowEmptyValue: true }),
    query({ type: "integer" }),
    "breaking",
    "compatible",
  ),
  wireRow(
    "no longer allows reserved characters",
    "parameter.allowReserved",
    query(string, { allowReserved: true }),
    query(string),
    "undecided",
    "compatible",
  ),
  wireRow(
    "becomes deprecated",
    "parameter.deprecated",
    query(string),
    query(string, { deprecated: true }),
    "compatible",
    "compatible",
  ),
  wireRow(
    "has a narrower schema",
    "maximum",
    query({ type: "integer" }),
    query({ type: "integer", maximum: 9 }),
    "breaking",
    "compatible",
  ),
  wireRow(
    "is a text on the wire, with any type",
    "type",
    query({ type: "integer" }),
    query(string),
    "compatible",
    "breaking",
  ),
  wireRow("a required one is added", "body", operation({}), asRequest(string), "breaking", "undecided"),
  wireRow(
    "becomes required",
    "body.required",
    operation({ requestBody: { content: json(string) } }),
    asRequest(string),
    "breaking",
    "compatible",
  ),
  wireRow(
    "is removed or added",
    "request.mediaType",
    operation({ requestBody: { content: { ...json({}), "text/csv": {} } } }),
    operation({ requestBody: { content: json({}) } }),
    "breaking",
    "compatible",
  ),
];
