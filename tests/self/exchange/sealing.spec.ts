/** Encrypted bodies: fields, key ids and algorithms by configuration, and wrong ones refused with a reason. */
import { createPrivateKey } from "node:crypto";
import { expect, test } from "@playwright/test";
import type { Sealing } from "../../../helpers/gateway/gateway.ts";
import { loadGateways } from "../../../helpers/gateway/load-gateway.ts";
import { opened, sealed } from "../../../helpers/gateway/sealing.ts";
import { externalTarget } from "../../../helpers/target/load-target.ts";
import { decryptCard } from "../../../mocks/card-enrollment/cards.ts";
import { keysIn } from "../../../mocks/card-enrollment/keys.ts";
import { certified, fingerprintsOf, openKeyFolder } from "../../../mocks/engine/gateway/keys.ts";
import { seal, unsealer } from "../../../mocks/engine/gateway/seal.ts";
import recorded from "./library-requests.json" with { type: "json" };

interface SealingRow {
  readonly keys: readonly ("KEY" | "CERTIFICATE")[];
  readonly alg: string;
  readonly field?: string;
  readonly header?: string;
}

const SEALINGS: readonly SealingRow[] = [
  { keys: ["KEY"], alg: "RSA-OAEP" },
  { keys: ["CERTIFICATE"], alg: "RSA-OAEP-256", field: "sealed" },
  { keys: ["KEY", "CERTIFICATE"], alg: "RSA-OAEP-512", field: "value", header: "x5t#S256" },
];

for (const { keys, alg, field = "encryptedData", header = "kid" } of SEALINGS) {
  test(`bodies in ${field}, with ${alg} and a ${keys.join(" and ")}, are accepted, and wrong ones refused with a reason`, async () => {
    const [right, stranger] = [certified({ name: "own" }), certified({ name: "other" })];
    const [keyId = ""] = fingerprintsOf(right);
    const folder = openKeyFolder();
    const sealedWith = async ({ publicPem, certificatePem }: typeof right, more = {}): Promise<Buffer> => {
      const files = {
        KEY: folder.write("key.pem", publicPem),
        CERTIFICATE: folder.write("certificate.pem", certificatePem),
      };
      const settings = {
        ...Object.fromEntries(keys.map((key) => [key, files[key]])),
        ...{ ALG: alg, KEY_ID: keyId, ...(header !== "kid" && { KEY_ID_HEADER: header }), ...more },
      };
      const target = externalTarget("mine", {
        FINANCIAL_DATA_BASE_URL: "https://api.example.com",
        FINANCIAL_DATA_BODY_ENCRYPTION: folder.write("rows.yaml", `"*": { request: { "": /${field} } }\n`),
        ...Object.fromEntries(
          Object.entries(settings).map(([key, value]) => [`FINANCIAL_DATA_BODY_ENCRYPTION_${key}`, value]),
        ),
      });
      const sealing = loadGateways(target)["financial-data"]?.sealing;
      return Buffer.from(await sealed(sealing as Sealing, "any", '{"a":1}'));
    };
    const unseal = unsealer({
      ...{ field, header, keyIds: [keyId], expiredKeyIds: ["old"], key: right.privatePem },
    });
    const told = async (body: Buffer) => {
      const result = await unseal(body);
      return typeof result === "string" ? result : result.plain.toString();
    };
    try {
      expect([
        await told(await sealedWith(right)),
        await told(await sealedWith(stranger)),
        await told(await sealedWith(right, { KEY_ID: "nobody" })),
        await told(await sealedWith(right, { KEY_ID: "old" })),
        await told(Buffer.from('{"a":1}')),
        await told(Buffer.from("not JSON")),
      ]).toEqual([
        '{"a":1}',
        "The body is not encrypted with the key of this gateway.",
        `The encryption key in the header ${header} is unknown.`,
        "The encryption key has expired.",
        `The body is not encrypted: the field ${field} has no compact JWE.`,
        `The body is not encrypted: the field ${field} has no compact JWE.`,
      ]);
      const answer = JSON.stringify({ [field]: seal(Buffer.from("plain"), right.publicPem, alg) });
      expect(await told(Buffer.from(answer))).toBe("plain");
      const old = certified({ name: "old", hasExpired: true });
      const why = /: the certificate expired on |: the key is not the one of /;
      if (keys.includes("CERTIFICATE")) await expect(sealedWith(old)).rejects.toThrow(why);
    } finally {
      folder.remove();
    }
  });
}

for (const { token, seen } of recorded.bodies) {
  test(`a body that another library encrypted with ${seen} is opened on each side, unless it must be strict`, async () => {
    const [, difference] = /(an IV .*)/.exec(seen) ?? [];
    const names = { field: "sealed", header: "kid", keyIds: ["current"], expiredKeyIds: [] };
    const body = Buffer.from(JSON.stringify({ sealed: token }));
    const unsealed = (strict: boolean) => unsealer({ ...names, key: recorded.privateKey, strict })(body);
    expect(await unsealed(false)).toEqual({ plain: expect.any(Buffer), difference });
    const operations = { "*": { response: { "/sealed": "" } } };
    const privateKey = createPrivateKey(recorded.privateKey);
    const sealing = { operations, privateKey, keyIdHeader: "kid", alg: "", enc: "" };
    const response = { status: 200, headers: {}, body, json: { sealed: token } };
    const plain = await opened(sealing, "any", response);
    expect(plain.json).toEqual(recorded.card);
    expect(plain.oddities).toEqual(difference && [`encrypted with ${difference}`]);
    const strictly = opened({ ...sealing, strict: true }, "any", response);
    if (difference === undefined) return void expect((await strictly).json).toEqual(recorded.card);
    expect(await unsealed(true)).toBe(`The encryption has ${difference}.`);
    await expect(strictly).rejects.toThrow(difference);
  });
}

test("a card that another library encrypted is enrolled", async () => {
  const [{ token } = { token: "" }] = recorded.bodies;
  const call = { differs: () => false, validators: { schema: () => () => [] } } as never;
  expect(await decryptCard(token, keysIn(recorded.privateKey), call, recorded.card)).toEqual({
    card: recorded.card,
    difference: "an IV of 16 bytes instead of 12",
  });
});
