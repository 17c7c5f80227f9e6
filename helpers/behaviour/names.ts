/** The names of one instance, and of several. */
import { ENOUGH, type Names } from "./behaviour.ts";

/** @param knowledge what the contract says about names; a name is given if a request may contain it too, in the same schema */
export const namesOf = (
  names: readonly string[],
  knowledge?: Readonly<Record<"isRequired" | "isKnown" | "isGiven", (name: string) => boolean>>,
): Names => ({
  always: names,
  sometimes: [],
  required: knowledge === undefined ? [] : names.filter(knowledge.isRequired).sort(),
  unknown: knowledge === undefined ? [] : names.filter((name) => !knowledge.isKnown(name)).sort(),
  ...givenIn(knowledge === undefined ? [] : names.filter(knowledge.isGiven)),
  instances: 1,
});

const givenIn = (names: readonly string[]): Pick<Names, "given"> =>
  names.length === 0 ? {} : { given: distinct(names) };

/** Whether each instance has exactly these names, in this order. */
export const haveNames = ({ always, sometimes, unordered }: Names, names: readonly string[]): boolean =>
  sometimes.length === 0 && unordered === undefined && isEqual(always, names);

/** Adds an instance that has the same names. */
export const withOneMore = (names: Names, more = 1): Names =>
  names.instances >= ENOUGH ? names : { ...names, instances: Math.min(ENOUGH, names.instances + more) };

/** Whether the other instances show nothing of the names that the first ones do not show too. */
const addsNothing = (one: Names, other: Names): boolean =>
  one.unordered === undefined &&
  other.unordered === undefined &&
  other.sometimes.length === 0 &&
  isWithin(one.always, other.always) &&
  areAmong(other.always, one.always, one.sometimes) &&
  areAmong(other.required, one.required) &&
  areAmong(other.unknown, one.unknown) &&
  areAmong(other.given ?? [], one.given ?? []);

/** Whether the names are all among the others, in any order. */
const areAmong = (
  names: readonly string[],
  others: readonly string[],
  more: readonly string[] = [],
): boolean => {
  if (isEqual(names, others)) return true;
  if (names.length < FEW) return names.every((name) => others.includes(name) || more.includes(name));
  const all = new Set([...others, ...more]);
  return names.every((name) => all.has(name));
};

/** A search for more names takes longer than a set of them. */
const FEW = 50;

/** Whether the names are all among the others, in the same order. */
const isWithin = (names: readonly string[], others: readonly string[]): boolean => {
  let found = 0;
  for (const name of others) if (name === names[found]) found += 1;
  return found === names.length;
};

export const isEqual = (one: readonly string[], other: readonly string[]): boolean => {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
};

export const mergedNames = (one: Names, other: Names): Names => {
  if (one === other || addsNothing(one, other)) return withOneMore(one, other.instances);
  const [first, second] = [new Set(one.always), new Set(other.always)];
  const shared = one.always.filter((name) => second.has(name));
  const others = [...one.always, ...one.sometimes, ...other.always, ...other.sometimes];
  const agrees = other.always.filter((name) => first.has(name)).every((name, at) => name === shared[at]);
  const isOrdered = agrees && one.unordered !== true && other.unordered !== true;
  return {
    always: isOrdered ? shared : [...shared].sort(),
    sometimes: distinct(others.filter((name) => !(first.has(name) && second.has(name)))),
    required: distinct([...one.required, ...other.required]),
    unknown: distinct([...one.unknown, ...other.unknown]),
    ...givenIn([...(one.given ?? []), ...(other.given ?? [])]),
    instances: Math.min(ENOUGH, one.instances + other.instances),
    ...(!isOrdered && { unordered: true }),
  };
};

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();
