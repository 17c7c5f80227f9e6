/** A name that a call carries in several places. A server may read it in any of them, so a trial changes it in all. */
import { isObject } from "../contract/json.ts";
import { loose } from "../contract/names.ts";
import type { Call } from "./call.ts";
import { writtenText } from "./written-parameter.ts";

type Place = "query" | "headers" | "json";

/**
 * Returns the call with the value of a name in the other places that carry it too. The body leaves an optional name out,
 * so that no rule of the body refuses a value that a parameter tries.
 * @param place where the call already has the value; the path carries no value that can be left out
 * @param value `undefined` to leave the name out
 */
export const inOtherPlaces = (
  call: Call,
  { place, name }: { readonly place: Place | "path"; readonly name: string },
  value: unknown,
  isValidBody: (json: unknown) => boolean,
): Call => {
  let changed = call;
  for (const other of PLACES) {
    const carried = call[other];
    if (other === place || !isObject(carried)) continue;
    const same = Object.keys(carried).filter((key) => loose(key) === loose(name));
    if (same.length === 0) continue;
    const others = Object.fromEntries(Object.entries(carried).filter(([key]) => !same.includes(key)));
    const isLeftOut = value === undefined || (other === "json" && isValidBody(others));
    const written = other === "json" ? value : writtenText(value);
    const kept = isLeftOut
      ? others
      : { ...carried, ...Object.fromEntries(same.map((key) => [key, written])) };
    changed = { ...changed, [other]: kept };
  }
  return changed;
};

const PLACES: readonly Place[] = ["query", "headers", "json"];
