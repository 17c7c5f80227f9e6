/** Parameters and body of an operation's request. */

import { isSame } from "../../contract/json.ts";
import { parameterKey } from "../document/messages.ts";
import type { ApiBody, ApiOperation, ApiParameter, Sender } from "../document/model.ts";
import type { Wanted } from "../witness/draft.ts";
import { NONE } from "../witness/judge.ts";
import type { Change } from "./change.ts";
import type { Action } from "./effect.ts";
import { type Findings, type Matched, ownerOf, partIn } from "./found.ts";
import { effectOf, type RuleName } from "./rules.ts";

export const compareRequests = (findings: Findings, pair: Matched): void => {
  compareParameters(findings, pair);
  compareBodies(findings, pair);
};

const senderOf = ({ kind }: ApiOperation): Sender => (kind === "call" ? "caller" : "service");

interface Told {
  readonly rule: RuleName;
  readonly action: Action;
  readonly owner: string;
  readonly part: string;
  readonly place: string;
  readonly drafts: readonly Wanted[];
  readonly values?: Partial<Pick<Change, "old" | "new" | "subject" | "note" | "effect">>;
}

const tell = ({ found }: Findings, pair: Matched, told: Told): void => {
  const { rule, action, owner, part, place, drafts, values } = told;
  found.push({
    change: { rule, action, effect: effectOf(rule, action), ...values },
    owner,
    part,
    pointer: "",
    occurrences: [{ ...pair, message: { sender: senderOf(pair.new), place }, drafts }],
  });
};

const compareParameters = (findings: Findings, pair: Matched): void => {
  const old = byKey(pair.old);
  const fresh = byKey(pair.new);
  const moved = new Set<string>();
  for (const [key, parameter] of old) {
    const partner = fresh.get(key);
    if (partner !== undefined) {
      compareParameter(findings, pair, parameter, partner);
      continue;
    }
    const elsewhere = [...fresh].find(([other, one]) => one.name === parameter.name && !old.has(other));
    if (elsewhere === undefined) parameterGone(findings, pair, parameter);
    else {
      moved.add(elsewhere[0]);
      parameterMoved(findings, pair, parameter, elsewhere[1]);
    }
  }
  for (const [key, parameter] of fresh)
    if (!old.has(key) && !moved.has(key)) parameterAdded(findings, pair, parameter);
};

/** A parameter of the path is known by its position: its name goes nowhere. */
const byKey = ({ path, parameters }: ApiOperation): Map<string, ApiParameter> => {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  return new Map(
    parameters
      .filter((one) => one.in !== "path" || names.includes(one.name))
      .map((one) => [one.in === "path" ? `path ${names.indexOf(one.name)}` : parameterKey(one), one]),
  );
};

const parameterGone = (findings: Findings, pair: Matched, parameter: ApiParameter): void => {
  const key = parameterKey(parameter);
  tell(findings, pair, {
    rule: "parameter",
    action: "removed",
    owner: parameter.owner,
    part: parameter.owner === pair.old.label ? key : "",
    place: key,
    drafts: [{ values: { [key]: NONE } }],
    values: {
      subject: key,
      note: parameter.deprecated ? "after notice" : "without notice",
      effect: { narrows: false, widens: parameter.required },
    },
  });
};

const parameterAdded = (findings: Findings, pair: Matched, parameter: ApiParameter): void => {
  const key = parameterKey(parameter);
  tell(findings, pair, {
    rule: "parameter",
    action: "added",
    owner: parameter.owner,
    part: partIn(parameter.owner, pair, key),
    place: key,
    drafts: [{}],
    values: {
      subject: key,
      ...(parameter.required && { note: "required" }),
      effect: { narrows: parameter.required, widens: false },
    },
  });
};

const parameterMoved = (findings: Findings, pair: Matched, old: ApiParameter, fresh: ApiParameter): void => {
  const owner = ownerOf(old, fresh, pair);
  tell(findings, pair, {
    rule: "parameter.in",
    action: "changed",
    owner,
    part: partIn(owner, pair, parameterKey(fresh)),
    place: parameterKey(fresh),
    drafts: [{ values: { [parameterKey(old)]: NONE } }],
    values: {
      subject: fresh.name,
      old: old.in,
      new: fresh.in,
      effect: { narrows: fresh.required, widens: old.required },
    },
  });
};

