/**
 * Resources that calls create, change and delete, and checks that a query shows them in the state that the calls
 * produced.
 */
import { secondsOf } from "../checks/fields.ts";
import { isObject, isSame } from "../contract/json.ts";
import { MASK } from "../contract/schemas/formats.ts";
import { shownValue } from "../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import type { Assertion, Wording } from "./model.ts";

export interface ModelResource {
  /** A name that is unique within the sequence, for example `customer 2`. */
  readonly name: string;
  readonly kind: string;
  /** Identifiers by resource: its own identifier, and the identifiers of its parents. */
  readonly ids: Readonly<Record<string, string>>;
  /** The latest value that calls gave to each field. */
  given: Readonly<Record<string, unknown>>;
  /** The fields as the last query showed them. */
  shown?: Readonly<Record<string, unknown>>;
  /** Fields that calls have changed since the last query. */
  changed: readonly string[];
  /** Whether calls have changed a resource below it since the last query. */
  touched?: boolean;
  /** By field that no call gave: whether it changes by itself, or changed with a call that does not name it. */
  moves?: Readonly<Record<string, boolean>>;
  gone: boolean;
}

/** Ids of the requirements that a query judges. An absent requirement is not judged. */
export interface Promises {
  /** A created resource can be read until it is deleted. */
  readonly readable?: string;
  /** A deleted resource can't be read. */
  readonly gone?: string;
  /** A field shows the value that it was given. */
  readonly given?: string;
  /** A change leaves the fields that it does not name. */
  readonly unnamed?: string;
  /** A field that no call changes stays the same. */
  readonly untouched?: string;
}

export const newModelResource = (
  kind: string,
  number: number,
  ids: ModelResource["ids"],
  given: ModelResource["given"] = {},
): ModelResource => ({ name: `${kind} ${number}`, kind, ids, given, changed: [], gone: false });

export const alive = (resources: readonly ModelResource[], kind?: string): ModelResource[] =>
  resources.filter((resource) => !resource.gone && (kind === undefined || resource.kind === kind));

export const byName = (resources: readonly ModelResource[], name: string): ModelResource => {
  const resource = resources.find((one) => one.name === name);
  if (resource === undefined) throw new Error(`The sequence has no ${name}.`);
  return resource;
};

/**
 * Records that a call changed these fields of the resource.
 * @param whole whether the call replaced the resource, which discards all earlier fields
 */
export const change = (
  resource: ModelResource,
  fields: Readonly<Record<string, unknown>>,
  whole = false,
): void => {
  const { given, shown = {}, changed } = resource;
  resource.given = whole ? fields : { ...given, ...fields };
  const names = whole ? Object.keys({ ...shown, ...fields }) : Object.keys(fields);
  resource.changed = [...new Set([...changed, ...names])];
};

/** Whether a call changed the resource since the last query. */
export const isDue = ({ shown, changed, gone }: ModelResource): boolean =>
  gone ? shown !== undefined : shown === undefined || changed.length > 0;

/** Judges the answer to a call that reads the resource. */
export const judgeRead = (
  resource: ModelResource,
  exchange: Exchange,
  promises: Promises,
  note: Assertion,
): void => {
  const status = statusOf(exchange);
  if (resource.gone) {
    say(note, promises.gone, !isAccepted(exchange), {
      message: `${resource.name} was deleted, and ${exchange.operationId} still shows it`,
      expected: "a refusal",
      actual: `${status}`,
    });
    delete resource.shown;
    return;
  }
  say(note, promises.readable, isAccepted(exchange), {
    message: `${resource.name} was made and not deleted, and ${exchange.operationId} does not show it`,
    expected: "an answer with it",
    actual: `${status}`,
  });
  if (isAccepted(exchange))
    judgeFields(resource, fieldsOf(exchange.response?.json), exchange, promises, note);
};

