/** Reads the form of the body of an answer: the names of its objects, and the forms of its values. */
import type { Contract, Rule } from "../contract/contract.ts";
import { getOrInsert, groupBy, memoize } from "../contract/memoize.ts";
import { MADE_UP } from "../contract/names.ts";
import { escapeSegment } from "../contract/pointer.ts";
import type { AnswerForm, Names } from "./behaviour.ts";
import { mergedNames, namesOf } from "./merge.ts";
import { formOfSent, formReader } from "./value-forms.ts";

/** The number of items of a list that are read: the others have the same form. */
export const MOST_ITEMS = 40;

/** A place in the body of an answer, with what the contract says about it. */
interface Place {
  /** A JSON pointer with `*` for an item of a list. */
  readonly pointer: string;
  /** Whether the contract has rules for the place. */
  readonly isKnown: boolean;
  /** Whether each object around the place has it. */
  readonly isRequired: boolean;
  /** Whether a request may contain the field too, in the same schema. */
  readonly isGiven: boolean;
  readonly formOf: (value: unknown) => string;
  /** Returns the place of a field, or of the items of a list with the name `*`. */
  readonly inside: (name: string) => Place;
  /** Names of objects that were read here, by themselves: most objects have the same. */
  readonly objects: Map<string, Names>;
}

/**
 * @param shownAs returns the name of a field without secrets
 * @param sent the texts of the request
 */
export const bodyFormOf = (
  body: unknown,
  root: Place,
  shownAs: (name: string) => string,
  sent: ReadonlySet<unknown>,
): Pick<AnswerForm, "objects" | "values"> => {
  const objects: Record<string, Names> = {};
  const values: Record<string, string[]> = {};
  const note = (pointer: string, form: string): void => {
    const known = values[pointer];
    if (known === undefined) values[pointer] = [form];
    else if (!known.includes(form)) known.push(form);
  };
  /** @param isCertain whether every answer has the place, because no part around it is optional */
  const read = (value: unknown, place: Place, isCertain: boolean): void => {
    const { pointer } = place;
    if (Array.isArray(value)) {
      note(pointer, "array");
      for (const item of value.slice(0, MOST_ITEMS)) read(item, place.inside("*"), isCertain);
    } else if (typeof value === "object" && value !== null) {
      note(pointer, "object");
      const names = namesIn(value, place);
      const form = namesAt(place, names.map(shownAs), isCertain);
      const known = objects[pointer];
      objects[pointer] = known === undefined ? form : mergedNames(known, form);
      for (const name of names) {
        const field = place.inside(shownAs(name));
        read((value as Record<string, unknown>)[name], field, isCertain && field.isRequired);
      }
    } else note(pointer, sent.has(value) ? formOfSent(place.formOf(value)) : place.formOf(value));
  };
  if (body !== undefined) read(body, root, true);
  for (const forms of Object.values(values)) forms.sort();
  return { objects, values };
};

/** The number of names unknown to the contract that are read in one object and kept: further ones show nothing else. */
const MOST_UNKNOWN = 1_000;

const namesIn = (value: object, place: Place): readonly string[] => {
  const isKnown = (name: string): boolean => place.inside(name).isKnown;
  // A service may show what a probe has sent, if the same run reads it.
  const names = Object.keys(value).filter((name) => !name.startsWith(MADE_UP) || isKnown(name));
  if (names.length <= MOST_UNKNOWN) return names;
  const further = new Set(names.filter((name) => !isKnown(name)).slice(MOST_UNKNOWN));
  return names.filter((name) => !further.has(name));
};

/** The number of objects with different names that are kept at a place. */
const MOST_OBJECTS = 20;

const namesAt = (place: Place, names: readonly string[], isCertain: boolean): Names => {
  const { objects } = place;
  if (objects.size >= MOST_OBJECTS) objects.clear();
  return getOrInsert(objects, `${isCertain} ${names.join("\n")}`, () => {
    // The contract may say nothing of the inside of an object, such as what a report was asked for.
    const isOpen = place.pointer !== "" && !names.some((name) => place.inside(name).isKnown);
    return namesOf([...new Set(names)], {
      isRequired: (name) => isCertain && place.inside(name).isRequired,
      isKnown: (name) => isOpen || place.inside(name).isKnown,
      isGiven: (name) => isOpen || place.inside(name).isGiven,
    });
  });
};

/** Returns the place of the whole body in the answers of an operation with a status. */
export const bodyPlaceOf = (contract: Contract, operationId: string, status: number): Place => {
  const { byAnswer, other } = bodyPlaces(contract);
  return byAnswer.get(`${operationId} ${status}`) ?? other;
};

const bodyPlaces = memoize(({ rules }: Contract) => {
  const sent = partsSent(rules);
  const responses = rules.filter(({ direction }) => direction === "response");
  const byAnswer = groupBy(responses, ({ operationId, status }) => `${operationId} ${status}`);
  return {
    byAnswer: new Map([...byAnswer].map(([key, own]) => [key, bodyPlace(own, sent)])),
    /** The place in answers that the contract does not describe. */
    other: bodyPlace([], sent),
  };
});

/** Returns the names of the component schemas that requests contain, and the ends of the places of their fields. */
const partsSent = (rules: readonly Rule[]): ReadonlySet<string> => {
  const sent = rules.filter(({ direction, place }) => direction === "request" && place === undefined);
  const parts = sent.flatMap(({ schemaName = "", pointer }) => [schemaName, endOf(pointer)]);
  return new Set(parts.filter((part) => part !== ""));
};

/** Returns the names of a field and of the object or list around it; only `/name` for a field of the body itself. */
const endOf = (place: string): string =>
  /(?:(?<=\/)[^/]+|^)\/[^/]+$/.exec(place.replaceAll("/*", ""))?.[0] ?? "";

const bodyPlace = (rules: readonly Rule[], sent: ReadonlySet<string>): Place => {
  const byPointer = groupBy(rules, ({ pointer }) => pointer);
  let unknown = 0;
  const placeAt = (pointer: string): Place => {
    const own = byPointer.get(pointer) ?? [];
    const fields = new Map<string, Place>();
    return {
      pointer,
      isKnown: own.length > 0,
      // A rule of one of several shapes does not hold for the others.
      isRequired: own.some(({ keyword, alternative }) => keyword === "required" && alternative === undefined),
      isGiven:
        // A field of the body itself does not become a given one because its name is common.
        (pointer.lastIndexOf("/") > 0 && sent.has(endOf(pointer))) ||
        own.some(({ schemaName = "" }) => sent.has(schemaName)),
      formOf: formReader(own),
      inside(name) {
        const known = fields.get(name);
        if (known !== undefined) return known;
        const field = placeAt(`${pointer}/${escapeSegment(name)}`);
        if (!field.isKnown) unknown += 1;
        // A server may send other unknown names each time.
        if (field.isKnown || unknown <= MOST_UNKNOWN) fields.set(name, field);
        return field;
      },
      objects: new Map(),
    };
  };
  return placeAt("");
};
