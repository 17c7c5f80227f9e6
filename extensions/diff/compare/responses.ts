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
  const action = added ? "added" : "removed";
  const noted = { rule: "status", action, place: "status", subject: status } as const;
  if (covering !== undefined)
    recordChange(location, { ...noted, effect: HARMLESS, note: "already covered by a range" });
  else if (isCall && !isSuccess(status, pair.old.responses) && added && !status.startsWith("3"))
    // A client treats an unknown error like the first error of its class (RFC 9110, 15).
    recordChange(location, { ...noted, effect: HARMLESS });
  else if (isCall && isSuccess(status, pair.old.responses) && !added) {
    // A caller may wait for the success that is no longer listed.
    const isLast = !Object.keys(pair.new.responses).some((one) => isSuccess(one, pair.new.responses));
    const effect = { narrows: isLast, widens: false };
    recordChange(ofCaller(location), { ...noted, drafts: [{ awaits: status }], effect });
  } else recordChange(location, noted);
  if (covering === undefined) return;
  const [before, after] = added ? [covering, response] : [response, covering];
  compareResponse({ ...location, owner: pair.new.label, part: `response ${status}` }, before, after);
};

const HARMLESS = { narrows: false, widens: false } as const;

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
