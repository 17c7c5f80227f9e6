/** Requests that another library signed: their base strings, and what the judge of callers says of them. */
import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import type { Signing } from "../../../helpers/gateway/gateway.ts";
import { signatureBase } from "../../../helpers/gateway/signature.ts";
import { PROVIDER } from "../../../tests/self/support/lanes.ts";
import { shared } from "../../../tests/self/support/shared.ts";
import { examineSignature } from "../proxy/client-signature.ts";

type Signed = Readonly<Record<"method" | "uri" | "body" | "baseString" | "authorization", string>>;

test("requests that another library signed in the single encoding are in order", PROVIDER, () => {
  const text = readFileSync(shared("cases/signatures/vectors.json"), "utf8");
  const { privateKey, requests }: { privateKey: string; requests: Signed[] } = JSON.parse(text);
  for (const { method, uri: url, body: bytes, baseString, authorization } of requests) {
    const pairs = [...authorization.matchAll(/(oauth_(?!signature=)\w+)="([^"]*)"/g)];
    const given = pairs.map(([, name = "", value = ""]) => [name, value] as const);
    expect(signatureBase({ method, url, bytes }, given, "single")).toBe(baseString);
    const values = Object.fromEntries(given);
    const signing: Signing = {
      ...{ consumerKey: values.oauth_consumer_key ?? "", privateKey: createPrivateKey(privateKey) },
      ...{ encoding: "rfc", method: "RSA-SHA256" },
    };
    const now = Number(values.oauth_timestamp) * 1000;
    const examined = (changed: object) => {
      const request = { method, url, bytes, ...changed };
      return examineSignature(authorization, request, [request.url], signing, now);
    };
    expect(examined({})).toEqual({ encoding: "single", method: values.oauth_signature_method });
    for (const changed of [{ bytes: "{}" }, { url: `${url}?d=1` }, { method: "PUT" }])
      expect(examined(changed)).toHaveProperty("problem");
  }
});
