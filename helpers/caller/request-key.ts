/** Tells whether two requests are equal. */
import type { Seen } from "../traffic/seen.ts";

/** Names of query parameters that make a URL different each time, against caches. */
const OF_ONE_ATTEMPT = /^(_+|ts|time_?stamp|nonce|rnd|rand(om)?|cache_?bust(er)?)$/i;

/** Equal for requests with the same method, URL and body. What a client makes anew for each attempt does not count. */
export const requestOf = ({ exchange, marks, query }: Seen): string => {
  const { method, url } = exchange.request;
  return `${method} ${[...query.keys()].some((name) => OF_ONE_ATTEMPT.test(name)) ? withoutThem(url) : url} ${marks.body ?? ""}`;
};

const withoutThem = (text: string): string => {
  const url = new URL(text);
  for (const name of [...url.searchParams.keys()])
    if (OF_ONE_ATTEMPT.test(name)) url.searchParams.delete(name);
  return url.href;
};
