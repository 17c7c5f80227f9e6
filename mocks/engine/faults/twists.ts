/** Faults that only a sequence of calls shows: a handler that behaves otherwise depending on what came before. */

import type { Answer, Call } from "../service.ts";
import type { FaultRow } from "./fault.ts";
import { behaviour } from "./fault-rows.ts";

/** By requirement (without the service in front), then by the fault's own name, then by operationId. */
export type TwistTable<World> = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, Twist<World>>>>>>
>;

/** @param handle the handler as it should be; of a changed call, where a change is given */
export type Twist<World> = (
  world: World,
  call: Call,
  handle: (changed?: Partial<Call>) => Promise<Answer>,
) => Answer | Promise<Answer>;

type Handler<World> = (world: World, call: Call) => Answer | Promise<Answer>;

/** The handlers, twisted where a fault in force asks for it. */
export const twisted = <World>(
  handlers: Readonly<Record<string, Handler<World>>>,
  table: TwistTable<World>,
): Record<string, Handler<World>> =>
  Object.fromEntries(
    Object.entries(handlers).map(([operationId, handler]) => {
      const own = faultsOf(table).flatMap(({ name, twists }) => {
        const twist = twists[operationId];
        return twist === undefined ? [] : [{ behaviour: behaviourOf(name), twist }];
      });
      const either: Handler<World> = (world, call) => {
        const twist = own.find((one) => call.bent(one.behaviour))?.twist;
        if (twist === undefined) return handler(world, call);
        return twist(world, call, async (changed) => handler(world, { ...call, ...changed }));
      };
      return [operationId, own.length === 0 ? handler : either];
    }),
  );

export const twistRows = <World>(table: TwistTable<World>): FaultRow[] =>
  faultsOf(table).map(({ violates, name }) => ({ violates, name, bends: behaviour(behaviourOf(name)) }));

const faultsOf = <World>(table: TwistTable<World>) =>
  Object.entries(table).flatMap(([violates, faults]) =>
    Object.entries(faults).map(([name, twists]) => ({ violates, name, twists })),
  );

const behaviourOf = (name: string): string => `sequence-${name}`;

/** The call under a fault that asks for the behaviour. */
export const behaving = ({ bent }: Call, name: string): Partial<Call> => ({
  bent: (asked) => asked === name || bent(asked),
});

export const isSuccess = ({ status }: Answer): boolean => status < 300;

export const newest = <Item>(items: Iterable<Item>): Item | undefined => [...items].at(-1);
