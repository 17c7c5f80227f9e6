/** The rows for the diff rules: a pair of schemas or of documents, and the class of the change. */
import type { RuleName } from "../../../../helpers/diff/compare/rules.ts";
import type { EntryClass } from "../../../../helpers/diff/entry.ts";

export type Json = Record<string, unknown>;

export interface SchemaRow {
  readonly about: string;
  readonly rule: RuleName;
  readonly old: unknown;
  readonly new: unknown;
  /** The class of the change in a request. */
  readonly request: EntryClass;
  readonly response: EntryClass;
  /** The classes of the reverse change. */
  readonly back: readonly [request: EntryClass, response: EntryClass];
}

export const schemaRow = (
  about: string,
  rule: RuleName,
  base: unknown,
  revision: unknown,
  [request, response]: readonly [EntryClass, EntryClass],
  back: readonly [EntryClass, EntryClass],
): SchemaRow => ({ about, rule, old: base, new: revision, request, response, back });

export const NARROWS = ["breaking", "compatible"] as const;
export const WIDENS = ["compatible", "breaking"] as const;
export const BOTH = ["breaking", "breaking"] as const;
export const HARMLESS = ["compatible", "compatible"] as const;
export const OPEN = ["undecided", "undecided"] as const;

export const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
export const string = { type: "string" };
export const json = (schema: unknown) => ({ "application/json": { schema } });

export interface WireRow {
  readonly about: string;
  readonly rule: RuleName;
  readonly old: Json;
  readonly new: Json;
  readonly class: EntryClass;
  /** The class of the reverse change. */
  readonly back: EntryClass;
}

export const wireRow = (
  about: string,
  rule: RuleName,
  base: Json,
  revision: Json,
  is: EntryClass,
  back: EntryClass,
): WireRow => ({
  about,
  rule,
  old: base,
  new: revision,
  class: is,
  back,
});
