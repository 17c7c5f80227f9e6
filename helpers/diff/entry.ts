/** A diff as it is told: data, no prose. */
import type { Acceptance } from "../accept/acceptance.ts";
import type { Change } from "./compare/change.ts";
import type { Found } from "./compare/found.ts";
import type { Rule } from "./compare/rules.ts";
import type { Sender } from "./document/model.ts";
import type { Message, Refusal } from "./witness/message.ts";

/** `breaking` only with a witness; `undecided` with a reason; `compatible` where nobody is harmed. */
export type EntryClass = "breaking" | "undecided" | "compatible";

/** How many entries there are of each class. */
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

export interface ToldWitness {
  readonly operation: string;
  readonly message: Message;
  /** The other document allows it: the new one refuses what callers send, the old one what services send. */
  readonly refusedBy: "old" | "new";
  readonly refusal: Refusal;
}

/** What a change does to the messages of one sender. */
export interface Judged {
  readonly sender: Sender;
  readonly class: EntryClass;
  readonly witness?: ToldWitness;
  /** Why it is undecided. */
  readonly reason?: string;
  readonly reach: readonly Reach[];
}

/** Its effect is what the rule says that it may do; the witnesses say what it does. */
export interface Entry extends Change, Pick<Found, "owner" | "part" | "pointer"> {
  /** Stays the same for the same change in the same place. */
  readonly fingerprint: string;
  /** The worst of `judged`. */
  readonly class: EntryClass;
  readonly place: Rule["place"];
  readonly judged: readonly Judged[];
  /** Who accepts it, where the user's accept list does. */
  readonly accepted?: Omit<Acceptance, "fingerprint">;
}

interface DiffedDocument {
  readonly file: string;
  readonly version: string;
  readonly digest: string;
}

export interface Diff {
  readonly format: "diff/1";
  readonly old: DiffedDocument;
  readonly new: DiffedDocument;
  readonly summary: Readonly<Record<EntryClass, number>> & {
    /** Changes of texts, examples, tags and extensions alone. */
    readonly documentation: number;
  };
  /** The worst first. */
  readonly entries: readonly Entry[];
  /** What became of the entries of the user's accept list. */
  readonly accepted?: {
    readonly file: string;
    readonly entries: readonly (Acceptance & { readonly state: AcceptedState })[];
  };
}

/**
 * `in-force` accepts a change; `expired` no longer accepts the one it names; `stale` names none that there is: it has
 * to be removed.
 */
export type AcceptedState = "in-force" | "expired" | "stale";
