/** Switches: deposits or bills that customers moved to another account. */
import type { Fields } from "../../engine/values/fields.ts";
import initial from "../initial-data.json" with { type: "json" };
import type { Customer } from "./customer.ts";
import type { AccountEvents } from "./events.ts";
import { type State, stored } from "./state.ts";

export interface Switch {
  readonly id: string;
  readonly kind: AccountEvents["switch-chosen"]["kind"];
  readonly customer: Customer;
  /** The id under which external systems know the customer. */
  readonly externalId: string;
  status: "processing" | "completed";
  /** The payer of a deposit, or the payee of a bill. */
  readonly provider: { readonly id: string; readonly name: string };
  /** The body of the client's request: `accounts`, `cards`. */
  readonly body: Fields;
  /** Seconds since 1970. */
  readonly created: number;
  updated: number;
}

export const switchesOf = (state: State, customer: Customer, kind: Switch["kind"]): Switch[] =>
  [...switches(state).values()].filter((each) => each.kind === kind && each.customer === customer);

/** Returns deposit switches of customers that still exist. */
export const switchesByExternalId = (state: State, partnerId: string, externalId: string): Switch[] =>
  [...switches(state).values()].filter(
    ({ kind, customer, externalId: known }) =>
      kind === "deposit" &&
      known === externalId &&
      customer.partnerId === partnerId &&
      state.customers.find(customer.id) !== undefined,
  );

/** Milliseconds until a switch completes. */
const DURATION = 5_000;

/** Creates a switch from each choice in a hosted flow. It completes after a delay. */
export const openSwitches = (state: State): void => {
  state.events.on("switch-chosen", (begun) => {
    const made = begin(state, begun);
    switches(state).set(made.id, made);
    state.clock.at(state.clock.now().getTime() + DURATION, () => complete(state, made));
  });
};

/** Adds a completed switch of each kind. */
export const giveSwitches = (state: State, customer: Customer): readonly Switch[] => {
  const given = standingOf(state, customer);
  for (const each of given) switches(state).set(each.id, each);
  return given;
};

/** Continues the switches of an image. */
export const resumeSwitches = (state: State): void => {
  for (const made of switches(state).values()) {
    if (made.status === "processing")
      state.clock.at(made.created * 1000 + DURATION, () => complete(state, made));
  }
};

const complete = (state: State, made: Switch): void => {
  made.status = "completed";
  made.updated = state.seconds();
};

/** The first customer starts with a switch of each kind, so that a client can read before it writes. */
export const switches = stored("switches", (state) => {
  const [first] = state.customers.of(state.partners.main.id);
  const standing = first === undefined ? [] : standingOf(state, first);
  return new Map(standing.map((each) => [each.id, each]));
});

const standingOf = (state: State, customer: Customer): Switch[] =>
  (["deposit", "bill-pay"] as const).map((kind) => {
    const made = begin(state, { kind, customer, counterpart: "Northwind Traders", body: initial.switches });
    complete(state, made);
    return made;
  });

const begin = (
  state: State,
  { kind, customer, counterpart, body }: AccountEvents["switch-chosen"],
): Switch => ({
  id: state.newUuid(`${kind}-switch`),
  kind,
  customer,
  externalId: state.identifiers.uuid("external", customer.id),
  status: "processing",
  provider: { id: state.identifiers.uuid("switch-provider", counterpart), name: counterpart },
  body,
  created: state.seconds(),
  updated: state.seconds(),
});
