/** Faults that only a sequence of calls shows: a handler that behaves otherwise depending on what came before. */

import type { Answer, Call } from "../service.ts";
import type { FaultRow } from "./fault.ts";
import { behaviour } from "./fault-rows.ts";

/** By requirement (without the service in front), then by the fault's own name, then by operationId. */
export type StatefulFaultTable<FinancialDataState, Behaviour extends string> = Readonly<
  Record<string, Readonly<Record<string, StatefulFaults<FinancialDataState, Behaviour>>>>
>;

type StatefulFaults<FinancialDataState, Behaviour extends string> = Readonly<
  Record<string, StatefulFault<FinancialDataState, Behaviour>>
>;

/** @param handle the handler as it should be; of a changed call, where a change is given */
export type StatefulFault<FinancialDataState, Behaviour extends string> = (
  state: FinancialDataState,
  call: Call<Behaviour>,
  handle: (changed?: Partial<Call<Behaviour>>) => Promise<Answer>,
) => Answer | Promise<Answer>;

type Handler<FinancialDataState, Behaviour extends string> = (
  state: FinancialDataState,
  call: Call<Behaviour>,
) => Answer | Promise<Answer>;

/**
 * The handlers, withStatefulFaults where a fault in force asks for it.
 * @throws Error when a table names an operation without a handler
 */
export const withStatefulFaults = <FinancialDataState, Behaviour extends string>(
  handlers: Readonly<Record<string, Handler<FinancialDataState, Behaviour>>>,
  tables: readonly StatefulFaultTable<FinancialDataState, Behaviour>[],
): Record<string, Handler<FinancialDataState, Behaviour>> => {
  const all = { ...handlers };
  for (const { name, statefulFaults } of tables.flatMap(faultsOf)) {
    for (const [operationId, statefulFault] of Object.entries(statefulFaults)) {
      const handler = all[operationId];
      if (handler === undefined) throw new Error(`The fault "${name}" is of no operation: "${operationId}".`);
      all[operationId] = (state, call) =>
        call.hasFault(behaviourOf(name))
          ? statefulFault(state, call, async (changed) => handler(state, { ...call, ...changed }))
          : handler(state, call);
    }
  }
  return all;
};

export const statefulFaultRows = <FinancialDataState, Behaviour extends string>(
  tables: readonly StatefulFaultTable<FinancialDataState, Behaviour>[],
): FaultRow[] =>
  tables
    .flatMap(faultsOf)
    .map(({ violates, name }) => ({ violates, name, effects: [behaviour(behaviourOf(name))] }));

const faultsOf = <FinancialDataState, Behaviour extends string>(
  table: StatefulFaultTable<FinancialDataState, Behaviour>,
) =>
  Object.entries(table).flatMap(([violates, faults]) =>
    Object.entries(faults).map(([name, statefulFaults]) => ({ violates, name, statefulFaults })),
  );

const behaviourOf = (name: string) => `sequence-${name}` as const;

/** @param change of what is there once the call has succeeded */
export const afterwards =
  <FinancialDataState, Behaviour extends string>(
    change: (state: FinancialDataState, call: Call<Behaviour>, answer: Answer) => void,
  ): StatefulFault<FinancialDataState, Behaviour> =>
  async (state, call, handle) => {
    const answer = await handle();
    if (isSuccess(answer)) change(state, call, answer);
    return answer;
  };

/** The call under a fault that asks for the behaviour. */
export const behaving = <Behaviour extends string>(
  { hasFault }: Call<Behaviour>,
  name: NoInfer<Behaviour>,
): Partial<Call<Behaviour>> => ({ hasFault: (asked) => asked === name || hasFault(asked) });

export const isSuccess = ({ status }: Answer): boolean => status < 300;

export const newest = <Item>(items: Iterable<Item>): Item | undefined => [...items].at(-1);
