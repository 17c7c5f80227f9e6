/** Compares two behaviours of a target. What a difference of generated values may cause is not reported. */
import {
  type AnswerForm,
  type Behaviour,
  ENOUGH,
  type Names,
  type TextsByPlace,
  triesShown,
} from "./behaviour.ts";
import type { GapVerdict } from "./gaps.ts";
import { withoutWord } from "./value-forms.ts";

/** A change of behaviour. */
export interface BehaviourChange {
  readonly operationId: string;
  /** The status of the answers whose form changed; `null` if other answers came. */
  readonly status: string | null;
  /** What was tried, or the place in the answers. */
  readonly where: string;
  /** The answers, forms or names before and now; empty if there are none. */
  readonly before: readonly string[];
  readonly now: readonly string[];
  /** A sentence without the operation, such as `an unknown key was answered 401, is now answered 403`. */
  readonly words: string;
}

type Draft = Omit<BehaviourChange, "operationId">;

/**
 * Returns the verdicts at level `gap` whose values differ. A value that only one side shows does not count.
 * @param sameSeed whether both runs tried the same generated values. If not, a value that only one run shows may be due to what
 *   it tried
 */
export const gapChanges = (before: readonly GapVerdict[], now: readonly GapVerdict[], sameSeed = true) => {
  const values = new Map(before.map(({ id, value }) => [id, value]));
  return now.flatMap((gap) => {
    const then = values.get(gap.id) ?? null;
    const { value } = gap;
    if (then === null || value === null || !haveChanged(then, value, sameSeed)) return [];
    return [{ gap, words: answered(gap.what, then, value), before: then, now: value }];
  });
};

/** @param sameSeed see `gapChanges` */
export const changesBetween = (before: Behaviour, now: Behaviour, sameSeed = true): BehaviourChange[] => {
  const operations = Object.keys(now.answers).filter((operationId) => operationId in before.answers);
  return operations.flatMap((operationId) =>
    [
      ...inBoth(before.answers[operationId], now.answers[operationId], answerChange(sameSeed)),
      ...inBoth(before.forms[operationId], now.forms[operationId], formChanges),
    ].map((change) => ({ operationId, ...change })),
  );
};

/**
 * Returns the cause of a change, without its place: what refusals now say that they did not say, or how the form of errors
 * changed. Other changes are told apart by their words.
 */
export const causeOf = ({ status, where, before, now, words }: BehaviourChange): string => {
  if (status !== null) return Number(status) >= 400 && where !== "" ? words.replace(where, "…") : words;
  const [then, here] = [before, now].map((answers) => answers.flatMap((text) => text.split("; ")));
  const fresh = here?.filter((part) => then?.includes(part) === false) ?? [];
  const gone = before
    .map((text) => text.split("; ")[0] ?? "")
    .filter((text) => here?.includes(text) === false);
  const isRefusal = [...before, ...now].some((text) => /^[45]\d\d\b/.test(text));
  return isRefusal && fresh.length > 0 ? [...new Set([...gone, "→", ...fresh.sort()])].join("; ") : words;
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

const answerChange =
  (sameSeed: boolean) =>
  (where: string, before: readonly string[], now: readonly string[]): Draft[] =>
    haveChanged(before, now, sameSeed && !isByChance(where))
      ? [{ status: null, where, before, now, words: answered(triedIn(where), before, now) }]
      : [];

/** Whether the values of the calls may meet a state that others do not. */
const isByChance = (where: string): boolean => where.endsWith(": control") || triesShown(where);

const haveChanged = (before: readonly string[], now: readonly string[], triedTheSame: boolean): boolean =>
  triedTheSame ? !isEqual(before, now) : isDisjoint(before, now);

/** `authentication: an unknown app key` -> `an unknown app key` */
const triedIn = (where: string): string => {
  const at = where.indexOf(": ");
  const [trial, tried] = at < 0 ? [where, ""] : [where.slice(0, at), where.slice(at + 2)];
  if (tried === "" || tried === "probe" || tried === "control") return `${tried || "a call"} of ${trial}`;
  return tried;
};

const answered = (what: string, before: readonly string[], now: readonly string[]): string => {
  const [then, here] = shortest(before, now);
  return [...then, ...here].every((text) => /^\d{3}\b/.test(text))
    ? `${what} was answered ${list(then)}, is now answered ${list(here)}`
    : `${what}: was ${list(then)}, is now ${list(here)}`;
};

/** Reduces answers to their statuses if these differ. */
const shortest = (before: readonly string[], now: readonly string[]) => {
  const [one, other] = [before, now].map((answers) => [
    ...new Set(answers.map((text) => text.split(";")[0] as string)),
  ]);
  return one?.join() === other?.join() ? ([before, now] as const) : ([one ?? [], other ?? []] as const);
};

const list = (texts: readonly string[]): string => (texts.length === 0 ? "nothing" : texts.join(" or "));

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text) => other.includes(text));

const isDisjoint = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > 0 && other.length > 0 && !one.some((text) => other.includes(text));

