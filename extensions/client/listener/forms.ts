/** Changes the form of a message: more fields, fewer, another order, or other characters that mean the same. */
import type { Message } from "./kind.ts";

/** Adds a field to each object. */
export const withUnknownFields = (body: Message["body"]): Message["body"] => {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed);
    return typeof value === "object" && value !== null ? withUnknownFields(value as Message["body"]) : value;
  };
  const fields = Object.entries(body).map(([name, value]) => [name, changed(value)]);
  return { ...Object.fromEntries(fields), unheardOf: { of: ["field"] } };
};

/** Returns the body without the fields at the pointers. */
export const without = (body: Message["body"], pointers: readonly string[]): Message["body"] => {
  const copy = structuredClone(body);
  for (const pointer of pointers) remove(copy, pointer.split("/").slice(1));
  return copy;
};

const remove = (value: unknown, [name = "", ...rest]: readonly string[]): void => {
  if (typeof value !== "object" || value === null) return;
  const inner = value as Record<string, unknown>;
  if (name === "*") for (const item of Object.values(inner)) remove(item, rest);
  else if (rest.length > 0) remove(inner[name], rest);
  else delete inner[name];
};

/** Returns the same value with the members of each object in the opposite order. */
export const reordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reordered(inner)]),
  );
};

/** Texts for people may have letters of any language. */
export const withLetters = (name: string, value: unknown): unknown =>
  /^(name|description)$/.test(name) && typeof value === "string" ? `${value} é 日本` : value;

/** Writes the first character of each value that is a text as its code, which means the same (RFC 8259, 7). */
export const escaped = (json: string): string =>
  json.replaceAll(/:"([a-zA-Z0-9])/g, (_, [first = ""]: string) => {
    return `:"\\u${first.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
