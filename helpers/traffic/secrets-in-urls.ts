/** Learns the credentials of clients, and removes them from recorded URLs before anything reads these. */
import { percentDecoded } from "../contract/pointer.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { jsonOf } from "../exchange/json-of.ts";
import { partsOfSecret } from "../exchange/secrets/secrets.ts";
import { isPlaceholder } from "./masks.ts";
import { Memory } from "./memory.ts";

/** Shorter values occur in URLs by chance. */
const SHORTEST = 8;
const KEPT = 5_000;

/** A redactor searches each text for all secrets that it knows. Clients have few keys, and new tokens now and then. */
const MOST_REDACTED = 50;

/** @param redact makes the redactor learn a credential, which later answers may repeat */
export const createSecretsInUrls = (redact: (value: string, name: string) => void) => {
  const known = new Memory<string, string>(KEPT);
  const sure = new Memory<string, true>(KEPT);
  /** Values of persons, such as social security numbers. An id in a path may be the same number by chance. */
  const personal = new Memory<string, string>(KEPT);
  let redacted = 0;
  return {
    /**
     * Stores a credential of a client.
     * @param name its replacement, in the style of an environment variable
     * @param isSure whether it is a credential by the contract or by its field, and not only by the name of a header
     */
    learn(value: string, name: string, isSure = true): void {
      for (const part of [value, ...partsOfSecret(value)]) {
        if (part.length < SHORTEST || isPlaceholder(part)) continue;
        if (isSure) sure.set(part, true);
        if (known.has(part)) continue;
        known.set(part, name);
        redacted += 1;
        if (redacted <= MOST_REDACTED) redact(part, name);
      }
    },
    /** Stores a value of a person, which is removed from queries only. */
    learnPersonal(value: string, name: string): void {
      if (value.length >= SHORTEST && !isPlaceholder(value)) personal.set(value, name);
    },
    /** Whether a text is surely a credential of a client. */
    isCredential: (text: string): boolean => sure.has(text),
    /** Returns the same exchange if its URL contains no known credential. */
    withoutSecrets(exchange: Exchange): Exchange {
      const { url } = exchange.request;
      const inUrl = partsOf(url).filter((part) => known.has(part));
      const inQuery = partsOf(url.split("?").slice(1).join("?")).filter((part) => personal.has(part));
      return [...inUrl, ...inQuery].reduce(
        (done, part) => without(done, part, `‹${known.get(part) ?? personal.get(part)}›`),
        exchange,
      );
    },
  };
};

/** Returns the segments and values of a URL, as they are sent and as they are meant. */
const partsOf = (url: string): string[] => {
  const parts = url.split(/[/?&=#;]/);
  const coded = parts.filter((part) => part.includes("%"));
  return [...parts, ...coded.flatMap((part) => percentDecoded(part).split(" "))];
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
