/** The result of a diff: data without prose. */
import type { Acceptance, AcceptanceState } from "../../helpers/accept/acceptance.ts";
import type { BreakingChange, EntryClass, Upgrade } from "../../helpers/contract/documents/upgrade.ts";
import type { Change } from "./compare/change.ts";
import type { Rule } from "./compare/rules.ts";
import type { Sender } from "./document/model.ts";
import type { Witness } from "./witness/message.ts";

/** Counts the entries of each class. */
export const countsOf = (entries: readonly Entry[]): Record<EntryClass, number> => {
  const count = (wanted: EntryClass): number => entries.filter((entry) => entry.class === wanted).length;
  return { breaking: count("breaking"), undecided: count("undecided"), compatible: count("compatible") };
};

/** A message that a change reaches. */
export interface Reach {
  /** `GET /customers/{customerId}`. */
  readonly operation: string;
  readonly operationId: string | null;
  /** `request`, `response 200`. */
  readonly message: string;
}

/** The effect of a change on the messages of one sender. */
export interface Judged {
  readonly sender: Sender;
  readonly class: EntryClass;
  readonly witness?: Witness;
  /** Why the change is undecided. */
  readonly reason?: string;
  readonly reach: readonly Reach[];
}

/** A change with its verdict. The rule determines the possible effect, and the witnesses prove the actual effect. */
export interface Entry extends Change, Pick<BreakingChange, "fingerprint" | "owner" | "part" | "pointer"> {
  /** The worst class of `judged`. */
  readonly class: EntryClass;
  readonly place: Rule["place"];
  readonly judged: readonly Judged[];
  /** The acceptance, if the user's accept list contains the change. */
  readonly accepted?: Omit<Acceptance, "fingerprint">;
}

export interface Diff {
  readonly format: "diff/1";
  readonly old: Upgrade["old"];
  readonly new: Upgrade["new"];
  readonly summary: Upgrade["changes"];
  /** The entries, the most severe first. */
  readonly entries: readonly Entry[];
  /** The state of each entry of the user's accept list. */
  readonly accepted?: {
    readonly file: string;
    readonly entries: readonly (Acceptance & { readonly state: Exclude<AcceptanceState, "not-tried"> })[];
  };
}
