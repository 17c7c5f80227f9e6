/** The values that a caller states in parameters and fields, in each of their written forms. */
import { expect, test } from "@playwright/test";
import type { Parameter } from "../../../helpers/contract/contract.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { QUICK } from "../../../tests/self/support/lanes.ts";
import { sentText, sentValue } from "../judging/written-value.ts";

const NUMBER = { type: "integer" };
const OBJECT = { type: "object", properties: { x: NUMBER, y: { type: "string" } } };
const LIST = { type: "array", items: NUMBER };

const ROWS: readonly (readonly [
  place: string,
  written: Parameter["written"],
  schema: object,
  text: string,
  value: unknown,
])[] = [
  ["query", undefined, NUMBER, "p=1", 1],
  ["query", undefined, LIST, "p=1,2", [1, 2]],
  ["query", "repeated", LIST, "p=1&p=2", [1, 2]],
  ["query", "pipes", LIST, "p=1%7C2", [1, 2]],
  ["query", "spaces", LIST, "p=1%202", [1, 2]],
  ["query", "deep-object", OBJECT, "p[x]=1&p[y]=2", { x: 1, y: "2" }],
  ["query", "deep-object", OBJECT, "p[x][y]=1", undefined],
  ["query", "deep-object", OBJECT, "p[x]=1&p[x]=2", undefined],
  ["query", "properties", OBJECT, "x=1&z=2", { x: 1 }],
  ["query", "pairs", OBJECT, "p=x,1,y,2", { x: 1, y: "2" }],
  ["query", "json", OBJECT, "p=%7B%22x%22:1%7D", { x: 1 }],
  ["query", "json", OBJECT, "p=x", undefined],
  ["query", "unclear", OBJECT, "p=x", undefined],
  ["form", "json", OBJECT, "p=%7B%22x%22:1%7D", { x: 1 }],
  ["form", "pipes", LIST, "p=1%7Cb", [1, "b"]],
  ["form", "properties", OBJECT, "x=1", { x: 1 }],
  ["header", undefined, LIST, "1, 2", [1, 2]],
  ["header", "pairs", OBJECT, "x,1,y,2", { x: 1, y: "2" }],
  ["header", "assignments", OBJECT, "x=1,y=2", { x: 1, y: "2" }],
  ["cookie", undefined, NUMBER, "o=2; p=1", 1],
  ["path", "label", NUMBER, ".1", 1],
  ["path", "label-of-one", LIST, ".1.2", undefined],
  ["path", "matrix", NUMBER, ";p=1", 1],
];

const parameterOf = (place: string, written: Parameter["written"], schema: object): Parameter =>
  ({ name: "p", in: place, schema, ...(written && { written }) }) as unknown as Parameter;

const seenWith = (place: string, text: string): Seen => {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const headers = place === "form" ? type : { p: text, cookie: place === "cookie" ? text : "o=2" };
  return {
    path: { p: text },
    query: new URLSearchParams(place === "query" ? text : ""),
    exchange: { request: { headers, body: text } },
  } as unknown as Seen;
};

for (const [place, written, schema, text, value] of ROWS)
  test(`a ${place} parameter as ${written} in ${text} has the value ${JSON.stringify(value)}`, QUICK, () => {
    const [parameter, seen] = [parameterOf(place, written, schema), seenWith(place, text)];
    const sent = sentText(parameter, seen);
    expect(sent).not.toBe(undefined);
    expect(sentValue(parameter, sent ?? "", seen, {})).toEqual(value);
  });

test("a parameter that is not sent has no text", QUICK, () => {
  for (const place of ["query", "cookie", "form"])
    expect(sentText(parameterOf(place, undefined, NUMBER), seenWith(place, "o=1"))).toBe(undefined);
});
