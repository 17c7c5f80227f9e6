/** Compares parameters and body of an operation's request. */

import { parameterKey } from "../document/messages.ts";
import { type ApiOperation, type ApiParameter, type Owned, sendersOf } from "../document/model.ts";
import { NONE } from "../witness/judge.ts";
import {
  compareContent,
  compareLater,
  type Findings,
  type Matched,
  ownerOf,
  partIn,
  recordChange,
  recordFlag,
  type SchemaLocation,
} from "./found.ts";
import { actionOf } from "./rules.ts";

export const compareRequests = (findings: Findings, pair: Matched): void => {
  const { request: sender } = sendersOf(pair.new);
  const at: At = (part, old, fresh = old) => {
    const owner = ownerOf(old, fresh, pair);
    return { findings, pair, sender, owner, part: partIn(owner, pair, part) };
  };
  compareParameters(at, pair);
  compareBodies(at, pair);
};

/** Returns the location of a part that one or both sides describe. */
type At = (part: string, old: Owned, fresh?: Owned) => SchemaLocation;

const compareParameters = (at: At, pair: Matched): void => {
  const [old, fresh] = [byPlace(pair.old), byPlace(pair.new)];
  const moved = new Set<ApiParameter>();
  for (const [key, parameter] of old) {
    const counterpart = fresh.get(key);
    const elsewhere = [...fresh].find(([other, one]) => one.name === parameter.name && !old.has(other))?.[1];
    if (counterpart !== undefined) compareParameter(at, parameter, counterpart);
    else if (elsewhere === undefined) parameterGone(at, parameter);
    else {
      moved.add(elsewhere);
      parameterMoved(at, parameter, elsewhere);
    }
  }
  for (const [key, parameter] of fresh)
    if (!old.has(key) && !moved.has(parameter)) parameterAdded(at, parameter);
};

/** Identifies path parameters by position: their names do not appear on the wire. */
const byPlace = ({ path, parameters }: ApiOperation): Map<string, ApiParameter> => {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  return new Map(
    parameters
      .filter((one) => one.in !== "path" || names.includes(one.name))
      .map((one) => [one.in === "path" ? `path ${names.indexOf(one.name)}` : parameterKey(one), one]),
  );
};

const parameterGone = (at: At, parameter: ApiParameter): void => {
  const key = parameterKey(parameter);
  recordChange(at(key, parameter), {
    rule: "parameter",
    action: "removed",
    place: key,
    drafts: [{ values: { [key]: NONE } }],
    subject: key,
    note: parameter.deprecated ? "after deprecation" : "without deprecation",
    effect: { narrows: false, widens: parameter.required },
  });
};

const parameterAdded = (at: At, parameter: ApiParameter): void => {
  const key = parameterKey(parameter);
  recordChange(at(key, parameter), {
    rule: "parameter",
    action: "added",
    place: key,
    subject: key,
    ...(parameter.required && { note: "required" }),
    effect: { narrows: parameter.required, widens: false },
  });
};

const parameterMoved = (at: At, old: ApiParameter, fresh: ApiParameter): void => {
  const key = parameterKey(fresh);
  recordChange(at(key, old, fresh), {
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

const compareParameter = (at: At, old: ApiParameter, fresh: ApiParameter): void => {
  const place = parameterKey(fresh);
  const location = at(place, old, fresh);
  const required = { rule: "parameter.required", place, drafts: [{ without: place }] } as const;
  recordFlag(location, required, old.required, fresh.required);
  recordFlag(location, { rule: "parameter.deprecated", place, drafts: [] }, old.deprecated, fresh.deprecated);
  compareStyle(location, place, old, fresh);
  compareLater(location, { place }, old.schema, fresh.schema);
};

const compareStyle = (
  location: SchemaLocation,
  place: string,
  old: ApiParameter,
  fresh: ApiParameter,
): void => {
  const [before, after] = [old, fresh].map(
    ({ style, explode, mediaType }) => mediaType ?? `${style}${explode ? ", exploded" : ""}`,
  );
  const isStyled = mayHaveParts(old.schema) || mayHaveParts(fresh.schema);
  if (before !== after && (isStyled || old.style !== fresh.style || old.mediaType !== fresh.mediaType))
    recordChange(location, {
      rule: "parameter.style",
      action: "changed",
      place,
      drafts: [NONE, ["a", "b"], [1, 2]].map((value) => ({ values: { [place]: value } })),
      old: before,
      new: after,
    });
};

/** Whether the value may be an array or object, which `explode` writes differently. */
const mayHaveParts = (schema: unknown): boolean =>
  !/"type":"(string|number|integer|boolean)"/.test(JSON.stringify(schema) ?? "") ||
  /"(array|object)"/.test(JSON.stringify(schema));

const compareBodies = (at: At, pair: Matched): void => {
  const { body: old } = pair.old;
  const { body: fresh } = pair.new;
  if (old === fresh) return;
  if (old === undefined || fresh === undefined) {
    const needed = (old ?? fresh)?.required === true;
    recordChange(at("request body", { owner: pair.new.label }), {
      rule: "body",
      action: actionOf(old, fresh),
      place: "body",
      drafts: [{ body: NONE }],
      effect: { narrows: needed && fresh !== undefined, widens: needed && fresh === undefined },
      ...(needed && { note: "required" }),
    });
    return;
  }
  const location = at("request body", old, fresh);
  const required = { rule: "body.required", place: "body", drafts: [{ body: NONE }] } as const;
  recordFlag(location, required, old.required, fresh.required);
  compareContent(location, "body", old.content, fresh.content);
};
