/** Rules of the diff about what a service answers: statuses, bodies and headers. */

import { asResponse, operation } from "../small-documents.ts";
import { type Json, json, string, type WireRow, wireRow } from "./rows.ts";

const answering = (responses: Json): Json => operation({ responses });
const ok = (more: Json = {}): Json => answering({ "200": { description: "ok", ...more } });

export const RESPONSE_ROWS: readonly WireRow[] = [
  wireRow(
    "comes or goes",
    "status",
    ok(),
    answering({ "200": { description: "ok" }, "409": { description: "twice" } }),
    "breaking",
    "compatible",
  ),
  wireRow(
    "that a range takes in is none",
    "status",
    answering({ "2XX": { description: "ok" } }),
    answering({ "2XX": { description: "ok" }, "201": { description: "ok" } }),
    "compatible",
    "compatible",
  ),
  wireRow(
    "goes or comes",
    "response.mediaType",
    ok({ content: { ...json({}), "text/csv": {} } }),
    ok({ content: json({}) }),
    "undecided",
    "breaking",
  ),
  wireRow("goes or comes", "response.content", asResponse(string), ok(), "breaking", "compatible"),
  wireRow(
    "comes or goes",
    "header",
    ok(),
    ok({ headers: { "X-Page": { schema: string } } }),
    "compatible",
    "undecided",
  ),
  wireRow(
    "a required one goes or comes",
    "header",
    ok({ headers: { "X-Page": { required: true, schema: string } } }),
    ok(),
    "breaking",
    "compatible",
  ),
  wireRow(
    "need not be there any more",
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
