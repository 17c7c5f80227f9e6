/** Compares two behaviours of a target. What a difference of generated values may cause is not reported. */
import { type AnswerForm, type Behaviour, ENOUGH, type Names } from "./behaviour.ts";

/** A change of behaviour. */
export interface BehaviourChange {
  readonly operationId: string;
  /** What was tried, or the status and the place in its answers. */
  readonly where: string;
  /** The answers, forms or names before and now; empty if there are none. */
  readonly before: readonly string[];
  readonly now: readonly string[];
  readonly kind: ChangeOfBehaviour;
}

export type ChangeOfBehaviour =
  | "answer"
  | "header"
  | "field"
  | "field-order"
  | "value"
  | "echo"
  | "kept"
  | "order"
  | "page";

type Draft = Omit<BehaviourChange, "operationId">;

export const changesBetween = (before: Behaviour, now: Behaviour): BehaviourChange[] => {
  const operations = Object.keys(now.answers).filter((operationId) => operationId in before.answers);
  return operations.flatMap((operationId) =>
    [
      ...answerChanges(before.answers[operationId] ?? {}, now.answers[operationId] ?? {}),
      ...inBoth(before.forms[operationId], now.forms[operationId], (status, one, other) =>
        formChanges(status, one, other),
      ),
    ].map((change) => ({ operationId, ...change })),
  );
};

/** Compares what two tables have at the same key. */
const inBoth = <Value>(
  before: Readonly<Record<string, Value>> = {},
  now: Readonly<Record<string, Value>> = {},
  compare: (key: string, before: Value, now: Value) => Draft[],
): Draft[] =>
  Object.entries(now).flatMap(([key, value]) => {
    const known = before[key];
    return known === undefined ? [] : compare(key, known, value);
  });

type Answers = Readonly<Record<string, readonly string[]>>;

const answerChanges = (before: Answers, now: Answers): Draft[] =>
  inBoth(before, now, (where, then, here) => {
    const change: Draft = { kind: "answer", where, before: then, now: here };
    return (isByChance(where) ? isDisjoint(then, here) : !isEqual(then, here)) ? [change] : [];
  });

/** Controls have generated values that may meet a state which others do not. */
const isByChance = (tried: string): boolean => tried.endsWith(": control");

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text) => other.includes(text));

const isDisjoint = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > 0 && other.length > 0 && !one.some((text) => other.includes(text));

const formChanges = (status: string, before: AnswerForm, now: AnswerForm): Draft[] => [
  ...headerChanges(status, before.headers, now.headers),
  ...inBoth(before.objects, now.objects, (place, one, other) =>
    fieldChanges(`${status} ${place}`, one, other),
  ),
  ...inBoth(before.values, now.values, (place, one, other) => valueChanges(`${status} ${place}`, one, other)),
  ...inBoth(before.echoes, now.echoes, (place, one, other) =>
    changed("echo", `${status} ${place}`, one, other, !isEqual(one, other)),
  ),
  ...inBoth(before.kept, now.kept, (place, one, other) =>
    changed("kept", `${status} ${place}`, one, other, isDisjoint(one, other)),
  ),
  ...inBoth(before.orders, now.orders, (field, one, other) =>
    changed("order", `${status} ${field}`, one, other, isOrderChanged(field, one, other)),
  ),
  ...changed("page", status, before.pages, now.pages, arePagesChanged(before.pages, now.pages)),
];

/** A list is cut elsewhere, or one list is longer than the length at which the other run cut. */
const arePagesChanged = (before: readonly string[], now: readonly string[]): boolean => {
  const [then, here] = [lengthsIn(before), lengthsIn(now)];
  if (then.cut > 0 && here.cut > 0) return then.cut !== here.cut;
  if ((then.cut > 0 && here.whole > then.cut) || (here.cut > 0 && then.whole > here.cut)) return true;
  // The longest list of a run depends on its data a little.
  return Math.max(then.seen, here.seen) >= 2 * Math.min(then.seen, here.seen) && then.seen * here.seen > 0;
};