const formChanges = (status: string, before: AnswerForm, now: AnswerForm): Draft[] => {
  const answers = ` in answers with ${status}`;
  /** Compares two tables. @param words describe a change at a place, from one list of texts to another */
  const changed = (
    [then, here]: readonly [TextsByPlace | undefined, TextsByPlace | undefined],
    isChange: (before: readonly string[], now: readonly string[], where: string) => boolean,
    words: (where: string, before: string, now: string) => string,
  ): Draft[] =>
    inBoth(then, here, (where, one, other) =>
      isChange(one, other, where)
        ? [{ status, where, before: one, now: other, words: words(where, list(one), list(other)) }]
        : [],
    );
  const both = <Value>(read: (form: AnswerForm) => Value) => [read(before), read(now)] as const;
  return [
    ...changed(
      sharesOf(before.headers, now.headers),
      (one, other) => !isEqual(one, other),
      (name, one, other) =>
        `${name.startsWith("(") ? name : `the header ${name}`} was ${one} sent with ${status}, is now ${other} sent`,
    ),
    ...inBoth(before.objects, now.objects, (place, one, other) => [
      ...changed(
        sharesOf(one, other, `${place}/`),
        (then, here, where) => isFieldChanged(where.slice(place.length + 1), [then, here], [one, other]),
        (where, then, here) => `the field ${where}${answers} was ${then} present, is now ${here} present`,
      ),
      ...changed(
        [{ [place]: ordered(one, other) }, { [place]: ordered(other, one) }],
        (then, here) => then.join() !== here.join(),
        (where) => `the fields of ${where || "the body"}${answers} have another order`,
      ),
    ]),
    ...changed(
      both(({ values }) => values),
      (one, other, where) => isValueChanged(...comparable(one, other, areManyAt(where, before, now))),
      (where, one, other) => `${where || "the body"}${answers} was ${one}, is now ${other}`,
    ),
    ...changed(
      both(({ echoes }) => echoes),
      (one, other) => !isEqual(one, other),
      (where, one, other) => `the sent ${where}${answers} was returned ${one}, is now returned ${other}`,
    ),
    ...changed(
      both(({ kept }) => kept),
      isDisjoint,
      (where, one, other) => `the sent ${where}${answers} was ${one}, is now ${other}`,
    ),
    ...changed(
      both(({ orders }) => orders),
      isOrderChanged,
      (field, one, other) => `the list${answers} was ${one} by ${field}, is now ${other}`,
    ),
    ...changed(
      both(({ pages }) => ({ "": pages })),
      arePagesChanged,
      (_, one, other) => `the list${answers} without a limit was ${cut(one)}, is now ${cut(other)}`,
    ),
  ];
};

const cut = (pages: string): string => (pages === list([]) ? "never cut" : pages);

/** Returns how often instances have each name, before and now. */
const sharesOf = (before: Names, now: Names, prefix = ""): readonly [TextsByPlace, TextsByPlace] => {
  const names = [before, now].flatMap(({ always, sometimes }) => [...always, ...sometimes]);
  const shares = ({ always, sometimes }: Names): TextsByPlace =>
    Object.fromEntries(
      names.map((name) => {
        const share = always.includes(name) ? "always" : sometimes.includes(name) ? "sometimes" : "never";
        return [`${prefix}${name}`, [share]];
      }),
    );
  return [shares(before), shares(now)];
};

const isFieldChanged = (
  name: string,
  shares: readonly (readonly string[])[],
  forms: readonly Names[],
): boolean => {
  const isAny = (read: (form: Names) => readonly string[] | undefined): boolean =>
    forms.some((form) => read(form)?.includes(name));
  const isEnough = forms.every(({ instances }) => instances >= ENOUGH);
  const isCertain =
    isAny(({ required }) => required) ||
    (!isAny(({ given }) => given) && (isEnough || isAny(({ unknown }) => unknown)));
  return isCertain && ["always", "never"].every((share) => shares.flat().includes(share));
};

/** Returns the names that all instances of both have, in their order; nothing if they have no common order. */
const ordered = (one: Names, other: Names): readonly string[] =>
  one.unordered || other.unordered ? [] : one.always.filter((name) => other.always.includes(name));

const isValueChanged = (before: readonly string[], now: readonly string[]): boolean => {
  const notes = (forms: readonly string[]) => [
    ...new Set(forms.flatMap((form) => form.split(", ").slice(1))),
  ];
  const [then, here] = [before.map(formWithoutNotes), now.map(formWithoutNotes)];
  return (
    isDisjoint(then, here) ||
    !isEqual(notes(before), notes(now)) ||
    !isEqual([...new Set(then.map(jsonType))].filter(isType), [...new Set(here.map(jsonType))].filter(isType))
  );
};

/** Whether both saw enough of the objects that have the value. */
const areManyAt = (where: string, ...forms: readonly AnswerForm[]): boolean => {
  const object = where.slice(0, where.lastIndexOf("/"));
  return forms.every(({ objects }) => (objects[object]?.instances ?? 0) >= ENOUGH);
};

/** Few answers may have another word of a list by chance, and older baselines do not name the words. */
const comparable = (
  before: readonly string[],
  now: readonly string[],
  areMany: boolean,
): [readonly string[], readonly string[]] => {
  const isNamed = ![before, now].some((forms) => forms.some((form) => form === "word"));
  return areMany && isNamed ? [before, now] : [before.map(withoutWord), now.map(withoutWord)];
};

const formWithoutNotes = (form: string): string => form.split(", ")[0] as string;

const JSON_TYPES: readonly string[] = ["null", "boolean", "number", "array", "object"];

const jsonType = (form: string): string => (JSON_TYPES.includes(form) ? form : "string");

/** A value may be absent as null by chance. */
const isType = (type: string): boolean => type !== "null";

/** The lists have another order, or all of them were in order of their ids and now none is. */
const isOrderChanged = (before: readonly string[], now: readonly string[], field: string): boolean => {
  const [then, here] = [directions(before), directions(now)];
  // Lists may be in order of other fields by chance, since dates and amounts often grow with the ids.
  const isLost = field === "id" && then.length !== here.length && before.length === 1 && now.length === 1;
  return isLost || isDisjoint(then, here);
};

const NO_ORDER = "in no order";

const directions = (orders: readonly string[]): string[] => orders.filter((one) => one !== NO_ORDER);

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
