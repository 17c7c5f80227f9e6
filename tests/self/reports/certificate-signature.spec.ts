/** Signed certificates: the keys that can sign, and what a signature proves. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { shapeComplaint } from "../../../reports/folder/certificate-shape.ts";
import { digestsIn, unsignedIn } from "../../../reports/folder/results.ts";
import {
  BadSignature,
  NoSignature,
  signCertificate,
  verifyCertificate,
} from "../../../reports/folder/signature.ts";
import { type Key, readPrivateKey, readPublicKey } from "../../../reports/folder/signing-key.ts";
import { temporary } from "../support/command.ts";

const BYTES = Buffer.from('{ "format": "certificate/1", "outcome": "certified" }\n');
const AT = new Date("2026-01-02T03:04:05Z");

const ed25519 = generateKeyPairSync("ed25519");
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });

const fileOf = async (name: string, text: string): Promise<string> => {
  await mkdir(test.info().outputPath(), { recursive: true });
  const path = test.info().outputPath(name);
  await writeFile(path, text);
  return path;
};

const pem = (key: KeyObject): string =>
  String(key.export({ format: "pem", type: key.type === "private" ? "pkcs8" : "spki" }));

const jwk = (key: KeyObject, more: object = {}): string =>
  JSON.stringify({ ...key.export({ format: "jwk" }), ...more });

const readPair = async (one: string, other: string): Promise<{ signer: Key; verifier: Key }> => ({
  signer: await readPrivateKey(await fileOf("private.key", one)),
  verifier: await readPublicKey(await fileOf("public.key", other)),
});

const PAIRS: readonly (readonly [about: string, own: string, others: string, algorithm: string])[] = [
  ["Ed25519, PEM", pem(ed25519.privateKey), pem(ed25519.publicKey), "EdDSA"],
  ["Ed25519, JWK", jwk(ed25519.privateKey), jwk(ed25519.publicKey), "EdDSA"],
  ["P-256, PEM and JWK", pem(p256.privateKey), jwk(p256.publicKey), "ES256"],
  ["RSA, PEM", pem(rsa.privateKey), pem(rsa.publicKey), "PS256"],
  ["RSA, JWK for RS256", jwk(rsa.privateKey, { alg: "RS256" }), pem(rsa.publicKey), "RS256"],
];

for (const [about, own, others, algorithm] of PAIRS) {
  test(`a certificate signed with ${about} verifies and names the key and the content`, async () => {
    const { signer, verifier } = await readPair(own, others);
    const signed = await verifyCertificate(await signCertificate(BYTES, signer, AT), verifier);
    expect(Buffer.from(signed.bytes)).toEqual(BYTES);
    expect(signed).toMatchObject({
      ...{ algorithm, thumbprint: signer.thumbprint, signedAt: "2026-01-02T03:04:05.000Z" },
      certificate: { outcome: "certified" },
    });
    expect(signer.thumbprint).toMatch(/^[\w-]{43}$/);
  });
}

test("a signature covers what people and programs read, and the rest is listed as unsigned", async () => {
  const out = await temporary();
  const covered = [
    ...["html", "md", "sarif"].map((ending) => `certificate.${ending}`),
    "findings/f-1.har",
    "findings/f-12.har",
    "junit.xml",
    "service/certificate.json",
    "service/findings/f-1.har",
  ];
  const others = [
    "allure-report/index.html",
    "baseline.json",
    "findings/notes.txt",
    "service/a",
    "traffic-1.har",
  ];
  for (const file of [...covered, ...others, "certificate.json", "certificate.jws", ".assay-out.json"]) {
    await mkdir(dirname(join(out, file)), { recursive: true });
    await writeFile(join(out, file), file);
  }
  expect(Object.keys(digestsIn(out))).toEqual(covered);
  expect(unsignedIn(out, covered).sort()).toEqual(["allure-report/", ...others.slice(1)]);
});

test("a change of any part is detected", async () => {
  const { signer, verifier } = await readPair(pem(ed25519.privateKey), pem(ed25519.publicKey));
  const [header = "", payload = "", signature = ""] = (await signCertificate(BYTES, signer, AT)).split(".");
  const flipped = (part: string): string => `${part.startsWith("A") ? "B" : "A"}${part.slice(1)}`;
  const forged = Buffer.from(BYTES.toString("utf8").replace("certified", "violation")).toString("base64url");
  const later = JSON.parse(Buffer.from(header, "base64url").toString("utf8")) as { iat: number };
  const postdated = Buffer.from(JSON.stringify({ ...later, iat: later.iat + 1 })).toString("base64url");
  for (const changed of [
    [header, forged, signature],
    [header, payload, flipped(signature)],
    [postdated, payload, signature],
  ]) {
    await expect(verifyCertificate(changed.join("."), verifier)).rejects.toThrow(BadSignature);
  }
});

test("an algorithm that the key does not allow is refused, even if the header names it", async () => {
  const { signer } = await readPair(pem(rsa.privateKey), pem(rsa.publicKey));
  const only = await readPublicKey(await fileOf("rs256.jwk", jwk(rsa.publicKey, { alg: "RS256" })));
  const jws = await signCertificate(BYTES, signer, AT);
  await expect(verifyCertificate(jws, only)).rejects.toThrow(
    "It is signed with PS256; this key is for RS256.",
  );
});

const weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
const encrypted = String(
  ed25519.privateKey.export({ format: "pem", type: "pkcs8", cipher: "aes-256-cbc", passphrase: "x" }),
);

const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
const BROKEN = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";

const BAD: readonly (readonly [about: string, text: string, says: string])[] = [
  ["a public key", pem(ed25519.publicKey), "holds no private key"],
  ["a public JWK", jwk(ed25519.publicKey), "holds no private key"],
  ["an encrypted key", encrypted, "is encrypted"],
  ["a weak key", pem(weak.privateKey), "RSA with at least 2048 bits"],
  ["another curve", pem(p384.privateKey), "P-256"],
  ["a JWK for encryption", jwk(rsa.privateKey, { alg: "RSA-OAEP" }), "has an unsupported type"],
  ["broken JSON", "{", "is not JSON"],
  ["a broken PEM", BROKEN, "no key that can"],
  ["anything else", "hello", "holds no private key"],
];

for (const [about, text, says] of BAD) {
  test(`${about} does not sign, and the error does not show it`, async () => {
    const file = await fileOf("bad.key", text);
    const taken = readPrivateKey(file).then(() => "It was taken.");
    const message = await taken.catch((error: Error) => error.message);
    expect(message).toContain(`The key file ${file} `);
    expect(message).toContain(says);
    expect(message).toContain("Give a private key as JWK or PKCS#8 PEM.");
  });
}

test("a private key is not accepted for verification", async () => {
  const file = await fileOf("private.pem", pem(ed25519.privateKey));
  await expect(readPublicKey(file)).rejects.toThrow("holds a private key, which must stay with the signer");
});

const encodedHeader = (header: unknown): string => Buffer.from(JSON.stringify(header)).toString("base64url");

test("a malformed signature is an error with one line, whatever it contains", async () => {
  const { signer, verifier } = await readPair(pem(ed25519.privateKey), pem(ed25519.publicKey));
  const [header = "", payload = "", signature = ""] = (await signCertificate(BYTES, signer, AT)).split(".");
  const known = JSON.parse(Buffer.from(header, "base64url").toString("utf8")) as object;
  const headers = [
    null,
    1,
    "x",
    [],
    {},
    { ...known, iat: 1e300 },
    { ...known, files: [1] },
    { ...known, kid: 1 },
  ];
  const malformed = [
    ...[
      "",
      ".",
      "..",
      "...",
      "a.b.c",
      `${header}.${payload}`,
      `${header}..${signature}`,
      "\0",
      "é".repeat(1_000),
    ],
    ...headers.map((one) => [encodedHeader(one), payload, signature].join(".")),
    [encodedHeader({ ...known, crit: ["x"] }), payload, signature].join("."),
  ];
  for (const jws of malformed) {
    const error = await verifyCertificate(jws, verifier).catch((reason: Error) => reason);
    expect(error, jws.slice(0, 60)).toBeInstanceOf(Error);
    expect(error instanceof NoSignature || error instanceof BadSignature, String(error)).toBe(true);
    expect((error as Error).message).not.toContain("\n");
  }
  await expect(verifyCertificate("hello", verifier)).rejects.toThrow(NoSignature);
  for (const content of ["null", "1", "[]", "{", '{"format":"certificate/2"}']) {
    const signed = await signCertificate(Buffer.from(content), signer, AT);
    await expect(verifyCertificate(signed, verifier)).rejects.toThrow("that is not a certificate");
  }
});

const COMPLETE = {
  target: { name: "a", baseUrls: {} },
  contracts: [{ service: "a", version: "1" }],
  ...{ seed: 1, depth: "quick", startedAt: "", outcome: "certified" },
  summary: { passed: 0, failed: 0, advisory: 0, blocked: 0, notTried: 0 },
  requirements: [{ id: "a", service: "a", level: "documented", verdict: "passed" }],
  findings: [],
};

/** A change of a complete certificate, and the complaint about it. */
const INCOMPLETE: readonly (readonly [change: object, says: string])[] = [
  [{ target: undefined }, "target is no object"],
  [{ target: { name: 1 } }, "target/name is no text"],
  [{ contracts: {} }, "contracts is no list"],
  [{ contracts: [null] }, "contracts/0 is no object"],
  [{ summary: { ...COMPLETE.summary, passed: "1" } }, "summary/passed is no number"],
  [{ requirements: [...COMPLETE.requirements, { id: "b" }] }, "requirements/1/service is no text"],
  [{ findings: "f-1" }, "findings is no list"],
];

test("a part that is not as in a certificate is named", () => {
  expect(shapeComplaint(COMPLETE)).toBeUndefined();
  expect(INCOMPLETE.map(([change]) => shapeComplaint({ ...COMPLETE, ...change }))).toEqual(
    INCOMPLETE.map(([, says]) => says),
  );
  expect([null, [], "x"].map(shapeComplaint)).toEqual(Array(3).fill("it is no object"));
});
