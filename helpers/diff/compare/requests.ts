/** Parameters and body of an operation's request. */

import { parameterKey } from "../document/messages.ts";
import { type ApiBody, type ApiOperation, type ApiParameter, sendersOf } from "../document/model.ts";
import { NONE } from "../witness/judge.ts";
import { compareContent } from "./content.ts";
import { actionOf } from "./effect.ts";
import { compareLater, type Findings, type Matched, ownerOf, partIn, type Site, tell } from "./found.ts";

export const compareRequests = (findings: Findings, pair: Matched): void => {
  compareParameters(findings, pair);
  compareBodies(findings, pair);
};

const siteOf = (findings: Findings, pair: Matched, owner: string, part: string): Site => ({
  findings,
  pair,
  sender: sendersOf(pair.new).request,
  owner,
  part,
});

const compareParameters = (findings: Findings, pair: Matched): void => {
  const [old, fresh] = [byPlace(pair.old), byPlace(pair.new)];
  const moved = new Set<ApiParameter>();
  for (const [key, parameter] of old) {
    const partner = fresh.get(key);
    const elsewhere = [...fresh].find(([other, one]) => one.name === parameter.name && !old.has(other))?.[1];
    if (partner !== undefined) compareParameter(findings, pair, parameter, partner);
    else if (elsewhere === undefined) parameterGone(findings, pair, parameter);
    else {
      moved.add(elsewhere);
      parameterMoved(findings, pair, parameter, elsewhere);
    }
  }
  for (const [key, parameter] of fresh)
    if (!old.has(key) && !moved.has(parameter)) parameterAdded(findings, pair, parameter);
};

/** A parameter of the path is known by its position: its name goes nowhere. */
const byPlace = ({ path, parameters }: ApiOperation): Map<string, ApiParameter> => {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  return new Map(
    parameters
      .filter((one) => one.in !== "path" || names.includes(one.name))
      .map((one) => [one.in === "path" ? `path ${names.indexOf(one.name)}` : parameterKey(one), one]),
  );
};

const parameterGone = (findings: Findings, pair: Matched, parameter: ApiParameter): void => {
  const key = parameterKey(parameter);
  const part = parameter.owner === pair.old.label ? key : "";
  tell(siteOf(findings, pair, parameter.owner, part), {
    rule: "parameter",
    action: "removed",
    place: key,
    drafts: [{ values: { [key]: NONE } }],
    subject: key,
    note: parameter.deprecated ? "after notice" : "without notice",
    effect: { narrows: false, widens: parameter.required },
  });
};

const parameterAdded = (findings: Findings, pair: Matched, parameter: ApiParameter): void => {
  const key = parameterKey(parameter);
  tell(siteOf(findings, pair, parameter.owner, partIn(parameter.owner, pair, key)), {
    rule: "parameter",
    action: "added",
    place: key,
    subject: key,
    ...(parameter.required && { note: "required" }),
    effect: { narrows: parameter.required, widens: false },
  });
};

const parameterMoved = (findings: Findings, pair: Matched, old: ApiParameter, fresh: ApiParameter): void => {
  const owner = ownerOf(old, fresh, pair);
  const key = parameterKey(fresh);
  tell(siteOf(findings, pair, owner, partIn(owner, pair, key)), {
    rule: "parameter.in",
    action: "changed",
    place: key,
    drafts: [{ values: { [parameterKey(old)]: NONE } }],
    subject: fresh.name,
    old: old.in,
    new: fresh.in,
    effect: { narrows: fresh.required, widens: old.required },
  });
};

const compareParameter = (
  findings: Findings,
  pair: Matched,
  old: ApiParameter,
  fresh: ApiParameter,
): void => {
  const owner = ownerOf(old, fresh, pair);
  const place = parameterKey(fresh);
  const site = siteOf(findings, pair, owner, partIn(owner, pair, place));
  if (old.required !== fresh.required) {
    const action = fresh.required ? "added" : "removed";
    tell(site, { rule: "parameter.required", action, place, drafts: [{ without: place }] });
  }
  if (old.deprecated !== fresh.deprecated) {
    const action = fresh.deprecated ? "added" : "removed";
    tell(site, { rule: "parameter.deprecated", action, place, drafts: [] });
  }
  compareStyle(site, place, old, fresh);
  compareLater(site, { place }, old.schema, fresh.schema);
};

const compareStyle = (site: Site, place: string, old: ApiParameter, fresh: ApiParameter): void => {
  const [before, after] = [old, fresh].map(
    ({ style, explode, mediaType }) => mediaType ?? `${style}${explode ? ", exploded" : ""}`,
  );
  const isStyled = mayHaveParts(old.schema) || mayHaveParts(fresh.schema);
  if (before !== after && (isStyled || old.style !== fresh.style || old.mediaType !== fresh.mediaType))
    tell(site, {
      rule: "parameter.style",
      action: "changed",
      place,
      drafts: [NONE, ["a", "b"], [1, 2]].map((value) => ({ values: { [place]: value } })),
      old: before,
      new: after,
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
  const site = siteOf(findings, pair, owner, partIn(owner, pair, "request body"));
  if (old.required !== fresh.required) {
    const action = fresh.required ? "added" : "removed";
    tell(site, { rule: "body.required", action, place: "body", drafts: [{ body: NONE }] });
  }
  compareContent(site, "body", old.content, fresh.content);
};

const bodyComesOrGoes = (
  findings: Findings,
  pair: Matched,
  old: ApiBody | undefined,
  fresh: ApiBody | undefined,
): void => {
  if (old === fresh) return;
  const needed = (old ?? fresh)?.required === true;
  tell(siteOf(findings, pair, pair.new.label, "request body"), {
    rule: "body",
    action: actionOf(old, fresh),
    place: "body",
    drafts: [{ body: NONE }],
    effect: { narrows: needed && fresh !== undefined, widens: needed && fresh === undefined },
    ...(needed && { note: "required" }),
  });
};
