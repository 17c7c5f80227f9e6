/** Fits a page of the sandbox's own to the recorded pages of the same list: their items, and what they say of the list. */
import type { Operation, Paging } from "../../helpers/contract/contract.ts";
import { hasMore } from "../../helpers/contract/list-end.ts";
import { atPointer } from "../../helpers/contract/pointer.ts";
import type { Answer } from "./call.ts";
import { editAt } from "./values/pointer.ts";

/** The query of a call, and the JSON of its answer. */
interface Page {
  readonly query: Readonly<Record<string, unknown>>;
  readonly json: unknown;
}

/** Whether a parameter of a query only says which page of a list is asked for. */
export const choosesPage = ({ paging }: Operation, name: string): boolean =>
  paging !== undefined && [paging.start, paging.page, paging.limit].includes(name);

export const besideRecorded = (
  operation: Operation,
  query: Page["query"],
  answered: Answer,
  recorded: readonly Page[],
): Answer => {
  const { list, paging } = operation;
  if (list === undefined || paging === undefined || recorded.length === 0) return answered;
  const { written: _, ...answer } = answered;
  const { known, total = Number.POSITIVE_INFINITY } = listIn(operation, recorded);
  const { offset, size, items } = pageOf(operation, { query, json: answer.json });
  const keyOf = keyIn(operation);
  const shown = new Set([...known.values()].map(keyOf));
  const others = items.filter((item) => !shown.has(keyOf(item)));
  const end = Math.min(offset + size, total);
  // A size may be larger than any list.
  const last = Math.min(end, Math.max(offset, ...known.keys()) + items.length + 1);
  const places = Array.from({ length: Math.max(0, last - offset) }, (_, index) => known.get(offset + index));
  const own = places.map((item) => item ?? others.shift()).filter((item) => item !== undefined);
  let json = stated(answer.json, list.items, own);
  json = stated(json, list.displaying, own.length);
  if (!Number.isFinite(total)) return { ...answer, json };
  json = stated(stated(json, list.found, total), list.more, end < total);
  return { ...answer, json: stated(json, list.last, end >= total) };
};

/** Returns the recorded items by their place in the whole list, and how many items that has, if a page says so. */
const listIn = (operation: Operation, recorded: readonly Page[]) => {
  const { list = { items: "" } } = operation;
  const known = new Map<number, unknown>();
  let total: number | undefined;
  for (const page of recorded) {
    const { offset, items } = pageOf(operation, page);
    for (const [index, item] of items.entries()) known.set(offset + index, item);
    const found = list.found === undefined ? undefined : atPointer(page.json, list.found);
    if (Number.isInteger(Number(found))) total = Number(found);
    else if (hasMore(list, page.json) === false) total = offset + items.length;
  }
  return { known, total };
};

/** Writes a fact about the list in the form of the one that is there. */
const stated = (json: unknown, pointer: string | undefined, value: unknown): unknown => {
  const before = pointer === undefined ? undefined : atPointer(json, pointer);
  if (pointer === undefined || before === undefined) return json;
  return editAt(json, pointer, { set: typeof before === "string" ? String(value) : value });
};

const pageOf = ({ list, paging, parameters }: Operation, { query, json }: Page) => {
  const listed = atPointer(json, list?.items ?? "");
  const items: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const { start = "", page = "", limit = "", first = 0 }: Partial<Paging> = paging ?? {};
  const usual = parameters.find(({ name }) => name === limit)?.schema.default;
  const size = Number(query[limit] ?? usual ?? items.length);
  const before = (name: string): number => Number(query[name] ?? first) - first;
  return { offset: query[page] === undefined ? before(start) : before(page) * size, size, items };
};

/** Returns a function that tells items apart, by their identifier if the contract knows it. */
const keyIn = ({ list, finds }: Operation) => {
  const within = `${list?.items}/*`;
  const { pointer = within } = finds.find((one) => one.pointer.startsWith(`${within}/`)) ?? {};
  return (item: unknown): string => JSON.stringify(atPointer(item, pointer.slice(within.length)));
};
