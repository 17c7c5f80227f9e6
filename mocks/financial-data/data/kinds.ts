/** The kinds of data that a user may choose. Each refers only to kinds above it. */
import { existing } from "../../engine/data/data-error.ts";
import { type Kind, resources } from "../../engine/data/kinds.ts";
import {
  address,
  bytes,
  fields,
  flag,
  integer,
  listOf,
  milliseconds,
  number,
  oneOf,
  optional,
  ownId,
  record,
  reference,
  seconds,
  text,
} from "../../engine/data/parts.ts";
import initial from "../initial-data.json" with { type: "json" };
import { accessKeys } from "../sections/access/third-party-access.ts";
import { configurations } from "../sections/connect/components.ts";
import { runs } from "../sections/payments/payment-success.ts";
import { enrichedFor, forgotten } from "../sections/transactions/enrichment.ts";
import { applications } from "../state/applications.ts";
import { assets } from "../state/assets.ts";
import type { Customer } from "../state/customer.ts";
import { amountsTo, microDeposits } from "../state/micro-deposits.ts";
import type { State } from "../state/state.ts";
import { switches } from "../state/switches.ts";
import { customers, formerConsumers } from "./customers.ts";
import { locations } from "./locations.ts";
import { institutions, partnerOf, partners } from "./partners.ts";
import { portfolios, reports } from "./reports.ts";
import { hostedSessions } from "./sessions.ts";
import { txPushSubscriptions, webhookSubscriptions } from "./subscriptions.ts";

const customerOf = (state: State, customerId: string): Customer =>
  existing(state.customers.find(customerId), "customerId", "customer", customerId);

const accountOf = (state: State, accountId: string) =>
  existing(state.accounts.find(accountId), "accountId", "account", accountId);

const thirdParties: Kind<State> = resources({
  name: "thirdParties",
  holds: ["access-keys"],
  key: "receiptId",
  row: record({
    receiptId: ownId("consent-receipt"),
    partnerId: optional(reference("partner")),
    thirdPartyPartnerId: reference("third-party-partner"),
    customerId: reference("customer"),
    issued: optional(milliseconds),
    fields: optional(fields),
  }),
  all: (state) =>
    [...accessKeys(state).values()].map((key) => ({
      ...key,
      thirdPartyPartnerId: String(key.fields.thirdPartyPartnerId),
      customerId: String(key.fields.customerId),
    })),
  add: (
    state,
    { receiptId, partnerId: owner, thirdPartyPartnerId: other, customerId, issued, fields: sent },
  ) => {
    const partnerId = partnerOf(state, owner);
    const thirdPartyPartnerId = partnerOf(state, other, "thirdPartyPartnerId");
    accessKeys(state).set(receiptId, {
      receiptId,
      partnerId,
      fields: { customerId: customerOf(state, customerId).id, partnerId, thirdPartyPartnerId, ...sent },
      issued: issued ?? state.clock.now().getTime(),
    });
  },
});

const registered: Kind<State> = resources({
  name: "applications",
  holds: ["applications"],
  key: "preAppId",
  row: record({
    preAppId: ownId("pre-app"),
    applicationId: optional(ownId("application")),
    partnerId: optional(reference("partner")),
    status: optional(oneOf("A", "P", "D", "R", "S")),
    submitted: optional(seconds),
    modified: optional(seconds),
    fields: optional(fields),
  }),
  all: (state) => applications(state).values(),
  clear: (state) => applications(state).clear(),
  add: (state, { applicationId, partnerId, status = "A", submitted = state.seconds(), ...row }) =>
    void applications(state).set(row.preAppId, {
      preAppId: row.preAppId,
      applicationId,
      partnerId: partnerOf(state, partnerId),
      fields: row.fields ?? initial.application,
      status,
      submitted,
      modified: row.modified ?? submitted,
    }),
});

const connectConfigurations: Kind<State> = resources({
  name: "configurations",
  holds: ["configurations"],
  key: "id",
  row: record({ id: ownId("configuration"), partnerId: optional(reference("partner")), fields }),
  all: (state) => configurations(state).values(),
  add: (state, { partnerId, ...row }) =>
    void configurations(state).set(row.id, { ...row, partnerId: partnerOf(state, partnerId) }),
});

