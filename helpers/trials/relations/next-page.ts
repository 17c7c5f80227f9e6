/** Finds out how an answer names the next page of its list: with a cursor, a link, or a fact that says whether items follow. */
import { isObject } from "../../contract/json.ts";
import { loose } from "../../contract/names.ts";
import { contentOf, type Exchange } from "../../exchange/exchange.ts";
import type { Call } from "../kit/language.ts";

const NEXT =
  /^(?:next|nextcursor|nextpagecursor|nextpagetoken|nexttoken|nextpage|nextlink|nexturl|nexturi|nextpageurl|nextpageuri|nextmarker|odatanextlink|continuationtoken)$/;

/** Names of what may also repeat the request, or stand on the last page. */
const MAYBE_NEXT = /^(?:after|endcursor|startingafter)$/;

const MORE = /^(?:hasmore|hasnext|hasnextpage|moreavailable|istruncated)$/;

/** The cursor of the next page, or the query of its link. Both are absent on the last page. */
export const nextIn = (
  exchange: Exchange,
): { readonly cursor?: string | number; readonly query?: NonNullable<Call["query"]> } | undefined => {
  const links = linksIn(exchange.response?.headers.link ?? "");
  const [target] = links.find(([, rel]) => rel === "next") ?? [];
  if (target !== undefined) return pageAt(exchange, target);
  const facts = factsIn(contentOf(exchange));
  const named = facts.find(([name]) => NEXT.test(name));
  if (named !== undefined) return namedBy(exchange, named[1]);
  const listed = facts.map(([, value]) => value).find(isListOfLinks) ?? [];
  const all = [...links.map(([, rel]) => rel), ...listed.map(({ rel }) => String(rel))];
  const isOfPages = all.some((rel) => /^(?:next|prev|previous|first|last)$/.test(rel ?? ""));
  if (isOfPages) return namedBy(exchange, listed.find(({ rel }) => rel === "next")?.href ?? null);
  const other = namedBy(exchange, facts.find(([name]) => MAYBE_NEXT.test(name))?.[1]);
  const sent = [...new URL(exchange.request.url).searchParams.values()];
  return other?.cursor === undefined || sent.includes(String(other.cursor)) ? undefined : other;
};

/**
 * Whether an answer says that more items follow; `undefined` when it does not say so.
 * @param isNamed whether an earlier page named the next one
 * @param isFollowed whether only the name of the next page leads to it
 */
export const saysMore = (exchange: Exchange, isNamed: boolean, isFollowed: boolean): boolean | undefined => {
  const facts = factsIn(contentOf(exchange));
  const fact = facts.find(([name, value]) => MORE.test(name) && typeof value === "boolean");
  if (fact !== undefined) return fact[1] === true;
  const next = nextIn(exchange);
  if (next === undefined) return isNamed ? false : undefined;
  if (next.cursor === undefined && next.query === undefined) return isNamed || isFollowed ? false : undefined;
  return facts.some(([name]) => NEXT.test(name)) || next.query !== undefined ? true : undefined;
};

/** Returns the targets and relations of the links in a header (RFC 8288, 3). */
const linksIn = (header: string): (readonly (string | undefined)[])[] =>
  [...header.matchAll(/<([^>]*)>([^<]*)/g)].map(([, target, parameters = ""]) => [
    target,
    /\brel\s*=\s*"?([^";,]*)/i.exec(parameters)?.[1]?.toLowerCase(),
  ]);

/** Returns the fields of a body by name, outermost first, without the items of its lists. */
const factsIn = (body: unknown, depth = 0): (readonly [name: string, value: unknown])[] => {
  if (!isObject(body)) return [];
  const own = Object.entries(body).map(([name, value]) => [loose(name), value] as const);
  return depth === DEEPEST ? own : [...own, ...own.flatMap(([, value]) => factsIn(value, depth + 1))];
};

const DEEPEST = 2;

const isListOfLinks = (
  value: unknown,
): value is readonly { readonly rel: unknown; readonly href: unknown }[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => isObject(one) && "rel" in one && "href" in one);

const namedBy = (exchange: Exchange, value: unknown): ReturnType<typeof nextIn> => {
  if (value === null || value === "") return {};
  if (typeof value === "number") return { cursor: value };
  if (typeof value === "string")
    return /^https?:\/\/|^[/?].*[?=]/.test(value) ? pageAt(exchange, value) : { cursor: value };
  const inner = isObject(value)
    ? (value.href ?? value.url ?? value.cursor ?? value.startingAfter)
    : undefined;
  return typeof inner === "string" ? namedBy(exchange, inner) : undefined;
};

/**
 * Returns the query of a link to a page of the same list. Behind a gateway, a server may know another address of itself.
 */
const pageAt = ({ request: { url } }: Exchange, link: string): ReturnType<typeof nextIn> => {
  if (!URL.canParse(link, url)) return undefined;
  const { pathname, searchParams } = new URL(link, url);
  const last = (path: string): string | undefined => path.split("/").findLast((part) => part !== "");
  if (last(pathname) !== last(new URL(url).pathname) || searchParams.size === 0) return undefined;
  const names = [...new Set(searchParams.keys())];
  return {
    query: Object.fromEntries(
      names.map((name) => {
        const all = searchParams.getAll(name);
        return [name, all.length > 1 ? all : (all[0] ?? "")];
      }),
    ),
  };
};
