/** What a comparison finds: a change, where it stands, and the operations that it reaches. */

import type { ApiOperation, Sender } from "../document/model.ts";
import type { Wanted } from "../witness/draft.ts";
import type { Change, SchemaChange } from "./change.ts";
import { effectOf } from "./rules.ts";

/** The two sides of one operation; one is missing where the other document has no such operation. */
export interface Pair {
  readonly old: ApiOperation | undefined;
  readonly new: ApiOperation | undefined;
}

/** Both sides of an operation that both documents have. */
export interface Matched extends Pair {
  readonly old: ApiOperation;
  readonly new: ApiOperation;
}

/** A message of an operation, and a place in it. */
export interface MessagePlace {
  readonly sender: Sender;
  /** Absent for a request. */
  readonly status?: string;
  /** As in a refusal: `body`, `query limit`, `response body`, `status`. */
  readonly place: string;
  readonly mediaType?: string;
}

export interface Occurrence extends Pair {
  readonly message: MessagePlace;
  /** Drafts of which one may show a change of the wire. */
  readonly drafts?: readonly Wanted[];
  /** The schemas at the place of the message, and the change as seen from there. */
  readonly schema?: { readonly old: unknown; readonly new: unknown; readonly change: SchemaChange };
}

export interface Found {
  readonly change: Change;
  /** `schema Customer`, `parameter Limit`, `GET /customers`, `the document`. */
  readonly owner: string;
  /** Where in the owner: `query limit`, `response 200`; empty where the owner says it. */
  readonly part: string;
  /** Where in the value of that part. */
  readonly pointer: string;
  readonly occurrences: readonly Occurrence[];
}

/** A schema of a message, to be compared. */
export interface SchemaRoot {
  readonly pair: Pair;
  readonly message: MessagePlace;
  readonly owner: string;
  readonly part: string;
  readonly old: unknown;
  readonly new: unknown;
}

/** Where the comparers of operations put what they find. */
export interface Findings {
  readonly found: Found[];
  readonly roots: SchemaRoot[];
}

/** What the comparers of a message speak of. */
export interface Site extends Pick<Found, "owner" | "part">, Pick<MessagePlace, "sender" | "status"> {
  readonly findings: Findings;
  readonly pair: Pair;
}

/** A change of the wire; its effect follows from the rule unless it is given. */
interface Told extends Omit<Change, "effect">, Partial<Pick<Change, "effect">> {
  readonly place: string;
  readonly drafts?: readonly Wanted[];
}

export const tell = ({ findings, pair, owner, part, ...message }: Site, told: Told): void => {
  const { place, drafts = [{}], ...change } = told;
  findings.found.push({
    change: { effect: effectOf(change.rule, change.action), ...change },
    owner,
    part,
    pointer: "",
    occurrences: [{ ...pair, message: { ...message, place }, drafts }],
  });
};

/** The schemas of a place are compared once those of all messages are known. */
export const compareLater = (
  { findings, pair, owner, part, ...message }: Site,
  place: Pick<MessagePlace, "place" | "mediaType">,
  old: unknown,
  fresh: unknown,
): void =>
  void findings.roots.push({ pair, message: { ...message, ...place }, owner, part, old, new: fresh });

/** The shared owner of two descriptions, or the operation where they are not written in the same place. */
export const ownerOf = (
  old: { owner: string },
  fresh: { owner: string },
  { new: operation }: Matched,
): string => (old.owner === fresh.owner ? fresh.owner : operation.label);

/** `query limit`, and nothing where the owner is a component that says it. */
export const partIn = (owner: string, { new: operation }: Matched, part: string): string =>
  owner === operation.label ? part : "";
