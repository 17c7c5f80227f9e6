/** Servers of `notes`, `coins`, `tapes` and `maps`, which know nothing of the product. Each has pages in its own style. */
import { api } from "../../../../tests/self/support/loopback.ts";

export type Style = "offset" | "page" | "cursor" | "link";

/** What a server does otherwise. The first ones are wrong; the others do what no document excludes. */
export type Manner =
  | "overlap"
  | "skips-one"
  | "more-for-ever"
  | "leads-back"
  | "ends-early"
  | "filter-lost"
  | "window-empty"
  | "first-is-0"
  | "first-is-1"
  | "least-size"
  | "fixed-size"
  | "late-items"
  | "empty-last-page"
  | "no-list-if-empty"
  | "not-found-if-empty"
  | "newest-first"
  | "moving-order"
  | "clamps-page"
  | "refuses-window";

interface Item {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly createdAt: string;
}

const KINDS = ["old", "new"];

const made = (number: number, name: string, kind: string, at: number): Item => ({
  ...{ id: `i-${number * 7919}`, name, kind, createdAt: new Date(at).toISOString() },
});

const START = Date.parse("2024-01-01T00:00:00Z");

/** Starts a server with five items. @returns its address */
export const catalogue = (style: Style, ...given: readonly Manner[]): Promise<string> => {
  const has = (manner: Manner): boolean => given.includes(manner);
  const items = ["b", "d", "a", "c", "e"].map((name, index) =>
    made(index + 1, name, KINDS[index % 2] ?? "", START + index * 86_400_000 * 9),
  );
  let reads = 0;
  const sizeIn = (query: URLSearchParams): number => {
    const size = Number(query.get("limit") ?? query.get("per_page") ?? 20);
    return has("fixed-size") ? 2 : has("least-size") ? Math.max(size, 3) : size;
  };
  const startIn = (query: URLSearchParams, size: number, count: number): number => {
    const first = has("first-is-0") ? 0 : has("first-is-1") || style === "page" ? 1 : 0;
    const [offset, page, cursor] = ["offset", "page", "cursor"].map((name) => query.get(name));
    const at =
      page != null
        ? (Number(page) - first) * size
        : offset != null
          ? Number(offset) - first
          : Number(cursor ?? 0);
    const start = at > 0 ? at + (has("overlap") ? -1 : has("skips-one") ? 1 : 0) : at;
    return has("clamps-page") && start >= count ? Math.max(0, Math.floor((count - 1) / size) * size) : start;
  };
  const chosen = (query: URLSearchParams, isNext: boolean): Item[] => {
    const [kind, after, before, by, order] = [
      "kind",
      "createdAfter",
      "createdBefore",
      "sort_by",
      "order",
    ].map((name) => query.get(name));
    const isWithin = ({ createdAt }: Item): boolean =>
      (!after || createdAt >= new Date(after).toISOString()) &&
      (!before || createdAt <= new Date(before).toISOString());
    const isOfKind = (item: Item): boolean => !kind || (has("filter-lost") && isNext) || item.kind === kind;
    const found = items.filter((item) => isWithin(item) && isOfKind(item));
    if (has("window-empty") && (after || before)) return [];
    if (has("newest-first")) found.reverse();
    if (has("moving-order")) found.push(...found.splice(0, reads % 3));
    if (by === "name") found.sort((one, other) => (one.name < other.name ? -1 : 1));
    return order === "desc" ? found.toReversed() : found;
  };
  const listed = (query: URLSearchParams, origin: string) => {
    reads += 1;
    const size = sizeIn(query);
    const all = chosen(query, query.has("cursor"));
    const start = startIn(query, size, all.length);
    const shown = start < 0 ? [] : all.slice(start, start + size);
    const isLast = start + size >= all.length + (has("empty-last-page") ? 1 : 0);
    const further = has("leads-back") && isLast ? 1 : has("more-for-ever") && isLast ? start : start + size;
    const next =
      has("ends-early") || (isLast && !has("leads-back") && !has("more-for-ever")) ? null : further;
    const asked = new URLSearchParams(query);
    asked.set("cursor", String(next));
    const headers: Record<string, string> =
      style === "link" && next !== null ? { link: `<${origin}/maps?${asked}>; rel="next"` } : {};
    if (shown.length === 0 && has("not-found-if-empty")) return { status: 404, json: {} };
    const list = shown.length === 0 && has("no-list-if-empty") ? {} : { items: shown };
    const paging = { next_cursor: next === null ? null : String(next), has_more: next !== null };
    const json = style === "cursor" ? { ...list, paging } : style === "link" ? shown : list;
    return { status: 200, json, headers };
  };
  const added = ({ name, kind = "" }: Partial<Item>) => {
    if (typeof name !== "string" || name === "" || name.length > 20 || !KINDS.includes(kind)) return 400;
    const item = made(items.length + 1, name, kind, Date.now());
    if (has("late-items")) setTimeout(() => items.push(item), 1200);
    else items.push(item);
    return { status: 201, json: item };
  };
  return api(({ method, path, query, headers, fields }) => {
    const [, name = "", id] = path.split("/");
    const item = items.find((one) => one.id === id);
    const isRefused = ["limit", "per_page", "page", "offset"].some((name) => {
      const value = query.get(name);
      const least = name === "offset" || has("first-is-0") ? 0 : 1;
      return value !== null && !(/^\d+$/.test(value) && Number(value) >= least && Number(value) <= 50);
    });
    const isWindow = query.has("createdAfter") || query.has("createdBefore");
    if (!/^(?:notes|coins|tapes|maps)$/.test(name)) return 404;
    if (method === "POST") return added(fields);
    if (id !== undefined) return { status: item ? 200 : 404, json: item ?? {} };
    return isRefused || (isWindow && has("refuses-window")) ? 400 : listed(query, `http://${headers.host}`);
  });
};
