/** One difference between two documents, before it is known whether it breaks a client or a service. */
import type { Both } from "../document/model.ts";
import type { Action, Effect, RuleName } from "./rules.ts";

/** A step from a schema to a schema inside it, described as a step in the instance. */
export type SchemaStep =
  | { readonly kind: "property"; readonly name: string }
  | { readonly kind: "item"; readonly index?: number }
  /** A property that no keyword names, or a property that matches the pattern. */
  | { readonly kind: "other"; readonly pattern?: string }
  /** The same instance, through an alternative or a condition, with the nodes of both sides if both have one. */
  | { readonly kind: "way"; readonly label: string; readonly old?: unknown; readonly new?: unknown };

export interface Change {
  readonly rule: RuleName;
  readonly action: Action;
  /** Values of the keyword; absent on a side that lacks the keyword. */
  readonly old?: unknown;
  readonly new?: unknown;
  readonly effect: Effect;
  /** The name of a property, a parameter or a status, if the keyword does not identify it. */
  readonly subject?: string;
  /** An addition to the rule: `without deprecation`. */
  readonly note?: string;
  /** Whether the change was announced for a day that is over, so that it breaks nobody. */
  readonly isAnnounced?: true;
}

export interface SchemaChange extends Change {
  /** The steps from the schema of the unit to the changed one. */
  readonly steps: readonly SchemaStep[];
  /** Index of the first step after which a narrower schema may allow more (`oneOf`, `not`), or the number of steps. */
  readonly simpleUntil: number;
  /**
   * Other schemas of the place that name the property, if the change has an effect only because of these schemas. A
   * generated value then matches one of them.
   */
  readonly namedBy?: readonly unknown[];
  /** The two schemas at the place, with references resolved. */
  readonly nodes: Both<unknown>;
}
