/** Writes the present state in the form of `data.schema.json`. */
import { defined } from "../../../helpers/contract/json.ts";
import type { Fields } from "../../engine/values/fields.ts";
import { instantOf } from "../../engine/values/units.ts";
import { accessKeys } from "../sections/access/third-party-access.ts";
import type { Account, Login } from "../state/account.ts";
import { NOTHING_GENERATED } from "../state/aggregation.ts";
import { applications } from "../state/applications.ts";
import type { Chosen, ChosenAccount, ChosenCustomer } from "../state/chosen.ts";
import type { Business, Consumer, Customer } from "../state/customer.ts";
import { rowsAt } from "../state/ledger.ts";
import type { State } from "../state/state.ts";
import { txPush } from "../state/txpush.ts";
import { webhooks } from "../state/webhooks.ts";

export const dumpOf = (state: State): Fields => {
  const { main, disposable, other, all } = state.partners;
  const roles = new Map([
    [main, "main" as const],
    [disposable, "disposable" as const],
    [other, "other" as const],
  ]);
  const dump: Chosen = {
    partners: [...all.values()].map((partner) => {
      const { id, name, appKey, secret, resells } = partner;
      const role = roles.get(partner);
      return { id, name, appKey, secret, ...(role && { role }), resells };
    }),
    institutions: state.institutions.all.map(({ id, name, ...rest }) => ({ id, name, ...rest })),
    customers: [...all.keys()].flatMap((partnerId) =>
      state.customers.of(partnerId).map((customer) => customerOf(state, customer)),
    ),
    thirdParties: [...accessKeys(state).values()].map(({ receiptId, partnerId, fields, issued }) => ({
      receiptId,
      partnerId,
      thirdPartyPartnerId: String(fields.thirdPartyPartnerId),
      customerId: String(fields.customerId),
      issued: new Date(issued).toISOString(),
      fields,
    })),
    applications: [...applications(state).values()].map(({ submitted, modified: _, ...application }) => ({
      ...application,
      submitted: instantOf(submitted),
    })) as NonNullable<Chosen["applications"]>,
    webhooks: [...webhooks(state).subscriptions.values()].map(
      ({ id, partnerId, url, own, created, events }) =>
        defined({ id, partnerId, url, status: own, created: new Date(created).toISOString(), events }),
    ) as NonNullable<Chosen["webhooks"]>,
    txPush: [...txPush(state).subscriptions.values()]
      .flat()
      .map(({ faulty: _, ...subscription }) => subscription),
  };
  // The state has fields without a value; a file has none.
  return JSON.parse(JSON.stringify(dump));
};

const customerOf = (state: State, customer: Customer): ChosenCustomer => {
  const { created, modified: _, marks: __, ...fields } = customer;
  const consumer = state.customers.consumerOf.get(customer.id);
  const business = state.customers.businessOf.get(customer.id);
  const logins = [...state.accounts.logins.values()].filter(({ customerId }) => customerId === customer.id);
  return {
    ...(fields as ChosenCustomer),
    created: instantOf(created),
    ...(consumer && { consumer: personOf(consumer) }),
    ...(business && { business: personOf(business) }),
    logins: logins.map((login) => loginOf(state, login)),
  };
};

const personOf = ({ id, created, fields }: Consumer | Business) => ({
  id,
  created: instantOf(created),
  fields,
});

const loginOf = (state: State, { id, institutionId, connection, created }: Login) => ({
  id,
  institutionId,
  connection,
  created: instantOf(created),
  accounts: state.accounts.ofLogin(id).map(accountOf),
});

/** An account whose transactions nobody has read has none yet: they are generated again from the same seed. */
const accountOf = (account: Account): ChosenAccount => {
  const { id, type, number, routingNumber, name, status, balance, created, perDay, given, marks, ledger } =
    account;
  const rows = ledger === undefined ? undefined : rowsAt(ledger, 0, ledger.length);
  return {
    id,
    type,
    number,
    routingNumber,
    name,
    status,
    balance,
    created: instantOf(created),
    perDay: marks.has(NOTHING_GENERATED) ? 0 : perDay,
    fields: given,
    ...(rows && {
      transactions: rows.map(({ id: own, amount, description, transactionDate, postedDate }) => ({
        id: own,
        amount,
        description,
        ...(transactionDate !== undefined && { transactionDate: instantOf(transactionDate) }),
        ...(postedDate !== undefined && { postedDate: instantOf(postedDate) }),
      })),
    }),
  };
};
