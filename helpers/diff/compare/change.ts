/** One difference between two documents, before anybody has asked whether it breaks something. */
import type { Both } from "../document/model.ts";
import type { Action, Effect, RuleName } from "./rules.ts";

/** A step from a schema to one inside it, in terms of the instance. */
export type Step =
  | { readonly kind: "property"; readonly name: string }
  | { readonly kind: "item"; readonly index?: number }
  /** A property that no keyword names, or one that the pattern describes. */
  | { readonly kind: "other"; readonly pattern?: string }
  /** The same instance, by way of an alternative or a condition; the nodes of both sides where there are two. */
  | { readonly kind: "way"; readonly label: string; readonly old?: unknown; readonly new?: unknown };

export interface Change {
  readonly rule: RuleName;
  readonly action: Action;
  /** Values of the keyword; absent where there was none or is none. */
  readonly old?: unknown;
  readonly new?: unknown;
  readonly effect: Effect;
  /** What it is about, where the keyword alone does not say: the name of a property, a parameter, a status. */
  readonly subject?: string;
  /** Said of it beyond the rule: `without notice`. */
  readonly note?: string;
}

export interface SchemaChange extends Change {
  /** From the schema of the unit to the one that changed. */
  readonly steps: readonly Step[];
  /** Index of the first step (or the number of steps) from which more does not simply mean more: `oneOf`, `not`. */
  readonly simpleUntil: number;
  /**
   * Of a property that counts only because other schemas of its place name it: what they say. A message shows the change
   * with a value that one of them takes.
   */
  readonly namedBy?: readonly unknown[];
  /** The two schemas at the place, references resolved. */
  readonly nodes: Both<unknown>;
}
