/** Changes the form of a message: more fields, fewer, another order, or other characters that mean the same. */
import { type Json, rewritten } from "../../../helpers/contract/json.ts";
import type { Message } from "./kind.ts";

/** Adds a field to each object. */
export const withUnknownFields = (body: Message["body"]): Message["body"] =>
  rewritten(body, (object) => ({ ...object, unheardOf: { of: ["field"] } })) as Message["body"];

/** Returns the body without the fields at the pointers. */
export const without = (body: Message["body"], pointers: readonly string[]): Message["body"] => {
  const copy = structuredClone(body);
  for (const pointer of pointers) remove(copy, pointer.split("/").slice(1));
  return copy;
};

const remove = (value: unknown, [name = "", ...rest]: readonly string[]): void => {
  if (typeof value !== "object" || value === null) return;
  const inner = value as Json;
  if (name === "*") for (const item of Object.values(inner)) remove(item, rest);
  else if (rest.length > 0) remove(inner[name], rest);
  else delete inner[name];
};

/** Returns the same body with the members of each object in the opposite order. */
export const reordered = (body: Message["body"]): Message["body"] =>
  rewritten(body, (object) => Object.fromEntries(Object.entries(object).reverse())) as Message["body"];

/** Texts for people may have letters of any language. */
export const withLetters = (name: string, value: unknown): unknown =>
  /^(name|description)$/.test(name) && typeof value === "string" ? `${value} é 日本` : value;

/** Writes the first character of each value that is a text as its code, which means the same (RFC 8259, 7). */
export const escaped = (json: string): string =>
  json.replaceAll(/:"([a-zA-Z0-9])/g, (_, [first = ""]: string) => {
    return `:"\\u${first.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
