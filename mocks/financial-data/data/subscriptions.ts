/** The subscriptions in a data file: webhooks of partners, and TxPush listeners of accounts. */
import { defined } from "../../../helpers/contract/json.ts";
import { DataError, existing, within } from "../../engine/data/data-error.ts";
import { type Kind, resources } from "../../engine/data/kinds.ts";
import {
  address,
  listOf,
  milliseconds,
  oneOf,
  optional,
  ownId,
  record,
  reference,
  text,
} from "../../engine/data/parts.ts";
import type { State } from "../state/state.ts";
import { txPush } from "../state/txpush.ts";
import { availableEvents } from "../state/webhook-events.ts";
import { webhooks } from "../state/webhooks.ts";
import { partnerOf } from "./partners.ts";

const status = optional(oneOf("active", "inactive"));

const eventRow = record({
  id: optional(ownId("webhook-event")),
  name: text,
  url: optional(address),
  status,
  condition: optional(
    record({ subscribeFor: text, includes: optional(listOf(text)), excludes: optional(listOf(text)) }),
  ),
});

const refuseUnknown = (state: State, name: string): void => {
  const names = availableEvents(state.contract).map((event) => event.name);
  if (!names.includes(name))
    throw new DataError(["name"], `no event is called "${name}". There are: ${names.join(", ")}`);
};

export const webhookSubscriptions: Kind<State> = resources({
  name: "webhooks",
  holds: ["webhooks"],
  key: "id",
  row: record({
    id: ownId("webhook-subscription"),
    partnerId: optional(reference("partner")),
    url: optional(address),
    status,
    created: optional(milliseconds),
    updated: optional(milliseconds),
    events: listOf(eventRow),
  }),
  all: (state) =>
    [...webhooks(state).subscriptions.values()].map(({ own, ...row }) => ({ ...row, status: own })),
  add: (state, { id: own, partnerId, url, status: chosen, created, updated, events }) => {
    const time = created ?? state.clock.now().getTime();
    webhooks(state).subscriptions.set(own, {
      id: own,
      partnerId: partnerOf(state, partnerId),
      url,
      events: events.map((event, index) => {
        within("events", () => within(index, () => refuseUnknown(state, event.name)));
        return {
          id: event.id ?? state.newUuid("webhook-event"),
          name: event.name,
          url: event.url,
          condition: event.condition && {
            subscribeFor: event.condition.subscribeFor,
            ...defined({ includes: event.condition.includes, excludes: event.condition.excludes }),
          },
          status: event.status ?? "active",
        };
      }),
      own: chosen,
      created: time,
      updated: updated ?? time,
      faulty: state.differs,
    });
  },
});

export const txPushSubscriptions: Kind<State> = resources({
  name: "txPush",
  holds: ["tx-push"],
  key: "id",
  row: record({
    id: ownId("txpush-subscription"),
    accountId: reference("account"),
    type: oneOf("account", "transaction"),
    callbackUrl: address,
    signingKey: optional(text),
  }),
  all: (state) => [...txPush(state).subscriptions.values()].flat(),
  add: (state, { signingKey, ...row }) => {
    const account = existing(state.accounts.find(row.accountId), "accountId", "account", row.accountId);
    const { subscriptions, watched } = txPush(state);
    const subscription = {
      ...row,
      signingKey: signingKey ?? state.identifiers.key("txpush-signing-key", row.id),
      faulty: state.differs,
    };
    subscriptions.set(account.id, [...(subscriptions.get(account.id) ?? []), subscription]);
    watched.add(account.id);
  },
});
