/** Edits at JSON pointers (RFC 6901), with `*` for every item of an array. */
import { segmentsOf } from "../../../helpers/contract/pointer.ts";

/** A change of one value; `remove` deletes the property. */
export type Edit = { readonly set: unknown } | { readonly remove: true };

/** Returns a copy with the edit at every place that the pointer matches, or the value itself if it matches none. */
export const editAt = (value: unknown, pointer: string, edit: Edit): unknown =>
  edited(value, segmentsOf(pointer), edit);

type Container = Record<string, unknown>;

const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

const edited = (value: unknown, tokens: readonly string[], edit: Edit): unknown => {
  const [token, ...rest] = tokens;
  if (token === undefined) return "set" in edit ? edit.set : undefined;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      token === "*" || token === String(index) ? edited(item, rest, edit) : item,
    );
  }
  if (!isContainer(value) || (rest.length > 0 && !Object.hasOwn(value, token))) return value;
  if (rest.length === 0 && "remove" in edit) {
    const { [token]: _, ...others } = value;
    return others;
  }
  return { ...value, [token]: edited(value[token], rest, edit) };
};
