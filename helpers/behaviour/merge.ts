/** Merges what answers have in common: the names of instances, the forms of answers, and the behaviours of trials. */
import { type AnswerForm, type Behaviour, ENOUGH, type Names, type TextsByPlace } from "./behaviour.ts";

type Table<Value> = Readonly<Record<string, Value>>;

export const mergedBehaviour = (one: Behaviour, other: Behaviour): Behaviour => ({
  answers: mergedTable(one.answers, other.answers, mergedTexts),
  forms: mergedTable(one.forms, other.forms, (a, b) => mergedTable(a, b, mergedForm)),
});

export const mergedForm = (one: AnswerForm, other: AnswerForm): AnswerForm => ({
  headers: mergedNames(one.headers, other.headers),
  objects: mergedTable(one.objects, other.objects, mergedNames),
  values: mergedTexts(one.values, other.values),
  echoes: mergedTexts(one.echoes, other.echoes),
  kept: mergedTexts(one.kept, other.kept),
  orders: mergedTexts(one.orders, other.orders),
  pages: mergedPages(one.pages, other.pages),
});

/** @param merge returns the first value itself if the second adds nothing */
export const mergedTable = <Value>(
  one: Table<Value>,
  other: Table<Value>,
  merge: (one: Value, other: Value) => Value,
): Table<Value> => {
  const added = Object.keys(other).flatMap((key) => {
    const [value, known] = [other[key] as Value, one[key]];
    const both = known === undefined ? value : merge(known, value);
    return both === known ? [] : [[key, both] as const];
  });
  // Most tables add nothing, and are merged very often.
  return added.length === 0 ? one : { ...one, ...Object.fromEntries(added) };
};

const mergedTexts = (one: TextsByPlace = {}, other: TextsByPlace = {}): TextsByPlace =>
  mergedTable(one, other, union);

const union = (one: readonly string[], other: readonly string[]): readonly string[] =>
  areAmong(other, one) ? one : distinct([...one, ...other]);

/** Keeps the longest of the lists that were not cut. */
const mergedPages = (one: readonly string[], other: readonly string[]): readonly string[] => {
  const pages = union(one, other);
  const longest = ["up to", "whole with"].flatMap((word) => {
    const length = lengthsAfter(word, pages).at(-1);
    return length === undefined ? [] : [`${word} ${length}`];
  });
  return [...pages.filter((page) => page.startsWith("cut")), ...longest];
};

/** Returns the lengths of lists that a word stands before, the longest last. */
export const lengthsAfter = (word: string, pages: readonly string[]): number[] =>
  pages
    .flatMap((page) => (page.startsWith(word) ? Number(page.slice(word.length)) : []))
    .sort((a, b) => a - b);

/** @param knowledge what the contract says about names; a name is given if a request may contain it too, in the same schema */
export const namesOf = (
  names: readonly string[],
  knowledge?: Readonly<Record<"isRequired" | "isKnown" | "isGiven", (name: string) => boolean>>,
): Names => ({
  always: names,
  sometimes: [],
  required: knowledge === undefined ? [] : names.filter(knowledge.isRequired).sort(),
  unknown: knowledge === undefined ? [] : names.filter((name) => !knowledge.isKnown(name)).sort(),
  given: knowledge === undefined ? [] : names.filter(knowledge.isGiven).sort(),
  instances: 1,
});

export const mergedNames = (one: Names, other: Names): Names => {
  const instances = Math.min(ENOUGH, one.instances + other.instances);
  if (addsNothing(one, other)) return one.instances === instances ? one : { ...one, instances };
  const [first, second] = [new Set(one.always), new Set(other.always)];
  const shared = one.always.filter((name) => second.has(name));
  const all = [...one.always, ...one.sometimes, ...other.always, ...other.sometimes];
  const isOrdered =
    !one.unordered &&
    !other.unordered &&
    isEqual(
      shared,
      other.always.filter((name) => first.has(name)),
    );
  return {
    always: isOrdered ? shared : distinct(shared),
    sometimes: distinct(all.filter((name) => !(first.has(name) && second.has(name)))),
    required: union(one.required, other.required),
    unknown: union(one.unknown, other.unknown),
    given: union(one.given ?? [], other.given ?? []),
    instances,
    ...(!isOrdered && { unordered: true }),
  };
};

/** Whether the other instances show nothing of the names that the first ones do not show too: it is so for most. */
const addsNothing = (one: Names, other: Names): boolean =>
  !one.unordered &&
  !other.unordered &&
  other.sometimes.length === 0 &&
  isWithin(one.always, other.always) &&
  areAmong(other.always, [...one.always, ...one.sometimes]) &&
  areAmong(other.required, one.required) &&
  areAmong(other.unknown, one.unknown) &&
  areAmong(other.given ?? [], one.given ?? []);

/** Whether the names are all among the others, in any order. */
const areAmong = (names: readonly string[], others: readonly string[]): boolean =>
  names.every((name, at) => name === others[at] || others.includes(name));

/** Whether the names are all among the others, in the same order. */
const isWithin = (names: readonly string[], others: readonly string[]): boolean => {
  let found = 0;
  for (const name of others) if (name === names[found]) found += 1;
  return found === names.length;
};

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, at) => name === other[at]);

/** Returns the distinct texts in alphabetical order. */
const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();
