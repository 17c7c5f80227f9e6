/** Diff rules for responses: statuses, bodies and headers. */

import { asResponse, operation } from "../small-documents.ts";
import { type Json, json, string, type WireRow, wireRow } from "./rows.ts";

const answering = (responses: Json): Json => operation({ responses });
const ok = (more: Json = {}): Json => answering({ "200": { description: "ok", ...more } });

export const RESPONSE_ROWS: readonly WireRow[] = [
  wireRow(
    "an error is added or removed",
    "status",
    ok(),
    answering({ "200": { description: "ok" }, "409": { description: "twice" } }),
    "compatible",
    "compatible",
  ),
  wireRow(
    "a success is added or removed",
    "status",
    ok(),
    answering({ "200": { description: "ok" }, "202": { description: "later" } }),
    "breaking",
    "undecided",
  ),
  wireRow(
    "a status that a range covers is no change",
    "status",
    answering({ "2XX": { description: "ok" } }),
    answering({ "2XX": { description: "ok" }, "201": { description: "ok" } }),
    "compatible",
    "compatible",
  ),
  wireRow(
    "is removed or added",
    "response.mediaType",
    ok({ content: { ...json({}), "text/csv": {} } }),
    ok({ content: json({}) }),
    "breaking",
    "breaking",
  ),
  wireRow("is removed or added", "response.content", asResponse(string), ok(), "breaking", "compatible"),
  wireRow(
    "is added or removed",
    "header",
    ok(),
    ok({ headers: { "X-Page": { schema: string } } }),
    "compatible",
    "undecided",
  ),
  wireRow(
    "a required one is removed or added",
    "header",
    ok({ headers: { "X-Page": { required: true, schema: string } } }),
    ok(),
    "breaking",
    "compatible",
  ),
  wireRow(
    "is no longer required",
    "header.required",
    ok({ headers: { "X-Page": { required: true, schema: string } } }),
    ok({ headers: { "x-page": { schema: string } } }),
    "breaking",
    "compatible",
  ),
  wireRow(
    "has a wider schema",
    "value",
    ok({ headers: { "X-Page": { schema: { enum: ["a"] } } } }),
    ok({ headers: { "X-Page": { schema: { enum: ["a", "b"] } } } }),
    "breaking",
    "compatible",
  ),
];
