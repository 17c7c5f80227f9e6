/** Faults that only a sequence of calls can show: while one is in force, it handles the calls of some operations. */
import type { Answer, Call } from "../call.ts";
import type { DeviationRow } from "./deviation.ts";

/** @param handle the correct handler; it handles a changed call when a change is given */
export type StatefulFault<State, Behaviour extends string> = (
  state: State,
  call: Call<Behaviour>,
  handle: (changed?: Partial<Call<Behaviour>>) => Promise<Answer>,
) => Answer | Promise<Answer>;

/** By requirement (without the service), then by the name of the fault, then by operationId. */
export type StatefulFaultTable<State, Behaviour extends string> = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, StatefulFault<State, Behaviour>>>>>>
>;

export const statefulRowsOf = <State, Behaviour extends string>(
  tables: readonly StatefulFaultTable<State, Behaviour>[],
) =>
  tables.flatMap(Object.entries<StatefulFaultTable<State, Behaviour>[string]>).flatMap(([violates, faults]) =>
    Object.entries(faults).map(([name, handlers]) => ({
      ...{ violates, name, handlers },
      effects: [`sequence-${name}`] as const,
    })),
  ) satisfies DeviationRow[];

type Handlers<State, Behaviour extends string> = Readonly<
  Record<string, (state: State, call: Call<Behaviour>) => Answer | Promise<Answer>>
>;

/**
 * Returns the handlers. While a row is in force, its handlers replace them.
 * @throws Error when a row names an operation without a handler
 */
export const withStatefulFaults = <State, Behaviour extends string>(
  handlers: Handlers<State, Behaviour>,
  rows: ReturnType<typeof statefulRowsOf<State, Behaviour>>,
): Handlers<State, Behaviour> => {
  const all = { ...handlers };
  for (const { name, effects, handlers: faulty } of rows) {
    for (const [operationId, fault] of Object.entries(faulty)) {
      const handler = all[operationId];
      if (handler === undefined)
        throw new Error(`The fault "${name}" names an unknown operation: "${operationId}".`);
      all[operationId] = (state, call) =>
        call.faulty(effects[0])
          ? fault(state, call, async (changed) => handler(state, { ...call, ...changed }))
          : handler(state, call);
    }
  }
  return all;
};

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
