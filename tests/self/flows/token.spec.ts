/** The access token in the answer to a log-in, whose field is not documented. */
import { expect, test } from "@playwright/test";
import { candidatesIn, tokenAt } from "../../../helpers/flows/token.ts";

const TOKEN = "Zm9yLXRlc3Rz.aBcDeFgHiJ";

for (const [name, body, found] of [
  ["at its assumed place", { token: TOKEN, other: "another-long-text" }, TOKEN],
  ["under another name", { accessToken: TOKEN, expires_in: 7200 }, TOKEN],
  ["inside another object", { data: { key: TOKEN } }, TOKEN],
  [
    "beside a link inside",
    { key: TOKEN, _links: { self: { href: "https://server.example.com/self" } } },
    TOKEN,
  ],
  ["beside a time", { key: TOKEN, issued: "2026-11-22T10:00:00Z" }, TOKEN],
  ["beside words for people", { key: TOKEN, issuer: "Example Bank Data Services" }, TOKEN],
  ["outside an object with such a text", { key: TOKEN, meta: { trace: "7f3a7f3a7f3a" } }, TOKEN],
  ["beside such a text", { key: TOKEN, refresh: "another-long-text" }, undefined],
  ["nowhere", { state: "ok" }, undefined],
  ["in no body", undefined, undefined],
] as const) {
  test(`a token ${name} is ${found === undefined ? "not found" : "found"}`, () => {
    expect(tokenAt(body, "/token")).toBe(found);
  });
}

test("all texts that may be tokens are candidates", () => {
  expect(candidatesIn({ a: TOKEN, b: ["another-long-text", "short"], c: "2026-11-22" })).toEqual([
    TOKEN,
    "another-long-text",
  ]);
});
