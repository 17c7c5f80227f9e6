/** Applies one change to a body at one place. */
import { escapeSegment, segmentsOf } from "../contract/pointer.ts";

export type Edit =
  | { readonly pointer: string; readonly remove: true }
  | { readonly pointer: string; readonly value: unknown };

export interface ProbePair {
  /** The control: a valid body. */
  readonly base: unknown;
  readonly edit: Edit;
  /** The base after the edit. */
  readonly edited: unknown;
}

/**
 * Returns the body after the edit; the given body is not changed.
 * @param edit its `pointer` is a JSON pointer (RFC 6901); an index equal to an array's length adds an item
 * @throws when the parent of the edited place is not in the body
 */
export const applyEdit = (body: unknown, edit: Edit): unknown =>
  applyAt(body, segmentsOf(edit.pointer), edit);

/** Returns pointers of the outermost places at which two bodies differ. Places below these are not listed. */
export const differences = (left: unknown, right: unknown, pointer = ""): string[] => {
  if (Object.is(left, right)) return [];
  if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right))
    return [pointer];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => {
    const place = `${pointer}/${escapeSegment(key)}`;
    return Object.hasOwn(left, key) && Object.hasOwn(right, key)
      ? differences(left[key], right[key], place)
      : [place];
  });
};

/** Whether a pointer names a place, or something in it. */
export const isWithin = (pointer: string, outer: string): boolean =>
  pointer === outer || pointer.startsWith(`${outer}/`);

const applyAt = (body: unknown, segments: readonly string[], edit: Edit): unknown => {
  const [segment, ...rest] = segments;
  if (segment === undefined) return "value" in edit ? edit.value : undefined;
  if (!isContainer(body) || (rest.length > 0 && !Object.hasOwn(body, segment))) {
    throw new Error(
      `The body has nothing at the place that holds ${edit.pointer}; generate it with that place present.`,
    );
  }
  const removes = rest.length === 0 && "remove" in edit;
  if (Array.isArray(body)) {
    const index = Number(segment);
    return removes
      ? body.filter((_, at) => at !== index)
      : [...body.slice(0, index), applyAt(body[index], rest, edit), ...body.slice(index + 1)];
  }
  const { [segment]: inner, ...others } = body;
  if (removes) return others;
  const changed = applyAt(inner, rest, edit);
  return Object.hasOwn(body, segment) ? mapKey(body, segment, changed) : { ...body, [segment]: changed };
};

/** Replaces a property without changing the order, so that a probe is easy to compare with its control. */
const mapKey = (body: Record<string, unknown>, key: string, value: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).map(([name, old]) => [name, name === key ? value : old]));

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
