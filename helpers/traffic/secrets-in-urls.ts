/** Removes credentials from recorded URLs, because no redactor knows the tokens of clients. */

import type { Exchange } from "../exchange/exchange.ts";
import { jsonOf } from "../exchange/json-of.ts";
import { isPlaceholder } from "./masks.ts";
import { decodedSegment } from "./match.ts";
import { Memory } from "./memory.ts";

/** Shorter values occur in URLs by chance. */
const SHORTEST = 8;
const KEPT = 5_000;

export interface SecretsInUrls {
  /** Stores a credential of a client. @param name its replacement, in the style of an environment variable */
  learn(value: string, name: string): void;
  /** Returns the same exchange if its URL contains no known credential. */
  withoutSecrets(exchange: Exchange): Exchange;
}

export const createSecretsInUrls = (): SecretsInUrls => {
  const known = new Memory<string, string>(KEPT);
  return {
    learn(value, name) {
      for (const part of value.split(" "))
        if (part.length >= SHORTEST && !isPlaceholder(part) && !known.has(part)) known.set(part, name);
    },
    withoutSecrets(exchange) {
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
