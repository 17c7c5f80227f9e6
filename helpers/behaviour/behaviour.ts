/**
 * The behaviour of a target as data in normal form: what it answered to what, and the form of its answers. It contains
 * no generated value, so that two runs against the same server show the same behaviour.
 */

/** Names that occur together, such as the fields of an object or the headers of an answer. */
export interface Names {
  /** The names that every instance has, in their order; in alphabetical order if the instances differ in it. */
  readonly always: readonly string[];
  /** Other names that occurred, in alphabetical order. */
  readonly sometimes: readonly string[];
  /** Names in `always` and `sometimes` that the contract requires: no instance may be without them. */
  readonly required: readonly string[];
  /** Names that the contract does not know. */
  readonly unknown: readonly string[];
  /** Names that callers may send in the same schema: whether an answer has them depends on what was sent. */
  readonly given?: readonly string[];
  /** The number of instances, at most `ENOUGH`. */
  readonly instances: number;
  /** The instances have the names in different orders. */
  readonly unordered?: true;
}

/** If this number of instances have a name, or lack it, this is not a coincidence. */
export const ENOUGH = 10;

/** Texts of the values at each place: JSON pointers with `*` for array items. */
export type TextsByPlace = Readonly<Record<string, readonly string[]>>;

/** The form of the answers of one operation with one status. Keys are JSON pointers with `*` for array items. */
export interface AnswerForm {
  readonly headers: Names;
  /** The fields of each object. */
  readonly objects: Readonly<Record<string, Names>>;
  /** The forms of each value: its JSON type, or the format of a text. */
  readonly values: TextsByPlace;
  /** What a value has in common with the value at the same place in the request. */
  readonly echoes: TextsByPlace;
  /** Whether an object shows a field that the request gave to an object of the same name. */
  readonly kept?: TextsByPlace;
  /** The direction of the items of a list by one of their fields, for lists that are long enough to show it. */
  readonly orders: TextsByPlace;
  /** The lengths at which a list was cut when the caller named no length. */
  readonly pages: readonly string[];
}

export interface Behaviour {
  /** The distinct answers, by operationId and by what was tried. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** By operationId and status. */
  readonly forms: Readonly<Record<string, Readonly<Record<string, AnswerForm>>>>;
}

/** Commands that show an answer, by operationId, by what was tried, then by answer. */
export type Examples = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

export const NO_BEHAVIOUR: Behaviour = { answers: {}, forms: {} };

/** Whether a trial runs generated sequences of calls, which depend on the seed. */
export const isRandom = (trial: string): boolean => trial.startsWith("sequences/");

/** Whether a trial tries values that answers showed, and so sends calls that depend on the data of the target. */
export const triesShown = (trial: string): boolean => trial.includes("/relation/");