const compareParameter = (
  findings: Findings,
  pair: Matched,
  old: ApiParameter,
  fresh: ApiParameter,
): void => {
  const owner = ownerOf(old, fresh, pair);
  const key = parameterKey(fresh);
  const part = partIn(owner, pair, key);
  const common = { owner, part, place: key };
  if (old.required !== fresh.required)
    tell(findings, pair, {
      ...common,
      rule: "parameter.required",
      action: fresh.required ? "added" : "removed",
      drafts: [{ without: key }],
    });
  if (old.deprecated !== fresh.deprecated)
    tell(findings, pair, {
      ...common,
      rule: "parameter.deprecated",
      action: fresh.deprecated ? "added" : "removed",
      drafts: [],
    });
  compareStyle(findings, pair, common, old, fresh);
  findings.roots.push({
    pair,
    message: { sender: senderOf(pair.new), place: key },
    owner,
    part,
    old: old.schema,
    new: fresh.schema,
  });
};

const compareStyle = (
  findings: Findings,
  pair: Matched,
  common: Pick<Told, "owner" | "part" | "place">,
  old: ApiParameter,
  fresh: ApiParameter,
): void => {
  const key = common.place;
  const [before, after] = [old, fresh].map(
    ({ style, explode, mediaType }) => mediaType ?? `${style}${explode ? ", exploded" : ""}`,
  );
  const isStyled = mayHaveParts(old.schema) || mayHaveParts(fresh.schema);
  if (before !== after && (isStyled || old.style !== fresh.style || old.mediaType !== fresh.mediaType))
    tell(findings, pair, {
      ...common,
      rule: "parameter.style",
      action: "changed",
      drafts: [{ values: { [key]: NONE } }, { values: { [key]: ["a", "b"] } }, { values: { [key]: [1, 2] } }],
      values: { old: before, new: after },
    });
};

/** Only arrays and objects are written differently when they are exploded. */
const mayHaveParts = (schema: unknown): boolean =>
  !/"type":"(string|number|integer|boolean)"/.test(JSON.stringify(schema) ?? "") ||
  /"(array|object)"/.test(JSON.stringify(schema));

const compareBodies = (findings: Findings, pair: Matched): void => {
  const { body: old } = pair.old;
  const { body: fresh } = pair.new;
  if (old === undefined || fresh === undefined) {
    bodyComesOrGoes(findings, pair, old, fresh);
    return;
  }
  const owner = ownerOf(old, fresh, pair);
  const part = partIn(owner, pair, "request body");
  const common = { owner, part };
  if (old.required !== fresh.required)
    tell(findings, pair, {
      ...common,
      rule: "body.required",
      action: fresh.required ? "added" : "removed",
      place: "body",
      drafts: [{ body: NONE }],
    });
  for (const mediaType of new Set([...Object.keys(old.content), ...Object.keys(fresh.content)])) {
    const [had, has] = [mediaType in old.content, mediaType in fresh.content];
    if (had && has)
      findings.roots.push({
        pair,
        message: { sender: senderOf(pair.new), place: "body", mediaType },
        owner,
        part: `${part} ${isSame(Object.keys(fresh.content), [mediaType]) ? "" : mediaType}`.trim(),
        old: old.content[mediaType],
        new: fresh.content[mediaType],
      });
    else
      tell(findings, pair, {
        ...common,
        rule: "request.mediaType",
        action: has ? "added" : "removed",
        place: "media type",
        drafts: [{ mediaType }],
        values: { subject: mediaType },
      });
  }
};

const bodyComesOrGoes = (
  findings: Findings,
  pair: Matched,
  old: ApiBody | undefined,
  fresh: ApiBody | undefined,
): void => {
  if (old === fresh) return;
  const needed = (old ?? fresh)?.required === true;
  tell(findings, pair, {
    rule: "body",
    action: fresh === undefined ? "removed" : "added",
    owner: pair.new.label,
    part: "request body",
    place: "body",
    drafts: [{ body: NONE }],
    values: {
      effect: { narrows: needed && fresh !== undefined, widens: needed && fresh === undefined },
      ...(needed && { note: "required" }),
    },
  });
};
