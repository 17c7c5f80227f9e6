/** Judges recorded requests by two documents, in the same way as the witnesses of changes. */
import { documentOf, isAt } from "../../helpers/contract/changes.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import { isSame } from "../../helpers/contract/json.ts";
import { essenceOf } from "../../helpers/contract/media-type.ts";
import type { DocumentComparison, RecordedRequest } from "../../runner/extensions.ts";
import { endOf, wordsOf } from "./contract-changes.ts";
import type { ApiOperation } from "./document/model.ts";
import { readApiDocument } from "./document/read.ts";
import { wireOf } from "./document/security-schemes.ts";
import type { Entry, Reach } from "./entry.ts";
import { diffOfContracts } from "./upgrade.ts";
import { createJudge, type Judge } from "./witness/judge.ts";
import type { Refusal, RequestMessage } from "./witness/message.ts";
import { findOperation, refusals } from "./witness/refusals.ts";

export const judgeOfRequests: DocumentComparison["judgeOfRequests"] = (base, revision) => {
  const now = judgeBy(revision);
  const before = base && judgeBy(base);
  const entries = base === undefined ? [] : diffOfContracts(base, revision).entries;
  const judges = [before ?? now, now];
  return (request) => {
    const paths = [request.path, `${revision.basePath}${request.path}`];
    const messages = paths.map((path) => messageOf(judges, { ...request, path }));
    const message = messages.find((one) => findOperation(judges[0] as Judge, one) !== undefined);
    if (message === undefined) return [];
    const called = judges.flatMap((judge) => findOperation(judge, message)?.operation ?? []);
    const known = before === undefined ? [] : refusals(before, undefined, message);
    return refusals(now, undefined, message)
      .filter((one) => !known.some((other) => isSame({ ...one, text: "" }, { ...other, text: "" })))
      .map((one) => ({ ...one, words: wordsFor(entries, called, one) ?? one.text }));
  };
};

const judgeBy = (one: Contract): Judge => createJudge(readApiDocument(documentOf(one)?.file ?? ""));

const messageOf = (judges: readonly Judge[], { headers, ...request }: RecordedRequest): RequestMessage => {
  const { accept, "content-type": mediaType, cookie = "" } = headers;
  const pairs = [...cookie.matchAll(/([^=;\s]+)=([^;]*)/g)];
  const cookies = pairs.map(([, name = "", text = ""]) => [name, text] as const);
  const message = { ...request, kind: "request", headers: Object.entries(headers), cookies } as const;
  return {
    ...message,
    credentials: judges.flatMap((judge) => credentialsIn(judge, message)),
    ...(mediaType !== undefined && { mediaType: essenceOf(mediaType) }),
    // Any member of a range or a list may do.
    ...(accept !== undefined && !/[*,]/.test(accept) && { accept: essenceOf(accept) }),
  };
};

/** Returns the credentials of a document that a request has, with all scopes, which no request shows. */
const credentialsIn = ({ document }: Judge, message: Sent): RequestMessage["credentials"] => {
  const all = document.operations.flatMap(({ security }) => security.alternatives.flat());
  return Object.entries(document.securitySchemes)
    .map(([name, scheme]) => wireOf(scheme, name))
    .filter((wire) => isGiven(wire, message))
    .map((wire) => ({
      wire,
      scopes: all.filter((one) => one.wire === wire).flatMap(({ scopes }) => scopes),
    }));
};

type Sent = Pick<RequestMessage, "query" | "headers" | "cookies">;

const isGiven = (wire: string, { query, headers, cookies }: Sent): boolean => {
  const [, place = "", name = "", scheme = ""] =
    /^(header|query|cookie) ([^:]+)(?:: (.+))?$/.exec(wire) ?? [];
  const texts = { header: headers, query, cookie: cookies }[place];
  // A certificate of a client is not in its requests, and a recording may hide a whole value.
  return (
    texts?.some(
      ([one, text]) => one === name && (text.toLowerCase().startsWith(scheme) || /^‹/.test(text)),
    ) ?? true
  );
};

/** An operation that moved has another label in each document. */
const isReached =
  ({ operation, operationId }: Reach) =>
  (one: ApiOperation): boolean =>
    one.label === operation || (operationId !== undefined && one.operationId === operationId);

/** Returns the fingerprint and the words of the change that refuses a request; `undefined` if the diff shows none. */
const wordsFor = (
  entries: readonly Entry[],
  called: readonly ApiOperation[],
  { place, pointer, keyword }: Refusal,
): string | undefined => {
  const own = entries.flatMap((entry) =>
    entry.judged
      .filter(({ sender, reach }) => sender === "caller" && reach.some((one) => called.some(isReached(one))))
      .filter(({ witness }) => witness?.refusal.place === place && isAt(pointer, endOf(entry)))
      .map(({ witness }) => ({ entry, keyword: witness?.refusal.keyword })),
  );
  const found = own.find((one) => one.keyword === keyword) ?? own[0];
  return found && `${found.entry.fingerprint} ${wordsOf(found.entry)}`;
};
