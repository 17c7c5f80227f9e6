/** Checks that a client reads all pages of a list. */
import { hasMore } from "../../../helpers/contract/list-end.ts";
import { atPointer } from "../../../helpers/contract/pointer.ts";
import { type CheckResult, HOLDS, violation } from "../../../helpers/exchange/check-result.ts";
import { isAccepted } from "../../../helpers/exchange/exchange.ts";
import { Memory } from "../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { history } from "./check.ts";

interface Page {
  readonly seen: Seen;
  /** The number of its first item, or of the page. */
  readonly start: number;
  /** The number of items on a page. */
  readonly count: number;
  /** The start of the page that follows. */
  readonly next: number;
  readonly more: boolean;
}

interface ReadList {
  readonly pages: Map<number, Page>;
  /** The number of exchanges of the client before the latest page. */
  at: number;
}

/** The number of other requests after which a client has done with a list. */
const OTHERS = 3;
/** The same for a list that the client asked for as a whole, in a recording whose client did not fail. */
const OTHERS_OF_PLAIN = 2;
const PAGES_KEPT = 1_000;

export const readsFurtherPages = history("a list that does not fit on one page", ({ show, tell, atEnd }) => {
  const open = new Memory<string, ReadList>(1_000);
  let exchanges = 0;
  // A client that ended right after a page, or failed, may not have come to the next one.
  atEnd(({ exitCode }) => {
    for (const reading of open.values()) {
      const problem = problemOf(reading);
      const others = exitCode === undefined && isPlain(reading) ? OTHERS_OF_PLAIN : OTHERS;
      const isDone = exchanges - reading.at >= others || exitCode === 0;
      if (problem === undefined) continue;
      if (isDone && !isFirstOfSearch(reading)) show(problem, ...firstOf(reading));
      else if (isDone) tell("the first page of a search was read, and no further one");
      else tell("the traffic ends soon after a page that others follow");
    }
  });
  return (seen) => {
    exchanges += 1;
    if (seen.operation?.list === undefined || !isAccepted(seen.exchange)) return;
    const key = keyOf(seen);
    const more = hasMore(seen.operation.list, seen.answer) ?? hasFurtherItems(seen);
    // A recording may contain only a part of a page.
    if (more === undefined) open.delete(key);
    const known = open.get(key);
    const page = more === undefined ? undefined : pageOf(seen, more);
    const { first = 1 } = seen.operation.paging ?? {};
    if (page === undefined || (known === undefined && !(page.more && page.start <= first))) return;
    const reading = known ?? { pages: new Map<number, Page>(), at: 0 };
    if (reading.pages.size < PAGES_KEPT) reading.pages.set(page.start, page);
    reading.at = exchanges;
    open.set(key, reading);
    if (problemOf(reading) !== undefined) return;
    open.delete(key);
    show(HOLDS, seen, ...firstOf(reading));
  };
});

/** Whether the number of all items, in an answer without another sign, says that more of them follow. */
const hasFurtherItems = (seen: Seen): boolean | undefined => {
  const { list, paging } = seen.operation ?? {};
  const [found, items] = [list?.found, list?.items].map((pointer = "") => atPointer(seen.answer, pointer));
  const page = pageOf(seen, true);
  if (typeof found !== "number" || !Array.isArray(items) || paging === undefined || page === undefined)
    return undefined;
  const before = Math.max(0, page.start - paging.first);
  return found > (paging.start === undefined ? before * page.count : before) + items.length;
};

/** Whether a client asked for a list without a limit of its own. */
const isPlain = ({ pages }: ReadList): boolean =>
  [...pages.values()].every(({ seen: { query, operation } }) => !query.has(operation?.paging?.limit ?? ""));

/** Equal for the pages of one list. */
const keyOf = ({ exchange, query, operation }: Seen): string => {
  const { start, page, limit } = operation?.paging ?? {};
  const others = [...query].filter(([name]) => ![start, page, limit].includes(name)).sort();
  return `${exchange.operationId} ${new URL(exchange.request.url).pathname} ${JSON.stringify(others)}`;
};

const pageOf = (seen: Seen, more: boolean): Page | undefined => {
  const { operation, query, answer } = seen;
  const { start: item, page, limit, first = 1 } = operation?.paging ?? {};
  const start = Number(query.get(item ?? page ?? "") ?? first);
  const items = atPointer(answer, operation?.list?.items ?? "");
  const count = Math.max(Number(query.get(limit ?? "") ?? 0), Array.isArray(items) ? items.length : 0);
  if (Number.isNaN(start) || Number.isNaN(count)) return undefined;
  return { seen, start, count, next: start + (item === undefined ? 1 : count), more };
};

/**
 * Whether a client has only read the first page of a search or of the newest items. The best matches are there, so it may
 * show just these, and a client that knows the older items needs no more.
 */
const isFirstOfSearch = ({ pages }: ReadList): boolean =>
  pages.size === 1 &&
  [...pages.values()].some(({ seen: { query } }) =>
    [...query].some(([name, value]) => /search|name/i.test(name) || (name === "sort" && value === "desc")),
  );

const firstOf = ({ pages }: ReadList): readonly Seen[] =>
  [...pages.values()].slice(0, 1).map(({ seen }) => seen);

const problemOf = ({ pages }: ReadList): CheckResult | undefined => {
  // Pages may be read in parallel, so their order does not matter.
  const sorted = [...pages.values()].sort((a, b) => a.start - b.start);
  const skipped = sorted.find(({ next }, index) => (sorted[index + 1]?.start ?? next) > next);
  if (skipped !== undefined)
    return incomplete("a page of a list was skipped", `no request from ${skipped.next}`);
  if (sorted.at(-1)?.more !== true) return undefined;
  return sorted.length === 1
    ? incomplete("only the first page of a list was read", "no request for another page")
    : incomplete("a list was not read to its last page", `no request from ${sorted.at(-1)?.next}`);
};

const incomplete = (message: string, actual: string): CheckResult =>
  violation({ message, expected: "the next page, because the answer says that more items follow", actual });

/** The number of equal overlaps in a row that no change of the list explains. */
const OVERLAPS = 2;

/** Checks that a client gives the number of the next item where the list takes one: not the number of a page, or one too low. */
export const pagesByItem = history(
  "two pages of a list that begins with the number of an item",
  ({ show, tell }) => {
    const lists = new Memory<string, { last: Page; overlap: number; times: number }>(1_000);
    return (seen) => {
      if (seen.operation?.paging?.start === undefined || !isAccepted(seen.exchange)) return;
      const page = pageOf(seen, true);
      if (page === undefined) return;
      const known = lists.get(keyOf(seen));
      lists.set(keyOf(seen), { last: page, overlap: 0, times: 0 });
      if (known === undefined || page.start <= known.last.start) return;
      const overlap = known.last.next - page.start;
      const times = overlap === known.overlap ? known.times + 1 : 1;
      lists.set(keyOf(seen), { last: page, overlap, times });
      if (overlap <= 0) show(HOLDS, seen);
      else if (times === OVERLAPS) show(overlaps(known.last, page), seen);
      else tell("the next page of a list began within the page before, once");
    };
  },
);

const overlaps = ({ start, next }: Page, page: Page): CheckResult =>
  violation({
    message: "pages of a list overlap by the same number of items, and the list takes the number of an item",
    ...{ expected: `start ${next} after the page from ${start}`, actual: `start ${page.start}` },
  });
