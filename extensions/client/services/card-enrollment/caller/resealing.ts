/** Opens encrypted cards: gives clients a key of the proxy, and encrypts their cards for the target. */
import { createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { openJwe } from "../../../../../helpers/contract/compact-jwe.ts";
import { atPointer } from "../../../../../helpers/contract/pointer.ts";
import { jsonOf } from "../../../../../helpers/exchange/json-of.ts";
import { configuredEncryption } from "../../../../../helpers/flows/card-encryption.ts";
import type { CreateResealing, Resealing } from "../../../judging/resealing.ts";

const KEY = "CARD_ENROLLMENT_ENCRYPTION_KEY";

/** All recordings of a process share the keys, because generating them takes long. */
let pair: Promise<{ readonly privateKey: KeyObject }> | undefined;

export const createResealing: CreateResealing = async (values) => {
  const encryption = configuredEncryption({ values }, "card-enrollment");
  if (encryption === undefined) return undefined;
  const { encrypt } = encryption;
  const { CARD_ENROLLMENT_ENCRYPTION_ALG: alg } = values;
  pair ??= promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  const { privateKey } = await pair;
  const jwk = createPublicKey(privateKey).export({ format: "jwk" });
  const reseal: Resealing["reseal"] = async (body) => {
    const sealed = atPointer(jsonOf(Buffer.from(body)).json, "/encryptedCard");
    if (typeof sealed !== "string" || sealed.split(".").length !== 5) return { body, opened: {} };
    try {
      const { plain } = await openJwe(sealed, privateKey);
      const card = jsonOf(plain).json;
      if (card === undefined) return { body, opened: { "/encryptedCard": plain.toString("utf8") } };
      return { body: body.replace(sealed, await encrypt(card)), opened: { "/encryptedCard": card } };
    } catch {
      // The client encrypted the card for another key, so only the target can open it.
      return { body, opened: {} };
    }
  };
  return {
    environment: { [KEY]: JSON.stringify({ ...jwk, alg: alg ?? "RSA-OAEP-256", use: "enc" }) },
    reseal,
  };
};
