/** Tells whether two requests are equal. */
import { memoize } from "../../../helpers/contract/memoize.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";

/** Names of query parameters that make a URL different each time, against caches. */
const OF_ONE_ATTEMPT = /^(_+|ts|time_?stamp|nonce|rnd|rand(om)?|cache_?bust(er)?)$/i;

/**
 * Equal for requests with the same method, URL and body. What a client makes anew for each attempt does not count. Several
 * checks ask for the key of one exchange.
 */
export const requestOf = memoize(
  ({ exchange: { request }, marks }: Seen): string =>
    `${request.method} ${withoutAttempt(request.url)} ${marks.body ?? ""}`,
);

/** Returns a URL without the parameters that a client makes anew for each attempt. */
export const withoutAttempt = (text: string): string => {
  if (!text.includes("?") || !URL.canParse(text)) return text;
  const url = new URL(text);
  const names = [...url.searchParams.keys()].filter((name) => OF_ONE_ATTEMPT.test(name));
  for (const name of names) url.searchParams.delete(name);
  return names.length === 0 ? text : url.href;
};
