/** Helpers for the stateful faults of financial data. mocks/engine/deviations/handlers.ts applies the faults. */
import type { Answer } from "../engine/call.ts";
import {
  behaving,
  afterwards as changing,
  isSuccess,
  type StatefulFault as StatefulFaultOf,
  type StatefulFaultTable as TableOf,
} from "../engine/deviations/handlers.ts";
import type { Fields } from "../engine/values/fields.ts";
import { counter } from "../engine/values/identifiers.ts";
import type { Behaviour, Call } from "./calls.ts";
import { bodyOf } from "./found.ts";
import { perState, type State } from "./state/state.ts";

export type StatefulFault = StatefulFaultOf<State, Behaviour>;
export type StatefulFaultTable = TableOf<State, Behaviour>;

/** @param change applied to the state after the call has succeeded */
export const afterwards = changing<State, Behaviour>;

/** Gives several operations the same stateful fault. */
export const on = (operations: readonly string[], statefulFault: StatefulFault) =>
  Object.fromEntries(operations.map((operationId) => [operationId, statefulFault]));

const counters = perState(counter);

/** Counts the requests with the same words, including this one. */
export const timesOf = (state: State, ...words: readonly string[]): number =>
  counters(state)(words.join(" "));

/**
 * Checks first and changes the state later, so that two concurrent calls both pass the check.
 * @param behaviour that makes the handler accept the second call
 */
export const looksFirst =
  (isFree: (state: State, call: Call) => boolean, behaviour: Behaviour): StatefulFault =>
  async (state, call, handle) => {
    const free = isFree(state, call);
    await new Promise((resolve) => setTimeout(resolve, OVERTAKING_MS));
    return free ? handle(behaving(call, behaviour)) : handle();
  };

const OVERTAKING_MS = 30;

const kept = perState(() => new Map<string, Answer>());

/** Repeats the first successful answer to a request, even if the state has changed since. */
export const answersAsBefore: StatefulFault = async (state, { operation, path, query }, handle) => {
  const key = JSON.stringify([operation.operationId, path, query]);
  const answer = kept(state).get(key) ?? (await handle());
  if (isSuccess(answer)) kept(state).set(key, answer);
  return answer;
};

/** Changes a list in the answer. */
export const listing =
  (
    name: string,
    change: (items: readonly Fields[], state: State, call: Call) => readonly Fields[],
  ): StatefulFault =>
  async (state, call, handle) => {
    const { written: _, ...answer } = await handle();
    const body = (answer.json ?? {}) as Readonly<Record<string, readonly Fields[] | undefined>>;
    return { ...answer, json: { ...body, [name]: change(body[name] ?? [], state, call) } };
  };

/** Writes the fields of the call into another resource as well. */
export const overwriting =
  <Item extends { fields: Fields }>(victim: (state: State, call: Call) => Item | undefined): StatefulFault =>
  (state, call, handle) => {
    const one = victim(state, call);
    if (one !== undefined) one.fields = { ...one.fields, ...bodyOf(call) };
    return handle();
  };
