/** The places in the body of an answer, with what the contract says about each. */
import type { Contract, Rule } from "../contract/contract.ts";
import { grouped, oncePer } from "../contract/once.ts";
import { escapeSegment } from "../contract/pointer.ts";
import type { Names } from "./behaviour.ts";
import { formReader } from "./value-forms.ts";

export interface BodyPlace {
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
  readonly inside: (name: string) => BodyPlace;
  /** Objects that were read here: most have the same names. */
  readonly objects: ObjectForm[];
}

/** What the names of an object at a place mean. */
export interface ObjectForm {
  readonly names: readonly string[];
  /** The names as they are shown, without secrets. */
  readonly shown: readonly string[];
  /** Whether every answer has the object, because no part around it is optional. */
  readonly isCertain: boolean;
  readonly form: Names;
  readonly fields: readonly { readonly place: BodyPlace; readonly isRequired: boolean }[];
}

/** Returns the place of the whole body in the answers of an operation with a status. */
export const bodyPlaceOf = (contract: Contract, operationId: string, status: number): BodyPlace => {
  const { byAnswer, other } = bodyPlaces(contract);
  return byAnswer.get(`${operationId} ${status}`) ?? other;
};

const bodyPlaces = oncePer(({ rules }: Contract) => {
  const sent = partsSent(rules);
  const responses = rules.filter(({ direction }) => direction === "response");
  const byAnswer = grouped(responses, ({ operationId, status }) => `${operationId} ${status}`);
  return {
    byAnswer: new Map([...byAnswer].map(([key, own]) => [key, bodyPlace(own, sent)])),
    /** The place in answers that the contract does not describe. */
    other: bodyPlace([], sent),
  };
});

/** Returns the names of the component schemas that requests contain, and the ends of the places of their fields. */
const partsSent = (rules: readonly Rule[]): ReadonlySet<string> =>
  new Set(
    rules.flatMap(({ direction, schemaName, pointer, place }) =>
      direction === "request" && place === undefined
        ? [schemaName ?? "", endOf(pointer)].filter((name) => name !== "")
        : [],
    ),
  );

/** Returns the names of a field and of the object or list around it; only `/name` for a field of the body itself. */
const endOf = (place: string): string =>
  /(?:(?<=\/)[^/]+|^)\/[^/]+$/.exec(place.replaceAll("/*", ""))?.[0] ?? "";

/** The number of places without rules that are kept, because a server may send other names each time. */
const MOST_UNKNOWN = 1_000;

const bodyPlace = (rules: readonly Rule[], sent: ReadonlySet<string>): BodyPlace => {
  const byPointer = grouped(rules, ({ pointer }) => pointer);
  let unknown = 0;
  const placeAt = (pointer: string, isOfBody: boolean): BodyPlace => {
    const own = byPointer.get(pointer) ?? [];
    const kept = new Map<string, BodyPlace>();
    return {
      pointer,
      isKnown: own.length > 0,
      isRequired: own.some(isOfPresence),
      isGiven:
        // A field of the body itself does not become a given one because its name is common.
        (!isOfBody && sent.has(endOf(pointer))) || own.some(({ schemaName = "" }) => sent.has(schemaName)),
      formOf: formReader(own),
      inside(name) {
        const known = kept.get(name);
        if (known !== undefined) return known;
        const place = placeAt(`${pointer}/${escapeSegment(name)}`, pointer === "");
        if (!place.isKnown) unknown += 1;
        if (place.isKnown || unknown <= MOST_UNKNOWN) kept.set(name, place);
        return place;
      },
      objects: [],
    };
  };
  return placeAt("", true);
};

/** A rule of one of several shapes does not hold for the others. */
const isOfPresence = ({ keyword, alternative }: Rule): boolean =>
  keyword === "required" && alternative === undefined;
