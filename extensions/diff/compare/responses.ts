/** Compares statuses, headers and bodies of an operation's responses. */
import { parameterKey } from "../document/messages.ts";
import {
  type ApiOperation,
  type ApiParameter,
  type ApiResponse,
  type Both,
  isSuccess,
  responseFor,
  sendersOf,
} from "../document/model.ts";
import {
  compareContent,
  compareLater,
  type Findings,
  ofCaller,
  ownerOf,
  partIn,
  recordChange,
  recordFlag,
  type SchemaLocation,
} from "./found.ts";
import { actionOf, namesOf } from "./rules.ts";
import { NONE } from "./wanted.ts";

export const compareResponses = (findings: Findings, pair: Both<ApiOperation>): void => {
  const [base, revision] = [pair.old.responses, pair.new.responses];
  for (const status of namesOf(base, revision)) {
    const [before, after] = [base[status], revision[status]];
    const location = (owner: string): SchemaLocation => ({
      findings,
      pair,
      sender: sendersOf(pair.new).response,
      status,
      owner,
      part: partIn(owner, pair, `response ${status}`),
    });
    if (before !== undefined && after !== undefined)
      compareResponse(location(ownerOf(before, after, pair)), before, after);
    else if (after !== undefined) statusComesOrGoes(location(after.owner), pair, status, after);
    else if (before !== undefined) statusComesOrGoes(location(before.owner), pair, status, before);
  }
};

/** Records a status that one side lacks; compares it with a range or `default` of that side, if there is one. */
const statusComesOrGoes = (
  location: SchemaLocation,
  pair: Both<ApiOperation>,
  status: string,
  response: ApiResponse,
): void => {
  const added = pair.old.responses[status] === undefined;
  const covering = /^\d+$/.test(status) ? responseFor(added ? pair.old : pair.new, status) : undefined;
  const isCall = pair.new.kind === "call";
  const noted = {
    rule: "status",
    action: added ? "added" : "removed",
    place: "status",
    subject: status,
  } as const;
  if (covering !== undefined)
    recordChange(location, { ...noted, effect: HARMLESS, note: "already covered by a range" });
  else if (isCall && added && !isSuccessOrRedirection(status, pair.old.responses))
    recordChange(location, { ...noted, effect: HARMLESS });
  else if (isCall && !added && isSuccess(status, pair.old.responses)) successGone(location, pair, status);
  else recordChange(location, noted);
  if (covering === undefined) return;
  const [before, after] = added ? [covering, response] : [response, covering];
  compareResponse({ ...location, owner: pair.new.label, part: `response ${status}` }, before, after);
};

const HARMLESS = { narrows: false, widens: false } as const;

/** A client treats an unknown error like the first error of its class (RFC 9110, 15), so a new error breaks nobody. */
const isSuccessOrRedirection = (status: string, responses: ApiOperation["responses"]): boolean =>
  isSuccess(status, responses) || status.startsWith("3");

/** A success is no longer listed: a caller may wait for it. */
const successGone = (location: SchemaLocation, pair: Both<ApiOperation>, status: string): void => {
  const isLast = !Object.keys(pair.new.responses).some((one) => isSuccess(one, pair.new.responses));
  recordChange(ofCaller(location), {
    rule: "status",
    action: "removed",
    place: "status",
    drafts: [{ awaits: status }],
    subject: status,
    effect: { narrows: isLast, widens: false },
  });
};

const compareResponse = (location: SchemaLocation, base: ApiResponse, revision: ApiResponse): void => {
  compareHeaders(location, base, revision);
  const [had, has] = [base, revision].map(({ content }) => Object.keys(content).length > 0);
  if (had && has) compareContent(location, "response body", base.content, revision.content);
  else {
    const change = { rule: "response.content", place: "response body", drafts: [{ body: NONE }] } as const;
    recordFlag(location, change, had === true, has === true);
  }
};

const compareHeaders = (location: SchemaLocation, base: ApiResponse, revision: ApiResponse): void => {
  const [before = {}, after = {}] = [base, revision].map(
    ({ headers }): Record<string, ApiParameter> =>
      Object.fromEntries(headers.map((one) => [parameterKey(one), one])),
  );
  for (const key of namesOf(before, after)) {
    const [one, other] = [before[key], after[key]];
    const inner = { ...location, part: `${location.part} ${key}`.trim() };
    if (one !== undefined && other !== undefined) compareHeader(inner, key, one, other);
    else
      recordChange(inner, {
        rule: "header",
        action: actionOf(one, other),
        place: key,
        drafts: [{ without: key }],
        subject: key,
        effect: { narrows: other?.required === true, widens: one?.required === true },
        ...((one ?? other)?.required && { note: "required" }),
      });
  }
};

const compareHeader = (
  location: SchemaLocation,
  key: string,
  base: ApiParameter,
  revision: ApiParameter,
): void => {
  const required = { rule: "header.required", place: key, drafts: [{ without: key }], subject: key } as const;
  recordFlag(location, required, base.required, revision.required);
  compareLater(location, { place: key }, base.schema, revision.schema);
};
