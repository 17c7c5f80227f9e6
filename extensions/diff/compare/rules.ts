/** The rules of the diff. The place, keyword and nature of a rule determine the class and the text of a change. */
import type { BreakingChange } from "../../../helpers/contract/documents/upgrade.ts";
import type { Sender } from "../document/model.ts";
import rules from "./rules.json" with { type: "json" };

/** The kind of change to a part of a document. */
export type Action = BreakingChange["action"];

/** Returns the action for a value that differs or that one side lacks. */
export const actionOf = (base: unknown, revision: unknown): "added" | "removed" | "changed" => {
  if (base === undefined) return "added";
  return revision === undefined ? "removed" : "changed";
};

/** Returns the names of both sides, with the names of the old side first. */
export const namesOf = (base: object | undefined, revision: object | undefined): ReadonlySet<string> =>
  new Set([...Object.keys(base ?? {}), ...Object.keys(revision ?? {})]);

/** Whether the new document may refuse what the old document allows (`narrows`), and the reverse (`widens`). */
export interface Effect {
  readonly narrows: boolean;
  readonly widens: boolean;
}

/** Returns the combined effect. */
export const anyOf = (effects: readonly Effect[]): Effect => ({
  narrows: effects.some(({ narrows }) => narrows),
  widens: effects.some(({ widens }) => widens),
});

export interface Rule {
  readonly place: "schema" | "parameter" | "body" | "response" | "operation" | "component";
  /**
   * `demand`: a condition for messages, so an addition allows less; `choice`: an alternative for messages, so an addition
   * allows more; `meaning`: the same messages are allowed, but they mean something else; `notice`: nothing changes yet.
   */
  readonly nature: "demand" | "choice" | "meaning" | "notice";
  /** The name of the changed part, for the text: `maximum length`. */
  readonly words: string;
  /** Keywords of the validation errors that prove this change. If absent, any keyword proves it. */
  readonly shownBy?: readonly string[];
  /** Why a change that refuses no allowed message is undecided, for both senders or by sender. If absent, it breaks no party. */
  readonly open?: string | Readonly<Partial<Record<Sender, string>>>;
  /** The same as `open`, for a removal. */
  readonly openWhenRemoved?: Rule["open"];
}

export type RuleName = keyof typeof rules;

export const RULES = rules as Readonly<Record<RuleName, Rule>>;

export const ruleOf = (name: RuleName): Rule => RULES[name];

/** Returns why a change that refuses nothing is undecided for the sender; `undefined` if the change is harmless. */
export const openReason = (name: RuleName, action: Action, sender: Sender): string | undefined => {
  const { open, openWhenRemoved } = ruleOf(name);
  const reason = action === "removed" ? (openWhenRemoved ?? open) : open;
  return typeof reason === "string" ? reason : reason?.[sender];
};

/** Returns the effect that follows from the nature of a rule and the action. */
export const effectOf = (name: RuleName, action: Action): Effect => {
  const { nature } = ruleOf(name);
  if (nature === "meaning" || nature === "notice") return { narrows: false, widens: false };
  if (action === "changed") return { narrows: true, widens: true };
  if (action === "narrowed" || action === "widened")
    return { narrows: action === "narrowed", widens: action === "widened" };
  const more = action === "added";
  return { narrows: more === (nature === "demand"), widens: more === (nature === "choice") };
};
