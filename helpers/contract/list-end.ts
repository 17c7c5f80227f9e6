/** Tells from an answer whether its list is empty, and whether it goes on. */
import type { ListShape } from "./contract.ts";
import { atPointer } from "./pointer.ts";

/** Whether a body says that more items follow; `undefined` when it does not say so. */
export const hasMore = ({ more, last }: Partial<ListShape>, body: unknown): boolean | undefined => {
  const follows = more === undefined ? undefined : booleanIn(atPointer(body, more));
  const ends = last === undefined ? undefined : booleanIn(atPointer(body, last));
  return follows ?? (ends === undefined ? undefined : !ends);
};

/** Services write the value as a text, too. */
const booleanIn = (value: unknown): boolean | undefined => ({ true: true, false: false })[String(value)];

/** @param pointer the place of a member of the items, with `*` for an item */
export const isEmptyList = (body: unknown, pointer: string): boolean => {
  const [list = "", ...items] = pointer.split("/*");
  const found = items.length === 0 ? undefined : atPointer(body, list);
  return Array.isArray(found) && found.length === 0;
};
