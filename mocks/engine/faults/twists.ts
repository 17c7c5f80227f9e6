/** Faults that only a sequence of calls shows: a handler that behaves otherwise depending on what came before. */

import type { Answer, Call } from "../service.ts";
import type { FaultRow } from "./fault.ts";
import { behaviour } from "./fault-rows.ts";

/** By requirement (without the service in front), then by the fault's own name, then by operationId. */
export type TwistTable<World, Behaviour extends string> = Readonly<
  Record<string, Readonly<Record<string, Twists<World, Behaviour>>>>
>;

type Twists<World, Behaviour extends string> = Readonly<Record<string, Twist<World, Behaviour>>>;

/** @param handle the handler as it should be; of a changed call, where a change is given */
export type Twist<World, Behaviour extends string> = (
  world: World,
  call: Call<Behaviour>,
  handle: (changed?: Partial<Call<Behaviour>>) => Promise<Answer>,
) => Answer | Promise<Answer>;

type Handler<World, Behaviour extends string> = (
  world: World,
  call: Call<Behaviour>,
) => Answer | Promise<Answer>;

/**
 * The handlers, twisted where a fault in force asks for it.
 * @throws Error when a table names an operation without a handler
 */
export const twisted = <World, Behaviour extends string>(
  handlers: Readonly<Record<string, Handler<World, Behaviour>>>,
  tables: readonly TwistTable<World, Behaviour>[],
): Record<string, Handler<World, Behaviour>> => {
  const all = { ...handlers };
  for (const { name, twists } of tables.flatMap(faultsOf)) {
    for (const [operationId, twist] of Object.entries(twists)) {
      const handler = all[operationId];
      if (handler === undefined) throw new Error(`The fault "${name}" is of no operation: "${operationId}".`);
      all[operationId] = (world, call) =>
        call.bent(behaviourOf(name))
          ? twist(world, call, async (changed) => handler(world, { ...call, ...changed }))
          : handler(world, call);
    }
  }
  return all;
};

export const twistRows = <World, Behaviour extends string>(
  tables: readonly TwistTable<World, Behaviour>[],
): FaultRow[] =>
  tables
    .flatMap(faultsOf)
    .map(({ violates, name }) => ({ violates, name, bends: [behaviour(behaviourOf(name))] }));

const faultsOf = <World, Behaviour extends string>(table: TwistTable<World, Behaviour>) =>
  Object.entries(table).flatMap(([violates, faults]) =>
    Object.entries(faults).map(([name, twists]) => ({ violates, name, twists })),
  );

const behaviourOf = (name: string) => `sequence-${name}` as const;

/** @param change of what is there once the call has succeeded */
export const afterwards =
  <World, Behaviour extends string>(
    change: (world: World, call: Call<Behaviour>, answer: Answer) => void,
  ): Twist<World, Behaviour> =>
  async (world, call, handle) => {
    const answer = await handle();
    if (isSuccess(answer)) change(world, call, answer);
    return answer;
  };

/** The call under a fault that asks for the behaviour. */
export const behaving = <Behaviour extends string>(
  { bent }: Call<Behaviour>,
  name: NoInfer<Behaviour>,
): Partial<Call<Behaviour>> => ({ bent: (asked) => asked === name || bent(asked) });

export const isSuccess = ({ status }: Answer): boolean => status < 300;

export const newest = <Item>(items: Iterable<Item>): Item | undefined => [...items].at(-1);
