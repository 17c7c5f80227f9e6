/** A proxy between a run and its server that records every secret in the requests. */
import http from "node:http";
import { compactDecrypt } from "jose";
import { cardKeys } from "../../../mocks/card-enrollment/keys.ts";
import { listen } from "../support/loopback.ts";

export interface Passed {
  /** The full card numbers that were sent encrypted. */
  readonly cardNumbers: Set<string>;
  readonly emails: Set<string>;
  readonly encryptedCards: Set<string>;
  requests: number;
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
  const passed: Passed = {
    cardNumbers: new Set(),
    emails: new Set(),
    encryptedCards: new Set(),
    requests: 0,
  };
  const { privateKey } = await cardKeys();
  const origin = await listen(
    http.createServer(async (request, response) => {
      passed.requests += 1;
      const body = Buffer.concat(await request.toArray());
      for (const email of body.toString().match(EMAIL) ?? []) passed.emails.add(email.toLowerCase());
      for (const token of body.toString().match(COMPACT_JWE) ?? []) {
        passed.encryptedCards.add(token);
        const number = await cardNumberIn(token, privateKey);
        if (number !== undefined) passed.cardNumbers.add(number);
      }
      const key = String(request.headers[KEY_HEADER] ?? "");
      const headers = { ...request.headers, ...(keys[key] !== undefined && { [KEY_HEADER]: keys[key] }) };
      const { method = "GET", url } = request;
      const onwards = http.request(`${target}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      onwards.end(body);
    }),
  );
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
    const { plaintext } = await compactDecrypt(token, key);
    const { primaryAccountNumber } = JSON.parse(new TextDecoder().decode(plaintext));
    return CARD_NUMBER.test(primaryAccountNumber) ? primaryAccountNumber : undefined;
  } catch {
    return undefined;
  }
};
