/** Requests that other libraries signed, and what the judge of callers says of them. */
import { createPrivateKey } from "node:crypto";
import { expect, test } from "@playwright/test";
import recorded from "../../../tests/self/exchange/library-requests.json" with { type: "json" };
import { examineSignature } from "../proxy/client-signature.ts";

const NOW = recorded.time * 1000;

test("requests that other libraries signed are in order, in the form of each", () => {
  const privateKey = createPrivateKey(recorded.privateKey);
  const signing = {
    consumerKey: "consumer!Key_1",
    privateKey,
    encoding: "rfc",
    method: "RSA-SHA256",
  } as const;
  for (const { method, uri: url, body: bytes, authorization, seen } of recorded.requests) {
    const examined = (changed: object) => {
      const request = { method, url, bytes, ...changed };
      return examineSignature(authorization, request, [request.url], signing, NOW);
    };
    const { encoding, seen: form = [], method: used } = examined({});
    expect([`${encoding} encoding`, ...form, used].join(", ")).toBe(seen);
    for (const changed of [{ bytes: "{}" }, { url: `${url}&d=1` }, { method: "PUT" }])
      expect(examined(changed)).toHaveProperty("problem");
  }
});
