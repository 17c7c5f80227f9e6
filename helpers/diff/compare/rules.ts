/** Every rule of the diff: a row on the axes place, keyword and nature. Class and text follow from the row. */

import type { Sender } from "../document/model.ts";
import rules from "./rules.json" with { type: "json" };

/** What was done to a part of a document. */
export type Action = "added" | "removed" | "narrowed" | "widened" | "changed";

/** Of something that differs, and that one side may lack. */
export const actionOf = (old: unknown, fresh: unknown): "added" | "removed" | "changed" => {
  if (old === undefined) return "added";
  return fresh === undefined ? "removed" : "changed";
};

/** Names that either side has, those of the old one first. */
export const namesOf = (old: object | undefined, fresh: object | undefined): ReadonlySet<string> =>
  new Set([...Object.keys(old ?? {}), ...Object.keys(fresh ?? {})]);

/** Whether something that the old document allows may be refused by the new one, and the other way round. */
export interface Effect {
  readonly narrows: boolean;
  readonly widens: boolean;
}

/** What several of them may do. */
export const anyOf = (effects: readonly Effect[]): Effect => ({
  narrows: effects.some(({ narrows }) => narrows),
  widens: effects.some(({ widens }) => widens),
});

/**
 * `demand`: something messages have to keep, so that more of it allows less; `choice`: one of several that messages may
 * take, so that more of them allow more; `meaning`: what is allowed stays the same and means something else;
 * `notice`: nothing changes yet.
 */
export type Nature = "demand" | "choice" | "meaning" | "notice";

export interface Rule {
  readonly place: "schema" | "parameter" | "body" | "response" | "operation" | "component";
  readonly nature: Nature;
  /** What changed, for the text: `longest length`. */
  readonly words: string;
  /** Keywords of the validator's complaint by which a witness shows this change; any where absent. */
  readonly shownBy?: readonly string[];
  /** Why it stays undecided where nothing allowed is refused; absent where it then harms nobody. */
  readonly open?: Reasons;
  /** The same of what was removed alone. */
  readonly openWhenRemoved?: Reasons;
}

type Reasons = Readonly<Partial<Record<Sender, string>>>;

export type RuleName = keyof typeof rules;

export const RULES = rules as Readonly<Record<RuleName, Rule>>;

export const ruleOf = (name: RuleName): Rule => RULES[name];

/** Why a change that refuses nothing stays undecided for those who send the messages; `undefined` where it harms none. */
export const openReason = (name: RuleName, action: Action, sender: Sender): string | undefined => {
  const { open, openWhenRemoved } = ruleOf(name);
  return (action === "removed" ? (openWhenRemoved ?? open) : open)?.[sender];
};

/** What follows for messages from the nature of a rule and what was done. */
export const effectOf = (name: RuleName, action: Action): Effect => {
  const { nature } = ruleOf(name);
  if (nature === "meaning" || nature === "notice") return { narrows: false, widens: false };
  if (action === "changed") return { narrows: true, widens: true };
  if (action === "narrowed" || action === "widened")
    return { narrows: action === "narrowed", widens: action === "widened" };
  const more = action === "added";
  return { narrows: more === (nature === "demand"), widens: more === (nature === "choice") };
};
