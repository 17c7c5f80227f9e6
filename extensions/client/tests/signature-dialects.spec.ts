/** Signatures that the recording proxy renews for the target, in every dialect. */
import { createPrivateKey } from "node:crypto";
import { expect, test } from "@playwright/test";
import { ENCODINGS, METHODS, type Signing } from "../../../helpers/gateway/gateway.ts";
import { authorizationFor } from "../../../helpers/gateway/signature.ts";
import { certified } from "../../../mocks/engine/gateway/keys.ts";
import { createSignatures } from "../proxy/signatures.ts";

const [own, other] = [certified({ name: "signer" }), certified({ name: "other" })];
const ASKED = "http://127.0.0.1:1/offers";
const BYTES = '{"a":1}';

const signedBy = (signing: Signing): string =>
  authorizationFor({ method: "POST", url: ASKED, bytes: BYTES }, signing, Date.now());

for (const dialect of ENCODINGS.flatMap((encoding) => METHODS.map((method) => ({ encoding, method })))) {
  const { encoding, method } = dialect;
  test(`the proxy signs again what has the encoding ${encoding} and ${method}, and nothing else`, () => {
    const told: string[] = [];
    const privateKey = createPrivateKey(own.privatePem);
    const signing = { ...dialect, consumerKey: "consumer!Key_1", privateKey };
    const gateways = { parcels: { connection: { tls: {} }, headers: {}, signing } };
    const renewed = (signatures: ReturnType<typeof createSignatures>, authorization: string): boolean => {
      const headers = ["authorization", authorization];
      const received = Buffer.from(BYTES);
      const again = signatures.renew({
        ...{
          service: "parcels",
          method: "POST",
          headers,
          asked: ASKED,
          url: "https://gateway.example.com/offers?b=2",
        },
        ...{ received, sent: received },
      });
      return again[1] !== authorization;
    };
    const signatures = createSignatures(gateways, (problem) => told.push(problem));
    expect([
      renewed(signatures, signedBy(signing)),
      renewed(signatures, signedBy({ ...signing, privateKey: createPrivateKey(other.privatePem) })),
    ]).toEqual([true, false]);
    expect(signatures.notes()).toEqual([
      "signature of 1 request: parcels: oauth_signature is not the signature of the request.",
      "parcels: 1 signed request, signed again for the target.",
      `parcels: signatures were seen in ${encoding} encoding, ${method}.`,
    ]);
    const [strange] = ENCODINGS.filter((one) => one !== encoding);
    const strict = createSignatures(gateways, (problem) => told.push(problem), strange);
    expect(renewed(strict, signedBy(signing))).toBe(false);
    expect(told.at(-1)).toContain(`the encoding is ${encoding}, and ${strange} is required`);
  });
}
