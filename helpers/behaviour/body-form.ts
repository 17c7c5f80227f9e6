/** Reads the form of the body of an answer: the names of its objects, and the forms of its values. */
import { MADE_UP } from "../contract/names.ts";
import type { AnswerForm, Names } from "./behaviour.ts";
import { haveNames, isEqual, mergedNames, namesOf, withOneMore } from "./names.ts";
import type { BodyPlace, ObjectForm } from "./places.ts";
import { formOfSent } from "./value-forms.ts";

/** The number of items of a list that are read: the others have the same form. */
export const MOST_ITEMS = 40;

/** What one body has at one place. */
interface PlaceContent {
  readonly forms: string[];
  names?: Names;
  /** The last object. */
  last?: ObjectForm;
}

/**
 * @param shownAs returns the name of a field without secrets
 * @param sent the texts of the request
 */
export const bodyFormOf = (
  body: unknown,
  root: BodyPlace,
  shownAs: (name: string) => string,
  sent: ReadonlySet<unknown>,
): Pick<AnswerForm, "objects" | "values"> => {
  const seen = new Map<string, PlaceContent>();
  const seenAt = ({ pointer }: BodyPlace): PlaceContent => {
    let known = seen.get(pointer);
    if (known === undefined) {
      known = { forms: [] };
      seen.set(pointer, known);
    }
    return known;
  };
  /** @param isCertain whether every answer has the place, because no part around it is optional */
  const read = (value: unknown, place: BodyPlace, isCertain: boolean): void => {
    const here = seenAt(place);
    if (Array.isArray(value)) {
      note(here, "array");
      const items = place.inside("*");
      const length = Math.min(value.length, MOST_ITEMS);
      for (let at = 0; at < length; at += 1) read(value[at], items, isCertain);
    } else if (typeof value === "object" && value !== null) {
      note(here, "object");
      const { names, fields } = noteObject(here, place, value, isCertain);
      fields.forEach((field, at) => {
        const part = (value as Record<string, unknown>)[names[at] as string];
        read(part, field.place, isCertain && field.isRequired);
      });
    } else note(here, sent.has(value) ? formOfSent(place.formOf(value)) : place.formOf(value));
  };
  const noteObject = (
    here: PlaceContent,
    place: BodyPlace,
    value: object,
    isCertain: boolean,
  ): ObjectForm => {
    const names = namesIn(value, place);
    const { last } = here;
    // Most items of a list have the same fields.
    const read =
      last !== undefined && last.isCertain === isCertain && isEqual(last.names, names)
        ? last
        : objectFormAt(place, names, names.map(shownAs), isCertain);
    here.last = read;
    if (here.names === undefined) here.names = read.form;
    else if (haveNames(here.names, read.form.always)) here.names = withOneMore(here.names);
    else here.names = mergedNames(here.names, read.form);
    return read;
  };
  if (body !== undefined) read(body, root, true);
  return tablesOf(seen);
};

/** The number of names unknown to the contract that are read in one object: further ones show nothing else. */
const MOST_UNKNOWN = 1_000;

const namesIn = (value: object, place: BodyPlace): readonly string[] => {
  const all = Object.keys(value);
  // A service may show what a probe has sent, if the same run reads it.
  const names = all.some(isMadeUp)
    ? all.filter((name) => !isMadeUp(name) || place.inside(name).isKnown)
    : all;
  if (names.length <= MOST_UNKNOWN) return names;
  let unknown = 0;
  return names.filter((name) => {
    if (place.inside(name).isKnown) return true;
    unknown += 1;
    return unknown <= MOST_UNKNOWN;
  });
};

const isMadeUp = (name: string): boolean => name.startsWith(MADE_UP);

const note = ({ forms }: PlaceContent, form: string): void => {
  if (!forms.includes(form)) forms.push(form);
};

const tablesOf = (seen: ReadonlyMap<string, PlaceContent>): Pick<AnswerForm, "objects" | "values"> => {
  const objects: Record<string, Names> = {};
  const values: Record<string, readonly string[]> = {};
  for (const [pointer, { forms, names }] of seen) {
    values[pointer] = forms.length === 1 ? forms : forms.sort();
    if (names !== undefined) objects[pointer] = names;
  }
  return { objects, values };
};

/** The number of objects with different names that are kept at a place. */
const MOST_OBJECTS = 20;

const objectFormAt = (
  place: BodyPlace,
  names: readonly string[],
  shown: readonly string[],
  isCertain: boolean,
): ObjectForm => {
  const { objects } = place;
  const known = objects.find(
    (one) => one.isCertain === isCertain && isEqual(one.names, names) && isEqual(one.shown, shown),
  );
  if (known !== undefined) return known;
  const read: ObjectForm = {
    names,
    shown,
    isCertain,
    form: namesAt(place, names, shown, isCertain),
    fields: names.map((name, at) => ({
      place: place.inside(shown[at] as string),
      isRequired: place.inside(name).isRequired,
    })),
  };
  if (objects.length < MOST_OBJECTS) objects.push(read);
  return read;
};

const namesAt = (
  place: BodyPlace,
  names: readonly string[],
  shown: readonly string[],
  isCertain: boolean,
): Names => {
  // The contract may say nothing of the inside of an object, such as what a report was asked for.
  const isOpen = place.pointer !== "" && !names.some((name) => place.inside(name).isKnown);
  return namesOf([...new Set(shown)], {
    isRequired: (name) => isCertain && place.inside(name).isRequired,
    isKnown: (name) => isOpen || place.inside(name).isKnown,
    isGiven: (name) => isOpen || place.inside(name).isGiven,
  });
};