const lengthsIn = (pages: readonly string[]) => {
  const longest = (word: string): number =>
    Math.max(0, ...pages.map((page) => (page.startsWith(word) ? Number(page.slice(word.length)) : 0)));
  return { cut: longest("cut after"), whole: longest("whole with"), seen: longest("up to") };
};

const changed = (
  kind: ChangeOfBehaviour,
  where: string,
  before: readonly string[],
  now: readonly string[],
  isChange: boolean,
): Draft[] => (isChange ? [{ kind, where, before, now }] : []);

/** The lists have another order, or all of them were in order of their ids and now none is. */
const isOrderChanged = (field: string, before: readonly string[], now: readonly string[]): boolean => {
  const [then, here] = [directions(before), directions(now)];
  // Lists may be in order of other fields by chance, since dates and amounts often grow with the ids.
  const isLost = field === "id" && then.length !== here.length && before.length === 1 && now.length === 1;
  return isLost || isDisjoint(then, here);
};

const NO_ORDER = "in no order";

const directions = (orders: readonly string[]): string[] => orders.filter((one) => one !== NO_ORDER);

/** How often instances have a name. */
type Share = "always" | "sometimes" | "never";

const shareOf = (name: string, { always, sometimes }: Names): Share => {
  if (always.includes(name)) return "always";
  return sometimes.includes(name) ? "sometimes" : "never";
};

const namesIn = (names: readonly Names[]): string[] => [
  ...new Set(names.flatMap(({ always, sometimes }) => [...always, ...sometimes])),
];

const headerChanges = (status: string, before: Names, now: Names): Draft[] =>
  namesIn([before, now]).flatMap((name) => {
    const [then, here] = [shareOf(name, before), shareOf(name, now)];
    return changed("header", `${status} ${name}`, [then], [here], then !== here);
  });

const fieldChanges = (where: string, before: Names, now: Names): Draft[] => {
  const isEnough = before.instances >= ENOUGH && now.instances >= ENOUGH;
  const required = new Set([...before.required, ...now.required]);
  const unknown = new Set([...before.unknown, ...now.unknown]);
  const given = new Set([...(before.given ?? []), ...(now.given ?? [])]);
  const fields = namesIn([before, now]).flatMap((name) => {
    const [then, here] = [shareOf(name, before), shareOf(name, now)];
    const isCertain = required.has(name) || (!given.has(name) && (isEnough || unknown.has(name)));
    const isTurned = [then, here].includes("always") && [then, here].includes("never");
    return changed("field", `${where}/${name}`, [then], [here], isCertain && isTurned);
  });
  const [one, other] = [ordered(before, now), ordered(now, before)];
  return [...fields, ...changed("field-order", where, one, other, one.join() !== other.join())];
};

/** Returns the names that all instances of both have, in their order; nothing if they have no common order. */
const ordered = (one: Names, other: Names): readonly string[] =>
  one.unordered || other.unordered ? [] : one.always.filter((name) => other.always.includes(name));

const valueChanges = (where: string, before: readonly string[], now: readonly string[]): Draft[] => {
  const notes = (forms: readonly string[]) => forms.flatMap((form) => form.split(", ").slice(1));
  const [then, here] = [before.map(formWithoutNotes), now.map(formWithoutNotes)];
  const isChange =
    isDisjoint(then, here) ||
    !isEqual([...new Set(notes(before))], [...new Set(notes(now))]) ||
    !isEqual(
      [...new Set(then.map(jsonType))].filter(isType),
      [...new Set(here.map(jsonType))].filter(isType),
    );
  return changed("value", where, before, now, isChange);
};

const formWithoutNotes = (form: string): string => form.split(", ")[0] as string;

const JSON_TYPES: readonly string[] = ["null", "boolean", "number", "array", "object"];

const jsonType = (form: string): string => (JSON_TYPES.includes(form) ? form : "string");

/** A value may be absent as null by chance. */
const isType = (type: string): boolean => type !== "null";
