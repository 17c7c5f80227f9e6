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
import { lengthsAfter } from "./merge.ts";
import { shortAnswer } from "./normal-text.ts";
import { withoutWord } from "./value-forms.ts";

type Texts = readonly string[];

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

/**
 * Returns the verdicts at level `gap` whose values differ. A value that only one side shows does not count.
 * @param sameSeed whether both runs tried the same generated values. If not, a value that only one run shows may be due to what
 *   it tried
 */
export const gapChanges = (before: readonly GapVerdict[], now: readonly GapVerdict[], sameSeed = true) => {
  const values = new Map(before.map(({ id, value }) => [id, value]));
  return now.flatMap((gap) => {
    const [then, { value }] = [values.get(gap.id), gap];
    if (!then || value === null || !haveChanged(then, value, sameSeed)) return [];
    return [{ gap, words: answered(gap.what, then, value), before: then, now: value }];
  });
};

/** @param sameSeed see `gapChanges` */
export const changesBetween = (then: Behaviour, here: Behaviour, sameSeed = true): BehaviourChange[] =>
  inBoth(then.answers, here.answers).flatMap(([operationId, ...answers]) => [
    ...inBoth(...answers).flatMap(([where, before, now]) => {
      // The values of some calls may meet a state that others do not.
      const isByChance = where.endsWith(": control") || triesShown(where);
      if (!haveChanged(before, now, sameSeed && !isByChance)) return [];
      return [
        { operationId, status: null, where, before, now, words: answered(triedIn(where), before, now) },
      ];
    }),
    ...inBoth(then.forms[operationId], here.forms[operationId]).flatMap(([status, ...forms]) =>
      formChanges(status, ...forms).map((change) => ({ operationId, status, ...change })),
    ),
  ]);

/** Returns the keys that two tables have, and what they have there. */
const inBoth = <Value>(
  before: Readonly<Record<string, Value>> = {},
  now: Readonly<Record<string, Value>> = {},
): (readonly [key: string, before: Value, now: Value])[] =>
  Object.entries(now).flatMap(([key, value]) => {
    const known = before[key];
    return known === undefined ? [] : [[key, known, value] as const];
  });

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

const haveChanged = (before: Texts, now: Texts, triedTheSame: boolean): boolean =>
  triedTheSame ? differ(before, now) : isDisjoint(before, now);

/** `authentication: an unknown app key` -> `an unknown app key` */
const triedIn = (where: string): string => {
  const at = where.indexOf(": ");
  const [trial, tried] = at < 0 ? [where, ""] : [where.slice(0, at), where.slice(at + 2)];
  if (tried === "" || tried === "probe" || tried === "control") return `${tried || "a call"} of ${trial}`;
  return tried;
};

/** Names the statuses alone if they differ. */
const answered = (what: string, before: Texts, now: Texts): string => {
  const [one, other] = [before, now].map((answers) => list([...new Set(answers.map(shortAnswer))]));
  const [then, here] = one === other ? [list(before), list(now)] : [one, other];
  return [...before, ...now].every((text) => /^\d{3}\b/.test(text))
    ? `${what} was answered ${then}, is now answered ${here}`
    : `${what}: was ${then}, is now ${here}`;
};

const list = (texts: Texts): string => (texts.length === 0 ? "nothing" : texts.join(" or "));

/** Whether one of two lists has a text that the other lacks. */
const differ = (one: Texts, other: Texts): boolean =>
  one.some((text) => !other.includes(text)) || other.some((text) => !one.includes(text));

const isDisjoint = (one: Texts = [], other: Texts = []): boolean =>
  one.length > 0 && other.length > 0 && !one.some((text) => other.includes(text));

/** A kind of facts in the forms of answers. */
interface Kind {
  /** Returns the texts at each place of a form. @param other the form that it is compared with */
  readonly of: (form: AnswerForm, other: AnswerForm) => TextsByPlace | undefined;
  readonly isChange: (before: Texts, now: Texts, where: string, forms: readonly AnswerForm[]) => boolean;
  readonly words: (where: string, before: string, now: string, status: string) => string;
}

const formChanges = (status: string, before: AnswerForm, now: AnswerForm) =>
  KINDS.flatMap(({ of, isChange, words }) =>
    inBoth(of(before, now), of(now, before)).flatMap(([where, then, here]) =>
      isChange(then, here, where, [before, now])
        ? [{ where, before: then, now: here, words: words(where, list(then), list(here), status) }]
        : [],
    ),
  );

const cut = (pages: string): string => (pages === list([]) ? "never cut" : pages);

/** Returns how often instances have each of their names and of the other names. */
const sharesOf = (own: Names, other: Names): TextsByPlace => {
  const names = [own, other].flatMap(({ always, sometimes }) => [...always, ...sometimes]);
  const share = (name: string): string =>
    own.always.includes(name) ? "always" : own.sometimes.includes(name) ? "sometimes" : "never";
  return Object.fromEntries(names.map((name) => [name, [share(name)]]));
};

