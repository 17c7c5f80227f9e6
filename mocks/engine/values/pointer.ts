/** Edits at JSON pointers (RFC 6901), with `*` for every item of an array. */
import { segmentsOf } from "../../../helpers/contract/pointer.ts";
import { type Conversion, converted } from "./conversions.ts";

/**
 * A change of one value: `remove` deletes the property, `rename` gives it another name, `convert` writes the same value
 * in another form, and `lengthen` makes a text that long.
 */
export type Edit =
  | { readonly set: unknown }
  | { readonly remove: true }
  | { readonly rename: string }
  | { readonly convert: Conversion }
  | { readonly lengthen: number };

/** Returns a copy with the edit at every place that the pointer matches, or the value itself if it matches none. */
export const editAt = (value: unknown, pointer: string, edit: Edit): unknown =>
  edited(value, segmentsOf(pointer), edit);

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const edited = (value: unknown, tokens: readonly string[], edit: Edit): unknown => {
  const [token, ...rest] = tokens;
  if (token === undefined) return changed(value, edit);
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      token === "*" || token === String(index) ? edited(item, rest, edit) : item,
    );
  }
  if (!isContainer(value) || (rest.length > 0 && !Object.hasOwn(value, token))) return value;
  if (rest.length === 0 && ("remove" in edit || "rename" in edit)) {
    const { [token]: taken, ...others } = value;
    if (taken === undefined) return value;
    return "remove" in edit ? others : { ...others, [edit.rename]: taken };
  }
  if (rest.length === 0 && !("set" in edit) && value[token] === undefined) return value;
  return { ...value, [token]: edited(value[token], rest, edit) };
};

const changed = (value: unknown, edit: Edit): unknown => {
  if ("set" in edit) return edit.set;
  if ("convert" in edit) return converted(value, edit.convert);
  if ("lengthen" in edit) return typeof value === "string" ? value.padEnd(edit.lengthen, " and more") : value;
  return undefined;
};
