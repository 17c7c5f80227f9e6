/** Switches: deposits or bills that customers moved to another account. */

import type { Fields } from "../../engine/values/fields.ts";
import initial from "../initial-data.json" with { type: "json" };
import type { Customer } from "./customer.ts";
import type { Happenings } from "./happenings.ts";
import { perWorld, type World } from "./world.ts";

export type SwitchKind = Happenings["switch-chosen"]["kind"];

export interface Switch {
  readonly id: string;
  readonly kind: SwitchKind;
  readonly customer: Customer;
  /** By which others know whose deposit switches they are. */
  readonly externalId: string;
  status: "processing" | "completed";
  /** Who deposits, or is paid. */
  readonly provider: { readonly id: string; readonly name: string };
  /** What the client sent when the switch was begun: `accounts`, `cards`. */
  readonly body: Fields;
  /** Seconds since 1970. */
  readonly created: number;
  updated: number;
}

export const switchesOf = (world: World, customer: Customer, kind: SwitchKind): Switch[] =>
  [...switches(world).values()].filter((each) => each.kind === kind && each.customer === customer);

/** Deposit switches of customers that still exist. */
export const switchesByExternalId = (world: World, partnerId: string, externalId: string): Switch[] =>
  [...switches(world).values()].filter(
    ({ kind, customer, externalId: known }) =>
      kind === "deposit" &&
      known === externalId &&
      customer.partnerId === partnerId &&
      world.customers.find(customer.id) !== undefined,
  );

/** Milliseconds that a switch takes. */
const DURATION = 5_000;

/** What is chosen in a hosted flow becomes a switch, which completes by itself. */
export const openSwitches = (world: World): void => {
  world.happenings.on("switch-chosen", (begun) => {
    const made = begin(world, begun);
    switches(world).set(made.id, made);
    world.clock.at(world.clock.now().getTime() + DURATION, () => complete(world, made));
  });
};

/** One of each kind, which are complete. */
export const giveSwitches = (world: World, customer: Customer): readonly Switch[] => {
  const given = standingOf(world, customer);
  for (const each of given) switches(world).set(each.id, each);
  return given;
};

const complete = (world: World, made: Switch): void => {
  made.status = "completed";
  made.updated = world.seconds();
};

/** The customer that a fresh world has gets one of each kind, so that a client can read before it writes. */
const switches = perWorld((world) => {
  const [first] = world.customers.of(world.partners.main.id);
  const standing = first === undefined ? [] : standingOf(world, first);
  return new Map(standing.map((each) => [each.id, each]));
});

const standingOf = (world: World, customer: Customer): Switch[] =>
  (["deposit", "bill-pay"] as const).map((kind) => {
    const made = begin(world, { kind, customer, counterpart: "Northwind Traders", body: initial.switches });
    complete(world, made);
    return made;
  });

const begin = (world: World, { kind, customer, counterpart, body }: Happenings["switch-chosen"]): Switch => ({
  id: world.newUuid(`${kind}-switch`),
  kind,
  customer,
  externalId: world.identifiers.uuid("external", customer.id),
  status: "processing",
  provider: { id: world.identifiers.uuid("switch-provider", counterpart), name: counterpart },
  body,
  created: world.seconds(),
  updated: world.seconds(),
});
