/** Learns the credentials of clients, and removes them from recorded URLs before anything reads these. */

import type { Exchange } from "../exchange/exchange.ts";
import { jsonOf } from "../exchange/json-of.ts";
import { partsOfSecret } from "../exchange/secret-parts.ts";
import { isPlaceholder } from "./masks.ts";
import { decodedSegment } from "./match.ts";
import { Memory } from "./memory.ts";

/** Shorter values occur in URLs by chance. */
const SHORTEST = 8;
const KEPT = 5_000;

/** A redactor searches each text for all secrets that it knows. Clients have few keys, and new tokens now and then. */
const MOST_REDACTED = 50;

/** @param redact makes the redactor learn a credential, which later answers may repeat */
export const createSecretsInUrls = (redact: (value: string, name: string) => void) => {
  const known = new Memory<string, string>(KEPT);
  let redacted = 0;
  return {
    /** Stores a credential of a client. @param name its replacement, in the style of an environment variable */
    learn(value: string, name: string): void {
      for (const part of [value, ...partsOfSecret(value)]) {
        if (part.length < SHORTEST || isPlaceholder(part) || known.has(part)) continue;
        known.set(part, name);
        redacted += 1;
        if (redacted <= MOST_REDACTED) redact(part, name);
      }
    },
    /** Returns the same exchange if its URL contains no known credential. */
    withoutSecrets(exchange: Exchange): Exchange {
      const parts = exchange.request.url.split(/[/?&=#;]/);
      const coded = parts
        .filter((part) => part.includes("%"))
        .flatMap((part) => decodedSegment(part).split(" "));
      const found = [...parts, ...coded].filter((part) => known.has(part));
      return found.reduce((done, part) => without(done, part, `‹${known.get(part)}›`), exchange);
    },
  };
};

/** A service may repeat the URL in its answer. */
const without = (exchange: Exchange, secret: string, name: string): Exchange => {
  const { request, response } = exchange;
  const cleaned = (text: string): string =>
    text.replaceAll(secret, name).replaceAll(encodeURIComponent(secret), name);
  const answer = (received: NonNullable<Exchange["response"]>): typeof received => {
    const body = Buffer.from(cleaned(received.body.toString("utf8")));
    return received.body.includes(secret) ? { ...received, body, ...jsonOf(body) } : received;
  };
  return {
    ...exchange,
    request: { ...request, url: cleaned(request.url) },
    ...(response && { response: answer(response) }),
  };
};
