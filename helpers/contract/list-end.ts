/** Tells from an answer whether its list is empty, and whether it goes on. */
import { isObject } from "./json.ts";
import { atPointer } from "./pointer.ts";

/** JSON pointers to a list in a body and to the facts about it; `""` is the body itself. */
export interface ListShape {
  readonly items: string;
  /** True while more items follow. */
  readonly more?: string;
  /** True on the last page. */
  readonly last?: string;
  /** The number of items on all pages. */
  readonly found?: string;
  /** The number of items on this page. */
  readonly displaying?: string;
}

/** Whether a body says that more items follow; `undefined` when it does not say so. */
export const hasMore = ({ more, last }: Partial<ListShape>, body: unknown): boolean | undefined => {
  const follows = more === undefined ? undefined : booleanIn(atPointer(body, more));
  const ends = last === undefined ? undefined : booleanIn(atPointer(body, last));
  return follows ?? (ends === undefined ? undefined : !ends);
};

/** Services write the value as a text, too. */
const booleanIn = (value: unknown): boolean | undefined => ({ true: true, false: false })[String(value)];

/**
 * Whether a body shows that its list has no items. Some servers leave the list out then.
 * @param pointer the place of a member of the items, with `*` for an item
 */
export const isEmptyList = (body: unknown, pointer: string): boolean => {
  const [list = "", ...items] = pointer.split("/*");
  if (items.length === 0) return false;
  const found = atPointer(body, list);
  if (found === undefined) return isObject(body) && !hasItems(body);
  return Array.isArray(found) && found.length === 0;
};

/** Whether a value has a list with items at any depth, which may be the list under another name. */
const hasItems = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isObject(value) && Object.values(value).some(hasItems);
