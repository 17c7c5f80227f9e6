/** Card encryption: every key format, and error messages that never show the key. */
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { compactDecrypt } from "jose";
import { loadContract } from "../../../helpers/contract/load.ts";
import { createCardEncryption } from "../../../helpers/flows/card-encryption.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { certified } from "../../../mocks/engine/gateway/keys.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { onSandbox } from "../support/in-process.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const jwk = JSON.stringify({ ...publicKey.export({ format: "jwk" }), kid: "key-1" });
const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
const CARD = { primaryAccountNumber: "4111111111111111", panExpirationMonth: "12" };

const opened = async (keyText: string) => {
  const { plaintext, protectedHeader } = await compactDecrypt(
    await createCardEncryption(keyText).encrypt(CARD),
    privateKey,
  );
  return { card: JSON.parse(new TextDecoder().decode(plaintext)) as unknown, header: protectedHeader };
};

test("a JWK, a PEM text, even with escaped line breaks, and a file give compact JWE, each another one", async () => {
  const testInfo = test.info();
  const [jwkFile, pemFile] = [testInfo.outputPath("key.json"), testInfo.outputPath("key.pem")];
  writeFileSync(jwkFile, jwk);
  writeFileSync(pemFile, pem);
  for (const keyText of [jwk, pem, pem.replaceAll("\n", "\\n"), jwkFile, pemFile]) {
    const { encrypt } = createCardEncryption(keyText);
    const jwe = await encrypt(CARD);
    expect(jwe.split(".")).toHaveLength(5);
    expect(jwe).not.toContain("4111111111111111");
    expect(await encrypt(CARD)).not.toBe(jwe);
    expect((await opened(keyText)).card).toEqual(CARD);
  }
  const header = { alg: "RSA-OAEP-256", enc: "A256GCM", kid: "key-1" };
  expect((await opened(jwk)).header).toEqual(header);
});

test("the given algorithms are used, or else the algorithms of the JWK", async () => {
  const { certificatePem, privatePem } = certified({ name: "cards" });
  const options = { alg: "RSA-OAEP", keyId: "key-2", keyIdHeader: "x5t#S256" };
  const byCertificate = await createCardEncryption(certificatePem, options).encrypt(CARD);
  expect((await compactDecrypt(byCertificate, createPrivateKey(privatePem))).protectedHeader).toEqual({
    ...{ alg: "RSA-OAEP", enc: "A256GCM", "x5t#S256": "key-2" },
  });
  const named = JSON.stringify({ ...publicKey.export({ format: "jwk" }), alg: "RSA-OAEP" });
  expect((await opened(named)).header.alg).toBe("RSA-OAEP");
  const chosen = await createCardEncryption(named, { alg: "RSA-OAEP-512", enc: "A128GCM" }).encrypt(CARD);
  const { protectedHeader } = await compactDecrypt(chosen, privateKey);
  expect(protectedHeader).toMatchObject({ alg: "RSA-OAEP-512", enc: "A128GCM" });
});

test("an invalid key is refused, and never shown", () => {
  const secret = "c2VjcmV0LWtleS1tYXRlcmlhbA";
  const mangled = [
    secret,
    `{"kty":"RSA","n":"${secret}"`,
    `{"kty":"oct","k":"${secret}"}`,
    `-----BEGIN PUBLIC KEY-----\n${secret}\n-----END PUBLIC KEY-----`,
    "",
  ];
  for (const keyText of mangled) {
    const message = messageOf(() => createCardEncryption(keyText));
    expect(message).toContain("give a public JWK as JSON, a PEM text, or the path of a file");
    expect(message).not.toContain(secret);
  }
});

test("a key that does not suit the algorithm is refused", () => {
  const elliptic = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
  const keyText = elliptic.export({ type: "spki", format: "pem" }).toString();
  expect(messageOf(() => createCardEncryption(keyText))).toContain("RSA-OAEP-256 needs a key of type rsa");
});

const messageOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

test("a configured key that can't be used blocks the trials, with the setting in the reason", async () => {
  const contract = await loadContract("card-enrollment");
  const [trial] = (await trialsOf(contract)).filter(({ id }) => id === "enrollment/reached");
  const values = { CARD_ENROLLMENT_ENCRYPTION_KEY: "{}" };
  const result = await onSandbox({ contract, values }, (session) => session.run(trial as Trial));
  const blocked = result.entries.filter(({ verdict }) => verdict === "blocked");
  expect(blocked.length).toBeGreaterThan(0);
  for (const { reason } of blocked) expect(reason?.parameters.seen).toMatch(/^CARD_.*_KEY: .*public JWK/);
});
