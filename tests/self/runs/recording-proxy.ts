/** A proxy between a run and its server that records every secret in the requests. */
import { openJwe } from "../../../helpers/contract/compact-jwe.ts";
import { cardKeys } from "../../../mocks/card-enrollment/keys.ts";
import { hostileServer } from "../hostile/hostile-server.ts";

export interface Passed {
  /** The full card numbers that were sent encrypted. */
  readonly cardNumbers: Set<string>;
  readonly emails: Set<string>;
  readonly encryptedCards: Set<string>;
}

export interface RecordingProxy {
  readonly origin: string;
  readonly passed: Passed;
}

const KEY_HEADER = "x-openapi-clientid";

/** Starts the proxy. @param keys the server's key for each key that the client sends */
export const recordingProxy = async (
  target: string,
  keys: Readonly<Record<string, string>>,
): Promise<RecordingProxy> => {
  const passed: Passed = { cardNumbers: new Set(), emails: new Set(), encryptedCards: new Set() };
  const { privateKey } = await cardKeys();
  const origin = await hostileServer(target, async ({ body, headers }, correct) => {
    const text = body.toString();
    for (const email of text.match(EMAIL) ?? []) passed.emails.add(email.toLowerCase());
    for (const token of text.match(COMPACT_JWE) ?? []) {
      passed.encryptedCards.add(token);
      const number = await cardNumberIn(token, privateKey);
      if (number !== undefined) passed.cardNumbers.add(number);
    }
    const key = keys[headers[KEY_HEADER] ?? ""];
    return correct(key === undefined ? {} : { [KEY_HEADER]: key });
  });
  return { origin, passed };
};

export const EMAIL = /[\w.+-]+@[\w-]+(\.[\w-]+)+/g;
export const COMPACT_JWE = /eyJ[\w-]+(\.[\w-]+){4}/g;

/** A possible card number: probes of its length are a little shorter or longer. */
const CARD_NUMBER = /^\d{13,}$/;

const cardNumberIn = async (
  token: string,
  key: Awaited<ReturnType<typeof cardKeys>>["privateKey"],
): Promise<string | undefined> => {
  try {
    const { plain } = await openJwe(token, key);
    const { primaryAccountNumber } = JSON.parse(plain.toString());
    return CARD_NUMBER.test(primaryAccountNumber) ? primaryAccountNumber : undefined;
  } catch {
    return undefined;
  }
};
