/** A finding of the comparison: a change, its place, and the operations that it reaches. */

import type { BreakingChange } from "../../../helpers/contract/documents/upgrade.ts";
import { isSame } from "../../../helpers/contract/json.ts";
import {
  type ApiOperation,
  type Both,
  type Content,
  isSuccess,
  type Removable,
  type Sender,
} from "../document/model.ts";
import { endChange, undated } from "../document/sunset.ts";
import type { Change, SchemaChange } from "./change.ts";
import { actionOf, effectOf, namesOf } from "./rules.ts";
import type { Wanted } from "./wanted.ts";

/** The two sides of one operation. One side is missing if its document has no such operation. */
export type Pair = Both<ApiOperation | undefined>;

/** A message of an operation, and a place in it. */
export interface MessagePlace {
  readonly sender: Sender;
  /** Absent for a request. */
  readonly status?: string;
  /** The same words as in a refusal: `body`, `query limit`, `response body`, `status`. */
  readonly place: string;
  readonly mediaType?: string;
}

export interface Occurrence extends Pair {
  readonly message: MessagePlace;
  /** Drafts of messages. One of them may show a change on the wire. */
  readonly drafts?: readonly Wanted[];
  /** Whether the change affects only the messages that the drafts describe. */
  readonly isDecisive?: true;
  /** The schemas at the place of the message, and the change relative to them. */
  readonly schema?: { readonly old: unknown; readonly new: unknown; readonly change: SchemaChange };
}

export interface Found extends Pick<BreakingChange, "owner" | "part" | "pointer"> {
  readonly change: Change;
  readonly occurrences: readonly Occurrence[];
}

/** Returns a finding for a whole owner, with the effect of its rule. */
export const foundAs = (
  change: Omit<Change, "effect">,
  owner: string,
  occurrences: readonly Occurrence[] = [],
): Found => ({
  change: { effect: effectOf(change.rule, change.action), subject: owner, ...change },
  owner,
  part: "",
  pointer: "",
  occurrences,
});

/** A schema of a message that has to be compared. */
export interface SchemaRoot extends Pick<Found, "owner" | "part"> {
  readonly pair: Pair;
  readonly message: MessagePlace;
  readonly old: unknown;
  readonly new: unknown;
}

/** Collects the findings of the comparers of operations. */
export interface Findings {
  readonly found: Found[];
  readonly roots: SchemaRoot[];
}

/** The message that a comparer works on. */
export interface SchemaLocation
  extends Pick<Found, "owner" | "part">,
    Pick<MessagePlace, "sender" | "status"> {
  readonly findings: Findings;
  readonly pair: Pair;
}

/** A change on the wire; its effect follows from the rule unless it is given. */
interface RecordedChange extends Omit<Change, "effect">, Partial<Pick<Change, "effect">> {
  readonly place: string;
  readonly drafts?: readonly Wanted[];
  readonly isDecisive?: true;
}

export const recordChange = (
  { findings, pair, owner, part, ...message }: SchemaLocation,
  recorded: RecordedChange,
): void => {
  const { place, drafts = [{}], isDecisive, ...change } = recorded;
  findings.found.push({
    change: { effect: effectOf(change.rule, change.action), ...change },
    owner,
    part,
    pointer: "",
    occurrences: [{ ...pair, message: { ...message, place }, drafts, ...(isDecisive && { isDecisive }) }],
  });
};

/** Records a flag that appeared or disappeared. */
export const recordFlag = (
  location: SchemaLocation,
  recorded: Omit<RecordedChange, "action">,
  was: boolean,
  is: boolean,
): void => {
  if (was !== is) recordChange(location, { ...recorded, action: is ? "added" : "removed" });
};

/** Records a value that changed, appeared or disappeared. */
export const recordValue = (
  location: SchemaLocation,
  recorded: Omit<RecordedChange, "action">,
  base: unknown,
  revision: unknown,
): void => {
  if (!isSame(base, revision))
    recordChange(location, { ...recorded, action: actionOf(base, revision), old: base, new: revision });
};

/** Records a deprecation, and a day of the end that was announced, moved or taken back. */
export const recordEnd = (
  location: SchemaLocation,
  recorded: Pick<RecordedChange, "rule" | "place">,
  base: Removable,
  revision: Removable,
): void => {
  recordFlag(
    location,
    { ...recorded, ...undated(revision), drafts: [] },
    base.deprecated,
    revision.deprecated,
  );
  const end = endChange(base.sunset, revision.sunset);
  const values = { place: recorded.place, drafts: [], old: base.sunset, new: revision.sunset };
  if (end !== undefined) recordChange(location, { ...end, ...values });
};

/** Queues the schemas of a place. They are compared when the schemas of all messages are known. */
export const compareLater = (
  { findings, pair, owner, part, ...message }: SchemaLocation,
  place: Pick<MessagePlace, "place" | "mediaType">,
  base: unknown,
  revision: unknown,
): void =>
  void findings.roots.push({
    pair,
    message: { ...message, ...place },
    owner,
    part,
    old: base,
    new: revision,
  });

/** Returns the shared owner of two descriptions, or the operation if their owners differ. */
export const ownerOf = (
  base: { owner: string },
  revision: { owner: string },
  { new: operation }: Both<ApiOperation>,
): string => (base.owner === revision.owner ? revision.owner : operation.label);

/** Returns the part, or an empty text if the owner is a component that identifies the part. */
export const partIn = (
  owner: string,
  { old: base, new: revision }: Both<ApiOperation>,
  part: string,
): string => (owner === base.label || owner === revision.label ? part : "");

const BODY_RULES = { body: "request.mediaType", "response body": "response.mediaType" } as const;

/** Returns the location of the request that the response answers. */
export const ofCaller = ({ status: _, ...location }: SchemaLocation): SchemaLocation => ({
  ...location,
  sender: "caller",
});

/** A response loses a media type: a caller may accept no other one (RFC 9110, 15.5.7). */
const mediaTypeGone = (location: SchemaLocation, mediaType: string): void => {
  const { pair, status = "" } = location;
  const responses = pair.old?.responses ?? {};
  const isAskedFor = pair.old?.kind === "call" && isSuccess(status, responses);
  recordChange(isAskedFor ? ofCaller(location) : location, {
    rule: "response.mediaType",
    action: "removed",
    place: isAskedFor ? "accept" : "media type",
    drafts: [isAskedFor ? { accept: mediaType } : { mediaType }],
    subject: mediaType,
    ...(isAskedFor && { effect: { narrows: true, widens: false } }),
  });
};

/** Compares the media types of a body, and the schema of each. */
export const compareContent = (
  location: SchemaLocation,
  place: keyof typeof BODY_RULES,
  base: Content,
  revision: Content,
): void => {
  const isAlone = Object.keys(revision).length === 1;
  for (const mediaType of namesOf(base, revision)) {
    const part = isAlone && mediaType in revision ? location.part : `${location.part} ${mediaType}`.trim();
    if (mediaType in base && mediaType in revision)
      compareLater({ ...location, part }, { place, mediaType }, base[mediaType], revision[mediaType]);
    else if (place === "response body" && mediaType in base) mediaTypeGone(location, mediaType);
    else
      recordChange(location, {
        rule: BODY_RULES[place],
        action: actionOf(base[mediaType], revision[mediaType]),
        place: "media type",
        drafts: [{ mediaType }],
        subject: mediaType,
      });
  }
};
