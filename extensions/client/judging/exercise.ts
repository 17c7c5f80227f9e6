/** Exercises: situations that a proxy makes when a client gives the occasion, so that the client shows how it behaves. */
import { creates } from "../../../helpers/contract/lookups.ts";
import type { Match } from "../../../helpers/traffic/match.ts";

/** A request that may give the occasion for an exercise. */
export interface Occasion extends Match {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The effect of an exercise on an exchange. */
export type Act =
  /** Answers in place of the target. */
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: readonly string[];
      readonly json: unknown;
    }
  /** Refuses the access token of the request from now on. */
  | { readonly kind: "end-token"; readonly status: number; readonly json: unknown }
  /** Ends the connection after the target took the request, or in the middle of its answer. */
  | { readonly kind: "cut"; readonly cut: "reset" | "half" }
  /** Delays the answer. */
  | { readonly kind: "delay"; readonly seconds: number }
  /** Lets time pass after the answer. */
  | { readonly kind: "pass"; readonly seconds: number }
  /** Changes the JSON of an accepted answer. @param turn number of the changed answer, from 0 */
  | { readonly kind: "change"; change(json: unknown, occasion: Occasion, turn: number): unknown }
  /** Sends a report callback before the answer or twice, or suppresses it. */
  | { readonly kind: "callback"; readonly when: "before" | "twice" | "never" };

export interface Exercise {
  /** The id with the service: `parcel-pickup.rate-limited`. */
  readonly id: string;
  /** Ids of the requirements that it gives occasion for, without the service. */
  readonly requirements: readonly string[];
  /** The request to the user: what the client should do now. */
  readonly ask: string;
  /** Whether a request gives the occasion. */
  fits(occasion: Occasion): boolean;
  /** The number of exchanges that it changes; one if absent. */
  readonly times?: number;
  /** Identifies exchanges that belong together; the exercise changes only the first group. */
  keyOf?(occasion: Occasion): string;
  /** The number of fitting requests that pass unchanged before, outside of troubles; zero if absent. */
  readonly after?: number;
  /** Whether it is made only if the user names it. */
  readonly isNamedOnly?: true;
  readonly act: Act;
}

/**
 * The answers to creating requests that get lost. These must not be sent again without a look at what they did.
 * @param of the requests; all that create something if absent
 */
export const lostAnswer = (id: string, ask: string, of?: readonly string[]): Exercise => ({
  id,
  requirements: ["caller.creation-not-repeated-blindly"],
  ask,
  fits: ({ operation }) =>
    operation?.method === "POST" &&
    creates(operation) &&
    (of ?? [operation.operationId]).includes(operation.operationId),
  ...(of === undefined && { isNamedOnly: true }),
  act: { kind: "cut", cut: "reset" },
});

/** @param isAny whether a request of the service may be refused @param isRead whether its answer may have additions */
export const commonExercises = (
  service: string,
  isAny: (occasion: Occasion) => boolean,
  fieldsOfEnums: readonly string[],
  isRead = isAny,
): Exercise[] => [
  refusedFor(5, `${service}.rate-limited`, 429, "Too many requests.", isAny),
  refusedFor(8, `${service}.unavailable`, 503, "Try again later.", isAny),
  {
    id: `${service}.additions`,
    requirements: ["caller.additions-accepted"],
    ask: "send any request that is accepted",
    fits: isRead,
    // A client may repeat one request by chance, but not several.
    times: 3,
    act: { kind: "change", change: (json) => withAdditions(json, fieldsOfEnums) },
  },
];

/** @param seconds after which the request may be sent again */
const refusedFor = (
  seconds: number,
  id: string,
  status: number,
  message: string,
  fits: Exercise["fits"],
): Exercise => ({
  ...{ id, fits },
  requirements: ["caller.retry-after-kept"],
  ask: `send any request, and send it again when it is refused with ${status}`,
  act: answer(status, message, { "retry-after": String(seconds) }),
});

/** Answers in place of the target that the request failed. */
export const answer = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Act => ({
  ...{ kind: "answer", status, headers: Object.entries(headers).flat() },
  json: { code: status, status: "UNAVAILABLE", message },
});

/**
 * Adds a field to each object, and to each list an item whose named fields have a value that no document lists. What is
 * known stays, because a client may need it.
 */
const withAdditions = (json: unknown, fieldsOfEnums: readonly string[]): unknown => {
  if (Array.isArray(json)) {
    const items = json.map((item) => withAdditions(item, fieldsOfEnums));
    return [...items, ...unknownItem(items.at(-1), fieldsOfEnums)];
  }
  if (typeof json !== "object" || json === null) return json;
  const fields = Object.entries(json).map(([name, value]) => [name, withAdditions(value, fieldsOfEnums)]);
  return { ...Object.fromEntries(fields), unheardOf: { added: true } };
};

/** Returns a copy with unknown values and an id of its own; nothing if the item has none of the fields. */
const unknownItem = (item: unknown, fieldsOfEnums: readonly string[]): object[] => {
  if (typeof item !== "object" || item === null) return [];
  const fields = Object.entries(item);
  const isOfEnum = ([name, value]: readonly [string, unknown]): boolean =>
    fieldsOfEnums.includes(name) && typeof value === "string";
  const other = ([name, value]: readonly [string, unknown]): unknown => {
    if (isOfEnum([name, value])) return "UNHEARD_OF";
    return name !== "id" ? value : typeof value === "number" ? value * 10 : `${value}0`;
  };
  return fields.some(isOfEnum) ? [Object.fromEntries(fields.map((one) => [one[0], other(one)]))] : [];
};
