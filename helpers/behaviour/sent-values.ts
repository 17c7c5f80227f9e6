/** Compares an answer with what its request sent: values that return, and fields that the answer shows or leaves out. */
import { keptIn } from "../contract/once.ts";
import { escapeSegment, segmentsOf } from "../contract/pointer.ts";
import type { TextsByPlace } from "./behaviour.ts";
import { MOST_ITEMS } from "./body-form.ts";

const NOTHING: TextsByPlace = {};

/** Compares the texts of an answer with the texts of the same name in its request, and names encrypted ones. */
export const echoesOf = (sent: unknown, received: unknown): TextsByPlace => {
  const given = textsOf(sent);
  if (given.size === 0) return NOTHING;
  const echoes: Record<string, readonly string[]> = {};
  for (const [place, own] of given) {
    const text = own === "" ? undefined : textAt(received, place);
    if (text !== undefined) echoes[place] = [likeness(own, text)];
  }
  for (const [place, text] of given) {
    const algorithms = encryptionOf(text);
    if (algorithms !== undefined) echoes[place] = [algorithms];
  }
  return echoes;
};

/** Returns the text at a place outside lists. */
const textAt = (value: unknown, place: string): string | undefined => {
  let here = value;
  for (const name of segmentsOf(place)) {
    if (typeof here !== "object" || here === null || Array.isArray(here) || !Object.hasOwn(here, name))
      return undefined;
    here = (here as Record<string, unknown>)[name];
  }
  return typeof here === "string" ? here : undefined;
};

const likeness = (given: string, text: string): string => {
  if (given === text) return "as sent";
  return given.toLowerCase() === text.toLowerCase() ? "in other letter case" : "changed";
};

/** Returns the texts of a request that are outside lists. */
export const sentTexts = (sent: unknown): ReadonlySet<string> => new Set(textsOf(sent).values());

/** Returns the texts outside lists, by place. */
const textsOf = (value: unknown, place = "", texts = new Map<string, string>()): Map<string, string> => {
  if (typeof value === "string") texts.set(place, value);
  else if (typeof value === "object" && value !== null && !Array.isArray(value))
    for (const [name, inside] of Object.entries(value))
      textsOf(inside, `${place}/${escapeSegment(name)}`, texts);
  return texts;
};

/** Names the algorithms of an encrypted text (RFC 7516), which an accepted request shows to be right. */
const encryptionOf = (text: string): string | undefined => {
  const [, header] = /^([\w-]+)(?:\.[\w-]*){4}$/.exec(text) ?? [];
  return header === undefined ? undefined : algorithmsIn(header);
};

const algorithmsIn = (header: string): string | undefined => {
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
export const keptOf = (
  sent: unknown,
  received: unknown,
  shownAs: (name: string) => string,
): TextsByPlace | undefined => {
  const given = new Map<string, Set<string>>();
  forObjectsInside(sent, (object, _, last) => {
    for (const name of Object.keys(object)) keptIn(given, last, () => new Set()).add(name);
  });
  if (given.size === 0) return undefined;
  const kept: Record<string, readonly string[]> = {};
  forObjectsInside(received, (object, path, last) => {
    const names = given.get(last);
    if (names === undefined) return;
    const place = path.map((name) => `/${escapeSegment(shownAs(name))}`).join("");
    for (const name of names) {
      const key = `${place}/${escapeSegment(shownAs(name))}`;
      const note = Object.hasOwn(object, name) ? "shown" : "left out";
      const known = kept[key];
      if (known === undefined) kept[key] = [note];
      else if (!known.includes(note)) kept[key] = [...known, note].sort();
    }
  });
  return Object.keys(kept).length === 0 ? undefined : kept;
};

/** @param last the last name of the path, with the index of the item if it is in a list */
/** Visits the objects below the top level. */
const forObjectsInside = (
  value: unknown,
  visit: (object: object, path: readonly string[], last: string) => void,
): void => {
  const path: string[] = [];
  const walk = (node: unknown, last: string): void => {
    if (typeof node !== "object" || node === null) return;
    if (!Array.isArray(node) && path.length > 0) visit(node, path, last);
    const parts: object = Array.isArray(node) ? node.slice(0, MOST_ITEMS) : node;
    for (const name of Object.keys(parts)) {
      const part = (parts as Record<string, unknown>)[name];
      if (typeof part !== "object") continue;
      path.push(name);
      walk(part, last !== "" && /^\d+$/.test(name) ? `${last}/${name}` : name);
      path.pop();
    }
  };
  walk(value, "");
};
