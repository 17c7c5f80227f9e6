/** Compares parameters and body of an operation's request. */
import { parameterKey } from "../document/messages.ts";
import { type ApiOperation, type ApiParameter, type Both, type Owned, sendersOf } from "../document/model.ts";
import { announcementOf } from "../document/sunset.ts";
import {
  compareContent,
  compareLater,
  type Findings,
  ownerOf,
  partIn,
  recordChange,
  recordEnd,
  recordFlag,
  type SchemaLocation,
} from "./found.ts";
import { actionOf } from "./rules.ts";
import { NONE } from "./wanted.ts";

export const compareRequests = (findings: Findings, pair: Both<ApiOperation>): void => {
  const { request: sender } = sendersOf(pair.new);
  const at: At = (part, base, revision = base) => {
    const owner = ownerOf(base, revision, pair);
    return { findings, pair, sender, owner, part: partIn(owner, pair, part) };
  };
  compareParameters(at, pair);
  compareBodies(at, pair);
};

/** Returns the location of a part that one or both sides describe. */
type At = (part: string, base: Owned, revision?: Owned) => SchemaLocation;

const compareParameters = (at: At, pair: Both<ApiOperation>): void => {
  const [base, revision] = [byPlace(pair.old), byPlace(pair.new)];
  const moved = new Set<ApiParameter>();
  for (const [key, parameter] of base) {
    const counterpart = revision.get(key);
    const elsewhere = [...revision].find(
      ([other, one]) => one.name === parameter.name && !base.has(other),
    )?.[1];
    if (counterpart !== undefined) compareParameter(at, parameter, counterpart);
    else if (isInMovedPath(parameter, pair)) continue;
    else if (elsewhere === undefined) parameterGone(at, parameter);
    else {
      moved.add(elsewhere);
      parameterMoved(at, parameter, elsewhere);
    }
  }
  for (const [key, parameter] of revision)
    if (!base.has(key) && !moved.has(parameter) && !isInMovedPath(parameter, pair))
      parameterAdded(at, parameter);
};

/** Whether the parameter comes or goes with the path, which is a change of its own. */
const isInMovedPath = (
  { in: place }: ApiParameter,
  { old: base, new: revision }: Both<ApiOperation>,
): boolean => place === "path" && base.key !== revision.key;

/** Identifies path parameters by position, because their names are not sent. */
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
  const { note, isOver } = announcementOf(parameter);
  recordChange(at(key, parameter), {
    rule: "parameter",
    action: "removed",
    place: key,
    drafts: [{ values: { [key]: NONE } }],
    subject: key,
    note,
    ...(isOver && { isAnnounced: true }),
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

const parameterMoved = (at: At, base: ApiParameter, revision: ApiParameter): void => {
  const key = parameterKey(revision);
  recordChange(at(key, base, revision), {
    rule: "parameter.in",
    action: "changed",
    place: key,
    drafts: [{ values: { [parameterKey(base)]: NONE } }],
    subject: revision.name,
    old: base.in,
    new: revision.in,
    effect: { narrows: revision.required, widens: base.required },
  });
};

const compareParameter = (at: At, base: ApiParameter, revision: ApiParameter): void => {
  const place = parameterKey(revision);
  const location = at(place, base, revision);
  const required = { rule: "parameter.required", place, drafts: [{ without: place }] } as const;
  recordFlag(location, required, base.required, revision.required);
  recordEnd(location, { rule: "parameter.deprecated", place }, base, revision);
  const empty = { rule: "parameter.allowEmptyValue", place, drafts: [{ values: { [place]: "" } }] } as const;
  recordFlag(location, { ...empty, isDecisive: true }, base.allowEmptyValue, revision.allowEmptyValue);
  const reserved = { rule: "parameter.allowReserved", place, drafts: [] } as const;
  recordFlag(location, reserved, base.allowReserved, revision.allowReserved);
  compareStyle(location, place, base, revision);
  compareLater(location, { place }, base.schema, revision.schema);
};

/** Demands on values that the styles write differently. */
const WITH_PARTS = [{ type: "array", minItems: 2 }, { type: "object", minProperties: 1 }, {}];

const compareStyle = (
  location: SchemaLocation,
  place: string,
  base: ApiParameter,
  revision: ApiParameter,
): void => {
  const [before, after] = [base, revision].map(
    ({ style, explode, mediaType }) => mediaType ?? `${style}${explode ? ", exploded" : ""}`,
  );
  const isStyled = mayHaveParts(base.schema) || mayHaveParts(revision.schema);
  if (
    before !== after &&
    (isStyled || base.style !== revision.style || base.mediaType !== revision.mediaType)
  )
    recordChange(location, {
      rule: "parameter.style",
      action: "changed",
      place,
      drafts: WITH_PARTS.map((demand) => ({ meaning: { key: place, demand } })),
      old: before,
      new: after,
    });
};

/** Whether the value may be an array or object, which `explode` writes differently. */
const mayHaveParts = (schema: unknown): boolean =>
  !/"type":"(string|number|integer|boolean)"/.test(JSON.stringify(schema) ?? "") ||
  /"(array|object)"/.test(JSON.stringify(schema));

const compareBodies = (at: At, pair: Both<ApiOperation>): void => {
  const { body: base } = pair.old;
  const { body: revision } = pair.new;
  if (base === revision) return;
  if (base === undefined || revision === undefined) {
    const needed = (base ?? revision)?.required === true;
    recordChange(at("request body", { owner: pair.new.label }), {
      rule: "body",
      action: actionOf(base, revision),
      place: "body",
      drafts: [{ body: NONE }],
      effect: { narrows: needed && revision !== undefined, widens: needed && revision === undefined },
      ...(needed && { note: "required" }),
    });
    return;
  }
  const location = at("request body", base, revision);
  const required = { rule: "body.required", place: "body", drafts: [{ body: NONE }] } as const;
  recordFlag(location, required, base.required, revision.required);
  compareContent(location, "body", base.content, revision.content);
};
