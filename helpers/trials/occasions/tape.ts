/** A tape: what a trial got from its context, so that it can run again without a request. */
import { memoize } from "../../contract/memoize.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { Delivery } from "../../flows/delivery.ts";
import type { Call } from "../call.ts";

/** The result of a call of the context: a value, or the error that it threw. */
export type Outcome = ({ readonly value: unknown } | { readonly error: unknown }) & {
  /** The number of calls that the trial had sent, for a read that may be repeated. */
  readonly sent?: number;
};

export interface Sent {
  readonly call: Call;
  /** Absent while the answer has not arrived. */
  outcome?: { readonly value: Exchange } | { readonly error: unknown };
}

export interface Tape {
  readonly sent: Sent[];
  /** Other results by the name of what was asked, in order. */
  readonly results: Map<string, Outcome[]>;
  /** The values that a property was tried with, by its name. */
  readonly values: Map<string, unknown[]>;
  /** The number of receivers that were opened, by kind. */
  readonly opened: Map<string, number>;
  /** The tapes of the shared values that were used. */
  readonly uses: Set<Tape>;
}

export const newTape = (): Tape => ({
  sent: [],
  results: new Map(),
  values: new Map(),
  opened: new Map(),
  uses: new Set(),
});

/** Returns the contents of a call as text. Only a trial that runs again asks for it. */
export const keyOf = memoize((call: Call): string => {
  const { role, judged, shared, raw, ...contents } = call;
  return JSON.stringify(raw === undefined ? contents : { ...contents, raw: String(raw.body) });
});

/** Adds to the list of a key. */
export const addTo = <Value>(lists: Map<string, Value[]>, key: string, value: Value): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
};

export const exchangesOn = ({ sent }: Tape): Exchange[] =>
  sent.flatMap(({ outcome }) => (outcome !== undefined && "value" in outcome ? [outcome.value] : []));

/** Returns all deliveries that the trial read. */
export const deliveriesOn = (tape: Tape): Delivery[] => [
  ...new Set(valuesOf(tape, DELIVERIES).flatMap((value) => value as Delivery[])),
];

/** Returns all that the trial read outside of the API. */
export const outsideOn = (tape: Tape): object[] =>
  valuesOf(tape, OUTSIDE).filter((value) => typeof value === "object" && value !== null);

const valuesOf = ({ results }: Tape, part: string): unknown[] =>
  [...results]
    .filter(([key]) => key.includes(part))
    .flatMap(([, outcomes]) => outcomes.flatMap((outcome) => ("value" in outcome ? [outcome.value] : [])));

/** Part of the names of all results that are deliveries. */
export const DELIVERIES = " deliveries ";

/** The start of the names of all results from outside of the API. */
export const OUTSIDE = "outside ";

/** The start of the names of results that are addresses of our receiver. */
export const ADDRESS = "address of ";

/** Returns the identifiers that the trial got without a call. */
export const knownOn = (tape: Tape): string[] => [
  ...new Set(
    [...tape.results]
      .filter(([key]) => key.startsWith(SITUATION))
      .flatMap(([, outcomes]) => outcomes)
      .flatMap((outcome) =>
        "value" in outcome ? Object.values(outcome.value as Record<string, string>) : [],
      ),
  ),
];

/** The start of the names of situations. */
export const SITUATION = "situation ";

export const addressesOn = (tape: Tape): string[] => valuesOf(tape, ADDRESS) as string[];
