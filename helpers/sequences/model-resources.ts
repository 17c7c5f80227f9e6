/** Things that are made, changed and deleted by calls, and how a look at one finds it as the calls have left it. */
import { isDeepStrictEqual } from "node:util";
import { rewritten } from "../contract/json.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import type { Assertion } from "./model.ts";

export interface ModelResource {
  /** Names it within its sequence, for example `customer 2`. */
  readonly name: string;
  readonly kind: string;
  /** Identifiers by resource: its own, and those of what it belongs to. */
  readonly ids: Readonly<Record<string, string>>;
  /** What is known of it and never changes, for example the type of an account. */
  readonly traits?: Readonly<Record<string, string>>;
  /** What calls gave its fields, the latest value of each. */
  given: Readonly<Record<string, unknown>>;
  /** Its fields as they were last looked at. */
  shown?: Readonly<Record<string, unknown>>;
  /** Fields that calls have changed since then. */
  changed: readonly string[];
  gone: boolean;
}

/** Ids of the requirements that a look judges; one that is absent is not judged. */
export interface Promises {
  /** What was made can be read until it is deleted. */
  readonly readable?: string;
  /** What was deleted can't be read. */
  readonly gone?: string;
  /** Fields show what they were given. */
  readonly given?: string;
  /** A change leaves what it does not name. */
  readonly unnamed?: string;
  /** What no call changes stays as it is. */
  readonly untouched?: string;
}

export const newModelResource = (
  kind: string,
  number: number,
  ids: ModelResource["ids"],
  given: ModelResource["given"] = {},
): ModelResource => ({ name: `${kind} ${number}`, kind, ids, given, changed: [], gone: false });

export const alive = (things: readonly ModelResource[], kind?: string): ModelResource[] =>
  things.filter((thing) => !thing.gone && (kind === undefined || thing.kind === kind));

export const byName = (things: readonly ModelResource[], name: string): ModelResource => {
  const thing = things.find((one) => one.name === name);
  if (thing === undefined) throw new Error(`The sequence has no ${name}.`);
  return thing;
};

/**
 * A call gave these fields of the thing other values.
 * @param whole whether it gave the thing anew, so that nothing is left of what it was given before
 */
export const change = (
  thing: ModelResource,
  fields: Readonly<Record<string, unknown>>,
  whole = false,
): void => {
  const { given, shown = {}, changed } = thing;
  thing.given = whole ? fields : { ...given, ...fields };
  const names = whole ? Object.keys({ ...shown, ...fields }) : Object.keys(fields);
  thing.changed = [...new Set([...changed, ...names])];
};

/** Whether a call was about it since it was last looked at. */
export const isDue = ({ shown, changed, gone }: ModelResource): boolean =>
  gone ? shown !== undefined : shown === undefined || changed.length > 0;

/** What reading the thing shows of it. */
export const judgeRead = (
  thing: ModelResource,
  exchange: Exchange,
  promises: Promises,
  note: Assertion,
): void => {
  const status = statusOf(exchange);
  if (thing.gone) {
    say(note, promises.gone, !isAccepted(exchange), {
      message: `${thing.name} was deleted, and ${exchange.operationId} still shows it`,
      expected: "a refusal",
      actual: `${status}`,
      must: { accepted: false },
    });
    delete thing.shown;
    return;
  }
  say(note, promises.readable, isAccepted(exchange), {
    message: `${thing.name} was made and not deleted, and ${exchange.operationId} does not show it`,
    expected: "an answer with it",
    actual: `${status}`,
    must: { accepted: true },
  });
  if (isAccepted(exchange)) judgeFields(thing, fieldsOf(exchange.response?.json), exchange, promises, note);
};

