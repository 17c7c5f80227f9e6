/** Statuses, headers and bodies of an operation's responses. */

import { isSame } from "../../contract/json.ts";
import { parameterKey } from "../document/messages.ts";
import type { ApiOperation, ApiParameter, ApiResponse, Sender } from "../document/model.ts";
import type { Wanted } from "../witness/draft.ts";
import { NONE } from "../witness/judge.ts";
import { responseFor } from "../witness/judge-response.ts";
import type { Change } from "./change.ts";
import type { Action } from "./effect.ts";
import { type Findings, type Matched, ownerOf } from "./found.ts";
import { effectOf, type RuleName } from "./rules.ts";

export const compareResponses = (findings: Findings, pair: Matched): void => {
  const [old, fresh] = [pair.old.responses, pair.new.responses];
  for (const status of new Set([...Object.keys(old), ...Object.keys(fresh)])) {
    const [before, after] = [old[status], fresh[status]];
    if (before !== undefined && after !== undefined) {
      const owner = ownerOf(before, after, pair);
      const part = owner === pair.new.label ? `response ${status}` : "";
      const site: Site = { findings, pair, status, owner, part };
      compareHeaders(site, before, after);
      compareContent(site, before, after);
    } else statusComesOrGoes(findings, pair, status, (after ?? before) as ApiResponse);
  }
};

interface Site {
  readonly findings: Findings;
  readonly pair: Matched;
  readonly status: string;
  readonly owner: string;
  readonly part: string;
}

const senderOf = ({ kind }: ApiOperation): Sender => (kind === "call" ? "service" : "caller");

interface Told {
  readonly rule: RuleName;
  readonly action: Action;
  readonly place: string;
  readonly drafts: readonly Wanted[];
  readonly values?: Partial<Pick<Change, "old" | "new" | "subject" | "note" | "effect">>;
  readonly part?: string;
}

const tell = ({ findings, pair, status, owner, part }: Site, told: Told): void => {
  const { rule, action, place, drafts, values } = told;
  findings.found.push({
    change: { rule, action, effect: effectOf(rule, action), ...values },
    owner,
    part: told.part ?? part,
    pointer: "",
    occurrences: [{ ...pair, message: { sender: senderOf(pair.new), status, place }, drafts }],
  });
};

/** A status that a range or `default` of the other document takes in is compared with what is said there. */
const statusComesOrGoes = (
  findings: Findings,
  pair: Matched,
  status: string,
  response: ApiResponse,
): void => {
  const added = pair.old.responses[status] === undefined;
  const isComponent = response.owner !== (added ? pair.new : pair.old).label;
  const site: Site = {
    findings,
    pair,
    status,
    owner: response.owner,
    part: isComponent ? "" : `response ${status}`,
  };
  const covering = /^\d+$/.test(status) ? responseFor(added ? pair.old : pair.new, status) : undefined;
  tell(site, {
    rule: "status",
    action: added ? "added" : "removed",
    place: "status",
    drafts: [{}],
    values: {
      subject: status,
      ...(covering !== undefined && {
        effect: { narrows: false, widens: false },
        note: "told by a range already",
      }),
    },
  });
  if (covering === undefined) return;
  const [before, after] = added ? [covering, response] : [response, covering];
  const inner: Site = { findings, pair, status, owner: pair.new.label, part: `response ${status}` };
  compareHeaders(inner, before, after);
  compareContent(inner, before, after);
};

const compareHeaders = (site: Site, old: ApiResponse, fresh: ApiResponse): void => {
  const [before, after] = [old, fresh].map(
    ({ headers }) => new Map(headers.map((one) => [parameterKey(one), one])),
  );
  for (const key of new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])) {
    const [one, other] = [before?.get(key), after?.get(key)];
    if (one !== undefined && other !== undefined) compareHeader(site, key, one, other);
    else headerComesOrGoes(site, key, (one ?? other) as ApiParameter, other !== undefined);
  }
};

const headerComesOrGoes = (site: Site, key: string, header: ApiParameter, added: boolean): void =>
  tell(site, {
    rule: "header",
    action: added ? "added" : "removed",
    place: key,
    drafts: [{ without: key }],
    part: `${site.part} ${key}`.trim(),
    values: {
      subject: key,
      effect: { narrows: added && header.required, widens: !added && header.required },
      ...(header.required && { note: "required" }),
    },
  });

const compareHeader = (site: Site, key: string, old: ApiParameter, fresh: ApiParameter): void => {
  const part = `${site.part} ${key}`.trim();
  if (old.required !== fresh.required)
    tell(site, {
      rule: "header.required",
      action: fresh.required ? "added" : "removed",
      place: key,
      drafts: [{ without: key }],
      part,
      values: { subject: key },
    });
  site.findings.roots.push({
    pair: site.pair,
    message: { sender: senderOf(site.pair.new), status: site.status, place: key },
    owner: site.owner,
    part,
    old: old.schema,
    new: fresh.schema,
  });
};

const compareContent = (site: Site, old: ApiResponse, fresh: ApiResponse): void => {
  const [before, after] = [Object.keys(old.content), Object.keys(fresh.content)];
  if (before.length === 0 || after.length === 0) {
    if (before.length + after.length === 0) return;
    const action = after.length > 0 ? "added" : "removed";
    tell(site, { rule: "response.content", action, place: "response body", drafts: [{ body: NONE }] });
    return;
  }
  for (const mediaType of new Set([...before, ...after])) {
    if (before.includes(mediaType) && after.includes(mediaType))
      site.findings.roots.push({
        pair: site.pair,
        message: { sender: senderOf(site.pair.new), status: site.status, place: "response body", mediaType },
        owner: site.owner,
        part: `${site.part} ${isSame(after, [mediaType]) ? "" : mediaType}`.trim(),
        old: old.content[mediaType],
        new: fresh.content[mediaType],
      });
    else
      tell(site, {
        rule: "response.mediaType",
        action: after.includes(mediaType) ? "added" : "removed",
        place: "media type",
        drafts: [{ mediaType }],
        values: { subject: mediaType },
      });
  }
};
