/** Compares an answer with what its request sent: values that return, and fields that the answer shows or leaves out. */
import { getOrInsert } from "../contract/memoize.ts";
import { atPointer, escapeSegment } from "../contract/pointer.ts";
import type { TextsByPlace } from "./behaviour.ts";
import { MOST_ITEMS } from "./body-form.ts";

/** Compares the texts of an answer with the texts of the same name in its request, and names encrypted ones. */
export const echoesOf = (sent: unknown, received: unknown): TextsByPlace =>
  Object.fromEntries(
    [...textsOf(sent)].flatMap(([place, own]) => {
      const text = own === "" ? undefined : atPointer(received, place);
      const echo = encryptionOf(own) ?? (typeof text === "string" ? likeness(own, text) : undefined);
      return echo === undefined ? [] : [[place, [echo]]];
    }),
  );

const likeness = (given: string, text: string): string => {
  if (given === text) return "as sent";
  return given.toLowerCase() === text.toLowerCase() ? "in other letter case" : "changed";
};

/** Returns the texts of a request that are outside lists, by place. */
export const textsOf = (
  value: unknown,
  place = "",
  texts = new Map<string, string>(),
): ReadonlyMap<string, string> => {
  if (typeof value === "string") texts.set(place, value);
  else if (typeof value === "object" && value !== null && !Array.isArray(value))
    for (const [name, inside] of Object.entries(value))
      textsOf(inside, `${place}/${escapeSegment(name)}`, texts);
  return texts;
};

/** Names the algorithms of an encrypted text (RFC 7516), which an accepted request shows to be right. */
const encryptionOf = (text: string): string | undefined => {
  const [, header] = /^([\w-]+)(?:\.[\w-]*){4}$/.exec(text) ?? [];
  if (header === undefined) return undefined;
  try {
    const { alg, enc } = JSON.parse(Buffer.from(header, "base64url").toString()) as Record<string, string>;
    return `encrypted with ${alg} and ${enc}`;
  } catch {
    return undefined;
  }
};

/**
 * Notes for each field inside an object of the request whether an object of the same name in the answer has it.
 * @param shownAs returns the name of a field without secrets
 */
export const keptOf = (sent: unknown, received: unknown, shownAs: (name: string) => string): TextsByPlace => {
  const given = new Map<string, Set<string>>();
  const kept: Record<string, readonly string[]> = {};
  forObjectsInside(sent, (object, _, last) => {
    for (const name of Object.keys(object)) getOrInsert(given, last, () => new Set()).add(name);
  });
  if (given.size === 0) return kept;
  forObjectsInside(received, (object, path, last) => {
    for (const name of given.get(last) ?? []) {
      const place = [...path, name].map((part) => `/${escapeSegment(shownAs(part))}`).join("");
      const note = Object.hasOwn(object, name) ? "shown" : "left out";
      kept[place] = [...new Set([...(kept[place] ?? []), note])].sort();
    }
  });
  return kept;
};

/**
 * Visits the objects below the top level.
 * @param visit gets the last name of the path, with the index of the item if it is in a list
 */
const forObjectsInside = (
  value: unknown,
  visit: (object: object, path: readonly string[], last: string) => void,
  path: readonly string[] = [],
  last = "",
): void => {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value) && path.length > 0) visit(value, path, last);
  for (const [name, part] of Object.entries(Array.isArray(value) ? value.slice(0, MOST_ITEMS) : value))
    if (typeof part === "object")
      forObjectsInside(
        part,
        visit,
        [...path, name],
        /^\d+$/.test(name) && last !== "" ? `${last}/${name}` : name,
      );
};