/** What an answer shows of the thing, wherever it stands in it. */
const judgeFields = (
  thing: ModelResource,
  fields: Readonly<Record<string, unknown>>,
  { operationId }: Exchange,
  promises: Promises,
  note: Assertion,
): void => {
  const { shown = {}, given, changed, name } = thing;
  const fresh = Object.keys(given).filter(
    (field) => (changed.includes(field) || !(field in shown)) && field in fields,
  );
  const other = fresh.find((field) => !shows(fields[field], given[field]));
  say(note, fresh.length > 0 ? promises.given : undefined, other === undefined, {
    pointer: `/${other}`,
    message: `${operationId} shows another ${other} of ${name} than it was given last`,
    expected: text(given[other ?? ""]),
    actual: text(fields[other ?? ""]),
    must: { pointer: `/${other}`, value: given[other ?? ""] },
    named: true,
  });
  const kept = Object.keys(shown).filter((field) => !changed.includes(field));
  const lost = kept.find((field) => !isDeepStrictEqual(fields[field], shown[field]));
  const promise = changed.length > 0 ? promises.unnamed : promises.untouched;
  say(note, kept.length > 0 ? promise : undefined, lost === undefined, {
    pointer: `/${lost}`,
    message: `${operationId} shows another ${lost} of ${name} than before, and no call named it`,
    expected: text(shown[lost ?? ""]),
    actual: text(fields[lost ?? ""]),
    must: { pointer: `/${lost}`, value: shown[lost ?? ""] },
  });
  thing.shown = { ...Object.fromEntries(kept.map((field) => [field, shown[field]])), ...fields };
  thing.changed = [];
};

/** What another answer, such as a list, shows of a thing that was looked at before: of what both show, the same. */
export const judgeAgrees = (
  thing: ModelResource,
  item: unknown,
  { operationId }: Exchange,
  requirement: string,
  note: Assertion,
): void => {
  const fields = fieldsOf(item);
  const { given, shown = {}, changed } = thing;
  const known = Object.fromEntries(Object.entries(shown).filter(([field]) => !changed.includes(field)));
  const expected = { ...given, ...known };
  const other = Object.keys(expected).find(
    (field) => field in fields && !shows(fields[field], expected[field]),
  );
  note(requirement, other === undefined, {
    pointer: `/${other}`,
    message: `${operationId} shows another ${other} of ${thing.name} than reading it alone`,
    expected: text(expected[other ?? ""]),
    actual: text(fields[other ?? ""]),
    ...(typeof expected[other ?? ""] === "string" && { must: { holds: String(expected[other ?? ""]) } }),
    named: true,
  });
};

/** The fields that calls decide; the first item of a list of one. */
const fieldsOf = (json: unknown): Readonly<Record<string, unknown>> => {
  const object: unknown = Array.isArray(json) ? json[0] : json;
  const isContainer = typeof object === "object" && object !== null;
  return isContainer ? (withoutOwn(object) as Record<string, unknown>) : {};
};

const withoutOwn = (value: unknown): unknown =>
  rewritten(value, (object) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !OF_ITSELF.test(name))),
  );

/** Such fields change without any call. */
const OF_ITSELF = /date|time|modified|updated|version|etag|request|correlation|trace/i;

/** A field that is masked shows the end of what it was given. */
const shows = (shown: unknown, given: unknown): boolean => {
  if (isDeepStrictEqual(shown, given) || String(shown) === String(given)) return true;
  if (typeof given === "object" && given !== null) return holds(shown, given);
  return typeof shown === "string" && typeof given === "string" && given.endsWith(shown.replace(MASK, ""));
};

const MASK = /^[*•xX#-]+/;

/** What is shown may have more members than were given. */
const holds = (shown: unknown, given: object): boolean =>
  typeof shown === "object" &&
  shown !== null &&
  Object.entries(given).every(([name, value]) => shows((shown as Record<string, unknown>)[name], value));

const say = (
  note: Assertion,
  requirement: string | undefined,
  held: boolean,
  wording: Parameters<Assertion>[2],
) => {
  if (requirement !== undefined) note(requirement, held, wording);
};

const text = (value: unknown): string => {
  const written = JSON.stringify(value) ?? "nothing";
  return written.length > 80 ? `${written.slice(0, 79)}…` : written;
};
