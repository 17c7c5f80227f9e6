/** Encrypted bodies: fields, key ids and algorithms by configuration, and wrong ones refused with a reason. */
import { expect, test } from "@playwright/test";
import type { Sealing } from "../../../helpers/gateway/gateway.ts";
import { loadGateways } from "../../../helpers/gateway/load-gateway.ts";
import { sealed } from "../../../helpers/gateway/sealing.ts";
import { externalTarget } from "../../../helpers/target/load-target.ts";
import { certified, fingerprintsOf, openKeyFolder } from "../../../mocks/engine/gateway/keys.ts";
import { seal, unsealer } from "../../../mocks/engine/gateway/seal.ts";

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
    const told = async (body: Buffer) => String(await unseal(body));
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
