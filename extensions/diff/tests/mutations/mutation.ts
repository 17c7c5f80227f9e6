/** One mutation of a document in both directions, with the class that each direction must get. */
import type { EntryClass } from "../../../../helpers/contract/documents/upgrade.ts";

export type Json = Record<string, unknown>;

/** The versions of OpenAPI in which a mutation can be written. */
export type Version = "3.0.3" | "3.1.0";

/** The classes of a mutation and of its reverse: `B` breaking, `U` undecided, `C` compatible, `-` no entry at all. */
export type Classes = string;

export const CLASSES: Readonly<Record<string, EntryClass | "none">> = {
  B: "breaking",
  U: "undecided",
  C: "compatible",
  "-": "none",
};

export interface SchemaMutation {
  readonly about: string;
  /** The rules that the diff reports, in alphabetical order; `none` for no entry at all. */
  readonly rules: string;
  readonly old: unknown;
  readonly new: unknown;
  /** The class in a request, and of the reverse. */
  readonly request: Classes;
  readonly response: Classes;
  /** The class in a query parameter; absent if the schema cannot be written as one text. */
  readonly query?: Classes;
  readonly versions: readonly Version[];
}

export interface WireMutation extends Pick<SchemaMutation, "about" | "rules" | "versions"> {
  readonly old: Json;
  readonly new: Json;
  readonly classes: Classes;
}

export const BOTH: readonly Version[] = ["3.0.3", "3.1.0"];
export const ONLY_30: readonly Version[] = ["3.0.3"];
export const ONLY_31: readonly Version[] = ["3.1.0"];

/** A mutation as a row. The classes of a schema are those in a request, in a response and in a query. */
type Line<Part> = readonly [about: string, rules: string, classes: string, old: Part, new: Part];
export type SchemaLine = Line<unknown>;
export type WireLine = Line<Json>;

/** Returns rows that have in common what a function adds to the parts that differ. */
export const completed =
  <Part, Whole>(complete: (part: Part) => Whole) =>
  (lines: readonly Line<Part>[]): Line<Whole>[] =>
    lines.map(([about, rules, classes, ...parts]) => {
      const [old, revision] = parts.map((part) => complete(part)) as [Whole, Whole];
      return [about, rules, classes, old, revision];
    });

/** Returns rows of schemas that have these keywords in common. */
export const beside = (schema: Json, lines: readonly Line<Json>[]): Line<Json>[] =>
  completed((more: Json) => ({ ...schema, ...more }))(lines);

export const schemaMutations =
  (versions: readonly Version[]) =>
  ([about, rules, classes, base, revision]: SchemaLine): SchemaMutation => {
    const [request = "", response = "", query] = classes.split(" ");
    return { about, rules, old: base, new: revision, request, response, versions, ...(query && { query }) };
  };

export const wireMutations =
  (versions: readonly Version[]) =>
  ([about, rules, classes, base, revision]: WireLine): WireMutation => {
    return { about, rules, classes, old: base, new: revision, versions };
  };
