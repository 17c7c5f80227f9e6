/** Checks that an answer about a resource shows what a call gave it, not what was shown before. */

import { isNested, isObject, isSame } from "../contract/json.ts";
import { atPointer } from "../contract/pointer.ts";
import { MASK } from "../contract/schemas/formats.ts";
import { type CheckResult, HOLDS, shownValue, violation } from "../exchange/check-result.ts";

/** A value in a body, with the names of the fields on its path, outermost first. */
export interface Field {
  readonly names: readonly string[];
  readonly value: unknown;
}

/** Returns the values of an object. A list is one value. */
const valuesOf = (value: unknown, names: readonly string[] = []): readonly Field[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, one]) => valuesOf(one, [...names, name]))
    : [{ names, value }];

/**
 * Returns the given values that an answer from before did not show, although it showed another value there. A masked value
 * does not tell which one it stands for.
 */
export const tellingValues = (given: unknown, before: unknown): readonly Field[] =>
  valuesOf(given).filter(({ names, value }) => {
    const old = valueAt(before, names);
    // A service may have a value of its own for what a call leaves without one.
    return (
      value !== null && old !== undefined && old !== null && !MASK.test(String(old)) && !areAlike(value, old)
    );
  });

/**
 * The value from before, a lost value, and the text given for another field are violations. Other values are not: a service may
 * write a value in another form, such as in upper case, cut or with another time zone.
 * @param before what was shown before the call, or of another resource
 * @returns `undefined` if no given value differs from the one before, or if the answer does not show the resource
 */
export const checkGiven = (given: unknown, before: unknown, after: unknown): CheckResult | undefined => {
  const telling = tellingValues(given, before);
  if (telling.length === 0 || after === undefined) return undefined;
  const stale = telling.find(({ names }) => {
    const shown = valueAt(after, names);
    return shown === undefined || isSame(shown, valueAt(before, names)) || isOfAnother(shown, names, given);
  });
  if (stale === undefined) return HOLDS;
  // A service that changed one of the values may keep another as it is.
  const hasMoved = telling.some(({ names }) => !isSame(valueAt(after, names), valueAt(before, names)));
  return violation({
    ...(hasMoved && { suspected: true }),
    pointer: `/${stale.names.join("/")}`,
    message: `the answer shows another ${stale.names.join(".")} than the call gave`,
    expected: shownValue(stale.value),
    actual: shownValue(valueAt(after, stale.names)),
  });
};

/** Whether a text was given for another field, and not for this one. */
const isOfAnother = (shown: unknown, names: readonly string[], given: unknown): boolean =>
  typeof shown === "string" &&
  shown.length > 2 &&
  !areAlike(valueAt(given, names), shown) &&
  valuesOf(given).some(({ value }) => value === shown);

/**
 * Checks that an answer still shows fields, with any values. `null` stands for no value.
 * @returns `undefined` if there are no fields, or if the answer does not show the resource
 */
export const checkKept = (fields: readonly string[], after: unknown): CheckResult | undefined => {
  if (fields.length === 0 || after === undefined) return undefined;
  const lost = fields.find((pointer) => (atPointer(after, pointer) ?? null) === null);
  if (lost === undefined) return HOLDS;
  return violation({
    pointer: lost,
    message: `the call did not name ${lost.slice(1).replaceAll("/", ".")}, and no read shows it any more`,
    expected: "the field as it was",
    actual: shownValue(atPointer(after, lost)),
  });
};

/** Whether an answer shows the value that a call gave at the pointer, and not a form of it that others have too. */
export const showsGiven = (given: unknown, shown: unknown, pointer: string): boolean => {
  const value = atPointer(given, pointer);
  return String(value ?? "").length >= TELLING && isSame(atPointer(shown, pointer), value);
};

/** The characters of a random value that no service has by chance. */
const TELLING = 4;

const valueAt = (value: unknown, names: readonly string[]): unknown =>
  names.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);

/** Whether two values may be forms of the same one. */
const areAlike = (one: unknown, other: unknown): boolean => {
  if (typeof one === "boolean" || typeof other === "boolean") return plain(one) === plain(other);
  if (isNested(one) || isNested(other)) {
    const shown = textsIn(other);
    return textsIn(one).every((text) => shown.some((known) => areAlike(text, known)));
  }
  const [a, b] = [plain(one), plain(other)];
  const isCut =
    a.startsWith(b) || b.startsWith(a) || ([a, b].every(isNumber) && (a.endsWith(b) || b.endsWith(a)));
  return isCut || Date.parse(String(one)) === Date.parse(String(other));
};

const isNumber = (text: string): boolean => /^\d+$/.test(text);

const textsIn = (value: unknown): readonly unknown[] =>
  isNested(value) ? Object.values(value).flatMap(textsIn) : [value];

const plain = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]/gu, "");