const payRequests: Kind<State> = resources({
  name: "payRequests",
  holds: ["payment-successes"],
  key: "id",
  row: record({
    id: ownId("pay-request", { "fcra-pay-request": { fcra: true } }),
    accountId: reference("account"),
    fcra: optional(flag),
    settlementAmount: number,
    settleByDate: text,
    created: optional(seconds),
    balance: optional(number),
  }),
  // No client can read the request of an account that is gone.
  all: (state) =>
    [...runs(state).values()].filter(({ accountId }) => state.accounts.find(accountId) !== undefined),
  add: (state, { accountId, fcra = false, created = state.seconds(), ...row }) => {
    const { customerId, balance: shown } = accountOf(state, accountId);
    const { balance = shown } = row;
    runs(state).set(row.id, { ...row, fcra, customerId, accountId, created, balance });
  },
});

const deposits: Kind<State> = resources({
  name: "microDeposits",
  holds: ["micro-deposits"],
  key: "accountId",
  row: record({
    accountId: ownId("micro-deposit-account"),
    customerId: reference("customer"),
    receiver: record({ routingNumber: text, accountNumber: optional(text) }),
    amounts: optional(
      listOf(integer({ minimum: 1, description: "In cents." }), { minItems: 2, maxItems: 2 }),
    ),
    status: optional(oneOf("initiated", "deposited", "verified")),
    created: optional(milliseconds),
    callbackUrl: optional(address),
  }),
  all: (state) =>
    [...microDeposits(state).values()].filter(
      ({ customerId }) => state.customers.find(customerId) !== undefined,
    ),
  add: (state, { customerId, status = "deposited", created, callbackUrl, ...row }) =>
    void microDeposits(state).set(row.accountId, {
      ...row,
      receiver: {
        ...row.receiver,
        accountNumber:
          row.receiver.accountNumber ?? state.identifiers.digits(10, "receiving-account", row.accountId),
      },
      amounts: row.amounts ?? amountsTo(state, row.accountId),
      customerId: customerOf(state, customerId).id,
      status,
      created: created ?? state.clock.now().getTime(),
      callbackUrl,
    }),
});

const storedAssets: Kind<State> = resources({
  name: "assets",
  holds: ["assets"],
  key: "id",
  row: record({ id: ownId("asset"), customerId: reference("customer"), content: bytes }),
  all: (state) => assets(state).values(),
  add: (state, row) => {
    customerOf(state, row.customerId);
    assets(state).set(row.id, row);
  },
});

const depositsAndBills: Kind<State> = resources({
  name: "switches",
  holds: ["switches"],
  key: "id",
  row: record({
    id: ownId("switch", { switch: { kind: "deposit" }, "bill-pay-switch": { kind: "bill-pay" } }),
    kind: oneOf("deposit", "bill-pay"),
    customerId: reference("customer"),
    externalId: optional(ownId("external")),
    status: optional(oneOf("processing", "completed")),
    provider: record({ id: text, name: text }),
    body: optional(fields),
    created: optional(seconds),
    updated: optional(seconds),
  }),
  // No client can read the switch of a customer that is gone.
  all: (state) =>
    [...switches(state).values()]
      .map(({ customer, ...row }) => ({ ...row, customerId: customer.id }))
      .filter(({ customerId }) => state.customers.find(customerId) !== undefined),
  clear: (state) => switches(state).clear(),
  add: (state, { customerId, status = "completed", created = state.seconds(), ...row }) => {
    const customer = customerOf(state, customerId);
    switches(state).set(row.id, {
      ...row,
      customer,
      externalId: row.externalId ?? state.identifiers.uuid("external", customerId),
      status,
      body: row.body ?? initial.switches,
      created,
      updated: row.updated ?? created,
    });
  },
});

const externalCustomers: Kind<State> = resources({
  name: "externalCustomers",
  holds: ["enriched", "forgotten-enrichments"],
  row: record({
    id: ownId("external-customer"),
    partnerId: optional(reference("partner")),
    gone: optional(flag),
  }),
  all: (state) => [
    ...[...enrichedFor(state)].map((pair) => {
      const [partnerId = "", ...rest] = pair.split(" ");
      return { id: rest.join(" "), partnerId };
    }),
    ...[...forgotten(state)].map((own) => ({ id: own, gone: true })),
  ],
  add: (state, { id: own, partnerId, gone = false }) => {
    if (gone) forgotten(state).add(own);
    else enrichedFor(state).add(`${partnerOf(state, partnerId)} ${own}`);
  },
});

export const KINDS: readonly Kind<State>[] = [
  partners,
  institutions,
  locations,
  customers,
  formerConsumers,
  thirdParties,
  registered,
  webhookSubscriptions,
  txPushSubscriptions,
  connectConfigurations,
  payRequests,
  deposits,
  storedAssets,
  depositsAndBills,
  portfolios,
  reports,
  externalCustomers,
  hostedSessions,
];
