/** Faults that only a sequence of calls can show, because the handler deviates depending on earlier calls. */

import type { Answer, Call } from "../call.ts";
import type { DeviationRow } from "./deviation.ts";

/** By requirement (without the service prefix), then by the name of the fault, then by operationId. */
export type StatefulFaultTable<State, Behaviour extends string> = Readonly<
  Record<string, Readonly<Record<string, StatefulFaults<State, Behaviour>>>>
>;

type StatefulFaults<State, Behaviour extends string> = Readonly<
  Record<string, StatefulFault<State, Behaviour>>
>;

/** @param handle the correct handler; it handles a changed call when a change is given */
export type StatefulFault<State, Behaviour extends string> = (
  state: State,
  call: Call<Behaviour>,
  handle: (changed?: Partial<Call<Behaviour>>) => Promise<Answer>,
) => Answer | Promise<Answer>;

type Handler<State, Behaviour extends string> = (
  state: State,
  call: Call<Behaviour>,
) => Answer | Promise<Answer>;

/**
 * Returns the handlers, replaced by their stateful faults while these are in force.
 * @throws Error when a table names an operation without a handler
 */
export const withStatefulFaults = <State, Behaviour extends string>(
  handlers: Readonly<Record<string, Handler<State, Behaviour>>>,
  tables: readonly StatefulFaultTable<State, Behaviour>[],
): Record<string, Handler<State, Behaviour>> => {
  const all = { ...handlers };
  for (const { name, effects } of tables.flatMap(faultsOf)) {
    const inForce = behaviourOf(name);
    for (const [operationId, effect] of Object.entries(effects)) {
      const handler = all[operationId];
      if (handler === undefined)
        throw new Error(`The fault "${name}" names an unknown operation: "${operationId}".`);
      all[operationId] = (state, call) =>
        call.faulty(inForce)
          ? effect(state, call, async (changed) => handler(state, { ...call, ...changed }))
          : handler(state, call);
    }
  }
  return all;
};

export const statefulFaultRows = <State, Behaviour extends string>(
  tables: readonly StatefulFaultTable<State, Behaviour>[],
): DeviationRow[] =>
  tables.flatMap(faultsOf).map(({ violates, name }) => ({ violates, name, effects: [behaviourOf(name)] }));

const faultsOf = <State, Behaviour extends string>(table: StatefulFaultTable<State, Behaviour>) =>
  Object.entries(table).flatMap(([violates, faults]) =>
    Object.entries(faults).map(([name, effects]) => ({ violates, name, effects })),
  );

const behaviourOf = (name: string) => `sequence-${name}` as const;

/** @param change applied to the state after the call has succeeded */
export const afterwards =
  <State, Behaviour extends string>(
    change: (state: State, call: Call<Behaviour>, answer: Answer) => void,
  ): StatefulFault<State, Behaviour> =>
  async (state, call, handle) => {
    const answer = await handle();
    if (isSuccess(answer)) change(state, call, answer);
    return answer;
  };

/** Returns the call with the behaviour switched on. */
export const behaving = <Behaviour extends string>(
  { faulty }: Call<Behaviour>,
  name: NoInfer<Behaviour>,
): Partial<Call<Behaviour>> => ({ faulty: (asked) => asked === name || faulty(asked) });

export const isSuccess = ({ status }: Answer): boolean => status < 300;

export const newest = <Item>(items: Iterable<Item>): Item | undefined => [...items].at(-1);
