/** Values that a place of a request can't carry: a server that sees another value is not judged. */
import { expect, test } from "@playwright/test";
import type { Call } from "../../../helpers/trials/call.ts";
import { whyUnread } from "../../../helpers/trials/from-contract/rule-requests.ts";
import { QUICK } from "../support/lanes.ts";

const ROWS: readonly (readonly [
  what: string,
  place: "path" | "query" | "header" | "cookie",
  call: Omit<Call, "operationId">,
  reason: RegExp | undefined,
])[] = [
  ["a segment", "path", { path: { x: "a b%" } }, undefined],
  ["a slash in a path", "path", { path: { x: "a/b" } }, /slash/],
  ["dots in a path", "path", { path: { x: ".." } }, /slash/],
  ["a slash in a query", "query", { query: { x: "a/b" } }, undefined],
  ["a long query", "query", { query: { x: "a".repeat(8_000) } }, /longer than the 8000 characters/],
  ["a long header", "header", { headers: { x: "a".repeat(8_000) } }, /longer than the 8000 characters/],
  ["a long body", "query", { json: "a".repeat(8_000), query: { x: "a" } }, undefined],
  ["cookies", "cookie", { headers: { cookie: "x=a-1~; other=!" } }, undefined],
  ["no cookie", "cookie", { headers: { cookie: null } }, undefined],
  ...[";", ",", " ", '"', "\\", "%", "\u00e9"].map(
    (character) =>
      [
        `the character ${character} in a cookie`,
        "cookie",
        { headers: { cookie: `other=1; x=a${character}` } },
        /no cookie can have/,
      ] as const,
  ),
];

for (const [what, place, call, reason] of ROWS) {
  test(`${what}: ${reason === undefined ? "is read" : "is not judged"}`, QUICK, () => {
    const why = whyUnread({ operationId: "made-up", ...call }, { place, parameter: "x" });
    if (reason === undefined) expect(why).toBeUndefined();
    else expect(why).toMatch(reason);
  });
}