/** Judges the fields of the resource in an answer. */
const judgeFields = (
  resource: ModelResource,
  fields: Readonly<Record<string, unknown>>,
  { operationId }: Exchange,
  promises: Promises,
  note: Assertion,
): void => {
  const { shown = {}, given, changed, name, moves = {} } = resource;
  const touched = changed.length > 0 || resource.touched === true;
  const fresh = Object.keys(given).filter(
    (field) => (changed.includes(field) || !(field in shown)) && field in fields,
  );
  const other = fresh.find((field) => !shows(fields[field], given[field]));
  say(note, fresh.length > 0 ? promises.given : undefined, other === undefined, {
    pointer: `/${other}`,
    message: `${operationId} shows another ${other} of ${name} than it was given last`,
    expected: shownValue(given[other ?? ""]),
    actual: shownValue(fields[other ?? ""]),
    named: true,
  });
  const kept = Object.keys(shown).filter((field) => !changed.includes(field) && moves[field] !== true);
  const moved = kept.filter((field) => !isSame(fields[field], shown[field]));
  const mayMove = (field: string) => moves[field] !== false || isLaterTime(shown[field], fields[field]);
  const isOfItself = (field: string) =>
    !(field in given) && (note.moving?.has(field) === true || (touched && mayMove(field)));
  const lost = moved.find((field) => !isOfItself(field));
  const promise = changed.length > 0 ? promises.unnamed : promises.untouched;
  say(note, kept.length > 0 ? promise : undefined, lost === undefined, {
    pointer: `/${lost}`,
    message: `${operationId} shows another ${lost} of ${name} than before, and no call named it`,
    expected: shownValue(shown[lost ?? ""]),
    actual: shownValue(fields[lost ?? ""]),
  });
  resource.shown = { ...Object.fromEntries(kept.map((field) => [field, shown[field]])), ...fields };
  const told = touched ? kept : moved.filter(isOfItself);
  resource.moves = { ...moves, ...Object.fromEntries(told.map((field) => [field, moved.includes(field)])) };
  Object.assign(resource, { changed: [], touched: false });
};

/** Whether a time has grown: it may say when something changed, which two changes within a second do not show. */
const isLaterTime = (before: unknown, now: unknown): boolean => {
  const [one = 0, other = 0] = [before, now].map(secondsOf);
  // Smaller numbers are not seconds since 1970.
  return one > 1e9 && other > one;
};

/** A list with fewer items is not a page of a longer one. */
export const SHORTEST_PAGE = 10;

/** Judges another answer, such as a list: it must agree with the last query on all fields that both show. */
export const judgeAgrees = (
  resource: ModelResource,
  item: unknown,
  { operationId }: Exchange,
  requirement: string,
  note: Assertion,
): void => {
  const fields = fieldsOf(item);
  const { given, shown = {}, changed, moves = {} } = resource;
  const isKnown = (field: string) => !changed.includes(field) && moves[field] !== true;
  const known = Object.fromEntries(Object.entries(shown).filter(([field]) => isKnown(field)));
  const expected = { ...given, ...known };
  const isJudged = (field: string) => field in fields && (field in given || note.moving?.has(field) !== true);
  const both = Object.keys(expected).filter(isJudged);
  const other = both.find((field) => !shows(fields[field], expected[field]));
  // Other fields may change by themselves between two reads.
  const isGiven = (field: string) => field in given && shows(expected[field], given[field]);
  const inView = (field: string) => `${operationId} shows ${field} of ${resource.ids[resource.kind]}`;
  note(requirement, other === undefined, {
    pointer: `/${other}`,
    shows: (other === undefined ? both : [other]).filter(isGiven).map(inView),
    message: `${operationId} shows another ${other} of ${resource.name} than reading it alone`,
    expected: shownValue(expected[other ?? ""]),
    actual: shownValue(fields[other ?? ""]),
    named: true,
  });
};

/** Returns the fields that calls determine, from an object or from the first item of a list. */
const fieldsOf = (json: unknown): Readonly<Record<string, unknown>> => {
  const object: unknown = Array.isArray(json) ? json[0] : json;
  return isObject(object) ? object : {};
};

/** Whether a field shows its value, in any letter case. A masked field shows the end of its value. */
const shows = (shown: unknown, given: unknown): boolean => {
  const [one, other] = [shown, given].map((value) => String(value).toLowerCase());
  if (isSame(shown, given) || one === other) return true;
  if (typeof given === "object" && given !== null) return holds(shown, given);
  const [end = ""] = String(shown).split(MASK).slice(-1);
  return (
    typeof shown === "string" && typeof given === "string" && given.endsWith(end.replace(/^[x#-]+/i, ""))
  );
};

/** Whether the shown object has all given members. It may have additional members. */
const holds = (shown: unknown, given: object): boolean =>
  typeof shown === "object" &&
  shown !== null &&
  Object.entries(given).every(([name, value]) => shows((shown as Record<string, unknown>)[name], value));

const say = (note: Assertion, requirement: string | undefined, held: boolean, wording: Wording): void => {
  if (requirement !== undefined) note(requirement, held, wording);
};
