/** Finds the body that shows a change of the document, and the control that confirms its other values. */
import fc from "fast-check";
import { isObject } from "../../contract/json.ts";
import { atPointer, escapeSegment, segmentsOf } from "../../contract/pointer.ts";
import { schemaAt } from "../../contract/schemas/schema-reading.ts";
import type { ValidationError } from "../../contract/schemas/schema-validator.ts";
import { applyEdit, differences, type Edit, type ProbePair } from "../../generate/edit.ts";
import { NoValue } from "../../generate/later.ts";
import { validValues } from "../../generate/valid.ts";
import type { Requests } from "./policy.ts";

export interface ChangedBody {
  /** The body of the witness, and where the tested version refuses it; absent if the witness has no body. */
  readonly witness: unknown;
  readonly pointer: string;
  readonly keyword: string;
  /** What the earlier version finds wrong in a body. */
  readonly before: (body: unknown) => readonly ValidationError[];
  /** The same of the tested version. */
  readonly now: (body: unknown) => readonly ValidationError[];
  /** The schema of the bodies, and how values of it are generated. */
  readonly schema: Parameters<typeof validValues>[0];
  readonly generation: Requests["generation"];
  readonly seed: number;
}

type Bodies = Pick<ProbePair, "base" | "edited">;

/**
 * Returns the body that only the earlier version allows, with as many values of a valid body as possible, and a control
 * that differs in one value: a server may refuse each other value of the witness for another cause.
 * @throws NoValue when there are none
 */
export const changedBodies = (valid: unknown, change: ChangedBody): Bodies => {
  const { witness, pointer, keyword, before, now } = change;
  if (witness === undefined) return { base: valid, edited: undefined };
  const shows = (body: unknown): boolean =>
    now(body).some((one) => one.pointer === pointer && one.keyword === keyword) && before(body).length === 0;
  const shown = [transplanted(valid, witness, pointer), closest(valid, witness, shows), witness].filter(
    shows,
  );
  if (shown.length === 0) throw new NoValue("no valid body differs only in what the document before allows");
  for (const edited of shown) {
    const base = controlsOf(valid, edited, change).find(
      (control) => now(control).length === 0 && isOneEdit(control, edited, pointer),
    );
    if (base !== undefined) return { base, edited };
  }
  throw new NoValue(
    "each body that shows it differs from valid ones in several values, of which a server may refuse any",
  );
};

/** Returns the body with the value of another at the deepest place towards the pointer that both have, if there is one. */
const transplanted = (base: unknown, other: unknown, pointer: string): unknown => {
  const segments = pointer.split("/").slice(1);
  for (let depth = segments.length; depth > 0; depth -= 1) {
    const at = segments
      .slice(0, depth)
      .map((segment) => `/${segment}`)
      .join("");
    const parent = atPointer(base, at.slice(0, at.lastIndexOf("/")));
    const value = atPointer(other, at);
    const last = segmentsOf(at).at(-1) ?? "";
    const isThere = isObject(parent) || (Array.isArray(parent) && Number(last) <= parent.length);
    if (isThere && (value !== undefined || Object.hasOwn(parent as object, last)))
      return applyEdit(base, value === undefined ? { pointer: at, remove: true } : { pointer: at, value });
  }
  return undefined;
};

/** Returns the edit that gives a body what another has at a place; `undefined` if it does not have the place around it. */
const editAt = (other: unknown, pointer: string): Edit | undefined => {
  const value = atPointer(other, pointer);
  const parent = atPointer(other, pointer.slice(0, pointer.lastIndexOf("/")));
  if (value !== undefined) return { pointer, value };
  return isObject(parent) || Array.isArray(parent) ? { pointer, remove: true } : undefined;
};

/** Returns the witness with the values of the valid body in all places that do not show the change. */
const closest = (valid: unknown, witness: unknown, shows: (body: unknown) => boolean): unknown =>
  differences(valid, witness).reduce((body: unknown, pointer) => {
    const [reverted] = edited(body, [editAt(valid, pointer)]);
    return reverted !== undefined && shows(reverted) ? reverted : body;
  }, witness);

/** Returns bodies that may differ from the edited one only at the place of the change, or in a part of it. */
const controlsOf = (valid: unknown, body: unknown, change: ChangedBody): unknown[] => {
  const { pointer } = change;
  const within = [valid, body].flatMap((one) => {
    const value = atPointer(one, pointer);
    return typeof value === "object" && value !== null ? Object.keys(value) : [];
  });
  const inner = [...new Set(within)].map((key) => `${pointer}/${escapeSegment(key)}`);
  const places = [...inner, pointer].filter((place) => place !== "");
  const edits = places.flatMap((place): (Edit | undefined)[] => [
    editAt(valid, place),
    { pointer: place, remove: true },
    ...drawnAt(place, change).map((value) => ({ pointer: place, value })),
  ]);
  return [...edited(body, edits), valid];
};

const edited = (body: unknown, edits: readonly (Edit | undefined)[]): unknown[] =>
  edits.flatMap((edit) => {
    try {
      return edit === undefined ? [] : [applyEdit(body, edit)];
    } catch {
      return [];
    }
  });

/** The number of values that are drawn for one place. */
const DRAWN = 3;

const drawnAt = (pointer: string, { schema, generation, seed }: ChangedBody): unknown[] => {
  const inner = schemaAt(schema, pointer, generation.schemas);
  if (inner === undefined) return [];
  try {
    return fc.sample(validValues(inner, generation), { seed, numRuns: DRAWN });
  } catch (error) {
    if (error instanceof NoValue) return [];
    throw error;
  }
};

/** Whether two bodies differ in one value, which contains no others, unless the change is about all of them. */
const isOneEdit = (control: unknown, body: unknown, changed: string): boolean => {
  const [place, ...others] = differences(control, body);
  if (place === undefined || others.length > 0) return false;
  const value = atPointer(body, place);
  const isItem =
    place.slice(0, place.lastIndexOf("/")) === changed && Array.isArray(atPointer(body, changed));
  return typeof value !== "object" || value === null || place === changed || isItem;
};
