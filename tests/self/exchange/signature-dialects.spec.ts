/** Dialects of signatures: two encodings and two paddings, each accepted and refused with its reason by every side. */
import { createPrivateKey, createPublicKey } from "node:crypto";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { ENCODINGS, METHODS, type Signing } from "../../../helpers/gateway/gateway.ts";
import { authorizationFor } from "../../../helpers/gateway/signature.ts";
import { externalTarget } from "../../../helpers/target/load-target.ts";
import { certified } from "../../../mocks/engine/gateway/keys.ts";
import { signatureVerifier } from "../../../mocks/engine/gateway/verify-signature.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { examine } from "../../../runner/doctor/doctor.ts";
import { linesOf } from "../../../runner/doctor/render.ts";
import recorded from "./library-requests.json" with { type: "json" };

const CONSUMER = "consumer!Key_1";
const [own, other] = [certified({ name: "signer" }), certified({ name: "other" })];
const ORIGIN = "https://gateway.example.com";
const REQUEST = { method: "POST", url: `${ORIGIN}/offers?b=2&a=%20x&c=%2B`, bytes: '{"a":1}' };
const DIALECTS = ENCODINGS.flatMap((encoding) => METHODS.map((method) => ({ encoding, method })));

const signedBy = (signing: Partial<Signing>, request = REQUEST, now = Date.now()): string =>
  authorizationFor(
    request,
    {
      ...{ consumerKey: CONSUMER, privateKey: createPrivateKey(own.privatePem) },
      ...{ encoding: "rfc", method: "RSA-SHA256" },
      ...signing,
    },
    now,
  );

/** Asks the gateway of the sandbox. */
const verifier = (only?: (typeof ENCODINGS)[number]) => {
  const examined = signatureVerifier(new Map([[CONSUMER, { publicPem: own.publicPem }]]), only);
  return (authorization: string) => {
    const target = REQUEST.url.slice(ORIGIN.length);
    const result = examined({
      ...{ method: "POST", origin: ORIGIN, target, authorization },
      body: Buffer.from(REQUEST.bytes),
    });
    return typeof result === "string" ? result : `seen: ${result.seen}`;
  };
};

for (const dialect of DIALECTS) {
  const { encoding, method } = dialect;
  test(`signatures with the encoding ${encoding} and ${method} are accepted, and wrong ones refused with a reason`, () => {
    const right = signedBy(dialect);
    expect(right.includes('oauth_consumer_key="consumer!Key_1"')).toBe(encoding === "single");
    const gateway = verifier();
    const alike = {
      ...REQUEST,
      method: "post",
      url: `HTTPS://GATEWAY.example.com:443/offers?c=%2B&a=${encoding === "rfc" ? "+" : "%20"}x&b=2#part`,
    };
    const long = Date.now() - 600_000;
    const privateKey = createPrivateKey(other.privatePem);
    expect([
      gateway(right),
      gateway(right),
      gateway(signedBy({ ...dialect, privateKey })),
      gateway(signedBy({ ...dialect, consumerKey: "nobody" })),
      gateway(signedBy(dialect, { ...REQUEST, bytes: "{}" })),
      gateway(signedBy(dialect, { ...REQUEST, url: `${ORIGIN}/offers?b=2` })),
      gateway(signedBy(dialect, alike)),
      gateway(signedBy(dialect, { ...REQUEST, method: "PUT" })),
      gateway(signedBy(dialect, REQUEST, long)),
      gateway(right.replace(method, "HMAC-SHA1")),
    ]).toEqual([
      `seen: ${encoding} encoding, ${method}`,
      "The nonce was used before.",
      "The signature is wrong.",
      "The consumer key is unknown.",
      "The hash of the body is wrong.",
      "The signature is wrong.",
      `seen: ${encoding} encoding, ${method}`,
      "The signature is wrong.",
      "The timestamp is too far from the time here.",
      "The signature method is not RSA-SHA256 or RSA-PSS.",
    ]);
    for (const only of ENCODINGS)
      expect(verifier(only)(signedBy(dialect))).toBe(
        only === encoding
          ? `seen: ${encoding} encoding, ${method}`
          : `The signature has the encoding ${encoding}, and ${only} is required.`,
      );
  });
}

test("requests that other libraries signed are accepted, and the form of each is named", () => {
  const publicPem = createPublicKey(recorded.privateKey).export({ type: "spki", format: "pem" }).toString();
  const examined = signatureVerifier(
    new Map([[CONSUMER, { publicPem }]]),
    undefined,
    () => recorded.time * 1000,
  );
  for (const { method, uri, body, authorization, seen } of recorded.requests) {
    const request = { method, origin: ORIGIN, authorization, body: Buffer.from(body) };
    const target = uri.slice(ORIGIN.length);
    expect(examined({ ...request, target: `${target}&d=1` })).toBe("The signature is wrong.");
    expect(examined({ ...request, target })).toEqual({ seen });
    // Our signature of such a query is one of the same form.
    const signing = { encoding: "single", privateKey: createPrivateKey(recorded.privateKey) } as const;
    const signed = signedBy(signing, { method, url: uri, bytes: body }, recorded.time * 1000);
    if (/raw query, (?:RSA|equal)/.test(seen))
      expect(examined({ ...request, target, authorization: signed })).toEqual({
        seen: seen.replace("RSA-PSS", "RSA-SHA256"),
      });
  }
});

test("the doctor tries the dialects before it blames the key, and names the one that works", async () => {
  const contract = await loadContract("installments");
  const options = { contracts: [contract] };
  const sandbox = await startSandbox({ ...options, demands: ["signature=single"] });
  try {
    const { INSTALLMENTS_SIGNATURE_ENCODING: encoding, ...values } = sandbox.environment;
    expect(encoding).toBe("single");
    const fast = { MAX_REQUESTS_PER_SECOND: "100000" };
    const { causes, requests } = await examine(externalTarget("mine", { ...values, ...fast }), [contract]);
    expect(linesOf(causes)).toEqual([
      expect.stringContaining(
        "set INSTALLMENTS_SIGNATURE_ENCODING=single and INSTALLMENTS_SIGNATURE_METHOD=RSA-SHA256",
      ),
    ]);
    expect(requests).toBeLessThanOrEqual(12);
  } finally {
    await sandbox.close();
  }
});