/** Returns how often instances have each field whose absence is not a coincidence. */
const fieldsOf = (place: string, own: Names, other: Names): TextsByPlace => {
  const isEnough = own.instances >= ENOUGH && other.instances >= ENOUGH;
  const isIn = (name: string, list: "required" | "given" | "unknown"): boolean =>
    [own, other].some((names) => names[list]?.includes(name));
  return Object.fromEntries(
    Object.entries(sharesOf(own, other)).flatMap(([name, share]) =>
      isIn(name, "required") || (!isIn(name, "given") && (isEnough || isIn(name, "unknown")))
        ? [[`${place}/${name}`, share]]
        : [],
    ),
  );
};

/** Returns the names that all instances of both have, in their order; nothing if they have no common order. */
const ordered = (one: Names, other: Names): Texts =>
  one.unordered || other.unordered ? [] : one.always.filter((name) => other.always.includes(name));

/** A value has no common form, or its forms have other notes or other JSON types. */
const isValueChanged: Kind["isChange"] = (before, now, where, forms) => {
  const object = where.slice(0, where.lastIndexOf("/"));
  const areMany = forms.every(({ objects }) => (objects[object]?.instances ?? 0) >= ENOUGH);
  // Few answers may have another word of a list by chance, and older baselines do not name the words.
  const isByWord = areMany && !before.includes("word") && !now.includes("word");
  const [then, here] = isByWord ? [before, now] : [before.map(withoutWord), now.map(withoutWord)];
  return (
    isDisjoint(then.map(formWithoutNotes), here.map(formWithoutNotes)) ||
    [notesOf, typesOf].some((read) => differ(then.flatMap(read), here.flatMap(read)))
  );
};

const formWithoutNotes = (form: string): string => form.split(", ")[0] as string;

const notesOf = (form: string): Texts => form.split(", ").slice(1);

/** Returns the JSON type of a form; nothing for null, because a value may be absent as null by chance. */
const typesOf = (form: string): Texts => {
  const type = formWithoutNotes(form);
  if (type === "null") return [];
  return ["boolean", "number", "array", "object"].includes(type) ? [type] : ["string"];
};

/** The lists have another order, or all of them were in order of their ids and now none is. */
const isOrderChanged = (before: Texts, now: Texts, field: string): boolean => {
  const [then, here] = [before, now].map((orders) => orders.filter((order) => order !== "in no order"));
  // Lists may be in order of other fields by chance, since dates and amounts often grow with the ids.
  const isLost = field === "id" && then?.length !== here?.length && before.length === 1 && now.length === 1;
  return isLost || isDisjoint(then, here);
};

/** A list is cut elsewhere, or one list is longer than the length at which the other run cut. */
const arePagesChanged = (before: Texts, now: Texts): boolean => {
  const [then, here] = [lengthsIn(before), lengthsIn(now)];
  if (then.cut > 0 && here.cut > 0) return then.cut !== here.cut;
  if ((then.cut > 0 && here.whole > then.cut) || (here.cut > 0 && then.whole > here.cut)) return true;
  // The longest list of a run depends on its data a little.
  return Math.max(then.seen, here.seen) >= 2 * Math.min(then.seen, here.seen) && then.seen * here.seen > 0;
};

const lengthsIn = (pages: Texts) => {
  const longest = (word: string): number => lengthsAfter(word, pages).at(-1) ?? 0;
  return { cut: longest("cut after"), whole: longest("whole with"), seen: longest("up to") };
};

const KINDS: readonly Kind[] = [
  {
    of: ({ headers }, other) => sharesOf(headers, other.headers),
    isChange: differ,
    words: (name, before, now, status) =>
      `${name.startsWith("(") ? name : `the header ${name}`} was ${before} sent with ${status}, is now ${now} sent`,
  },
  {
    of: ({ objects }, other) =>
      Object.assign(
        {},
        ...inBoth(objects, other.objects).map(([place, ...both]) => fieldsOf(place, ...both)),
      ),
    isChange: (...shares) => shares.slice(0, 2).flat().sort().join() === "always,never",
    words: (where, before, now, status) =>
      `the field ${where} in answers with ${status} was ${before} present, is now ${now} present`,
  },
  {
    of: ({ objects }, other) =>
      Object.fromEntries(inBoth(objects, other.objects).map(([place, ...both]) => [place, ordered(...both)])),
    isChange: (before, now) => before.join() !== now.join(),
    words: (where, _, __, status) =>
      `the fields of ${where || "the body"} in answers with ${status} have another order`,
  },
  {
    of: ({ values }) => values,
    isChange: isValueChanged,
    words: (where, before, now, status) =>
      `${where || "the body"} in answers with ${status} was ${before}, is now ${now}`,
  },
  {
    of: ({ echoes }) => echoes,
    isChange: differ,
    words: (where, before, now, status) =>
      `the sent ${where} in answers with ${status} was returned ${before}, is now returned ${now}`,
  },
  {
    of: ({ kept }) => kept,
    isChange: isDisjoint,
    words: (where, before, now, status) =>
      `the sent ${where} in answers with ${status} was ${before}, is now ${now}`,
  },
  {
    of: ({ orders }) => orders,
    isChange: isOrderChanged,
    words: (field, before, now, status) =>
      `the list in answers with ${status} was ${before} by ${field}, is now ${now}`,
  },
  {
    of: ({ pages }) => ({ "": pages }),
    isChange: arePagesChanged,
    words: (_, before, now, status) =>
      `the list in answers with ${status} without a limit was ${cut(before)}, is now ${cut(now)}`,
  },
];
