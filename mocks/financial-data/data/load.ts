/** Fills a fresh state with the data that the user chose. */
import { DataError } from "../../engine/data/data.ts";
import initial from "../initial-data.json" with { type: "json" };
import { accessKeys } from "../sections/access/third-party-access.ts";
import { addBusiness, addConsumer, seedData } from "../seed-data.ts";
import type { Account, Login } from "../state/account.ts";
import { newAccount, newLogin } from "../state/accounts.ts";
import { NOTHING_GENERATED } from "../state/aggregation.ts";
import { applications } from "../state/applications.ts";
import { type ChosenAccount, type ChosenCustomer, chosenBy } from "../state/chosen.ts";
import type { Customer } from "../state/customer.ts";
import type { State } from "../state/state.ts";
import { txPush, watch } from "../state/txpush.ts";
import { availableEvents } from "../state/webhook-events.ts";
import { webhooks } from "../state/webhooks.ts";

/**
 * @returns the customer with accounts for the configuration; `undefined` if the user chose no customers at all
 * @throws DataError when ids repeat, or name nothing
 */
export const fillState = (state: State): Customer | undefined => {
  const { customers, partners = [] } = chosenBy(state.data);
  refuseRepeated(partners, "partners");
  const first = customers === undefined ? seedData(state) : addCustomers(state, customers);
  addThirdParties(state);
  addApplications(state);
  addWebhooks(state);
  addTxPush(state);
  return first;
};

type Path = readonly (string | number)[];

const addCustomers = (state: State, customers: readonly ChosenCustomer[]): Customer | undefined => {
  const added = customers.map((customer, index) => addCustomer(state, customer, ["customers", index]));
  const own = added.filter(({ partnerId }) => partnerId === state.partners.main.id);
  return own.find(({ id }) => state.accounts.of(id).length > 0) ?? own[0];
};

const addCustomer = (state: State, chosen: ChosenCustomer, path: Path): Customer => {
  const { logins = [], consumer, business, created, partnerId: owner, ...fields } = chosen;
  const id = String(fields.id);
  const partnerId = partnerOf(state, owner, path);
  if (state.customers.find(id) !== undefined) throw new DataError([...path, "id"], `the id "${id}" repeats`);
  if (state.customers.findByUsername(partnerId, fields.username) !== undefined)
    throw new DataError([...path, "username"], `the username "${fields.username}" repeats`);
  const absent = {
    firstName: undefined,
    lastName: undefined,
    email: undefined,
    phone: undefined,
    applicationId: undefined,
  };
  const customer = state.customers.add(
    { ...absent, ...fields, type: fields.type ?? "testing", partnerId },
    { id, ...(created !== undefined && { created: secondsOf(created) }) },
  );
  if (consumer !== undefined)
    addConsumer(state, customer, consumer.fields ?? { ...initial.consumer, firstName: fields.firstName }, {
      id: String(consumer.id),
      ...timeOf(consumer.created),
    });
  if (business !== undefined)
    addBusiness(state, customer, business.fields, { id: String(business.id), ...timeOf(business.created) });
  for (const [index, login] of logins.entries()) addLogin(state, customer, login, [...path, "logins", index]);
  return customer;
};

const addLogin = (
  state: State,
  customer: Customer,
  chosen: NonNullable<ChosenCustomer["logins"]>[number],
  path: Path,
): void => {
  const institution = state.institutions.find(chosen.institutionId);
  if (institution === undefined)
    throw new DataError([...path, "institutionId"], `no institution has the id "${chosen.institutionId}"`);
  const id = String(chosen.id);
  if (state.accounts.logins.has(id)) throw new DataError([...path, "id"], `the id "${id}" repeats`);
  const login: Login = {
    ...newLogin(id, customer, institution, chosen.created ? secondsOf(chosen.created) : state.seconds()),
    ...(chosen.connection && { connection: chosen.connection }),
  };
  const before = state.accounts.of(customer.id).length;
  const accounts = chosen.accounts.map((account, index): Account => {
    const at = [...path, "accounts", index];
    const same = chosen.accounts.slice(0, index).some((other) => String(other.id) === String(account.id));
    if (same || state.accounts.find(String(account.id)) !== undefined)
      throw new DataError([...at, "id"], `the id "${account.id}" repeats`);
    return accountOf(state, login, account, before + index + 1);
  });
  state.accounts.put(login, accounts);
  for (const [index, account] of accounts.entries())
    giveTransactions(state, account, chosen.accounts[index] as ChosenAccount, [...path, "accounts", index]);
};

const accountOf = (state: State, login: Login, chosen: ChosenAccount, position: number): Account => {
  const institution = state.institutions.find(login.institutionId) ?? state.institutions.test();
  const { transactions, fields = {}, created, ...rest } = chosen;
  const account = newAccount({
    id: String(chosen.id),
    seed: state.seed,
    login,
    institution,
    wanted: rest,
    position,
  });
  const { number = account.number, routingNumber = account.routingNumber, name = account.name } = chosen;
  const isQuiet = chosen.perDay === 0 || (chosen.perDay === undefined && transactions !== undefined);
  if (isQuiet) account.marks.add(NOTHING_GENERATED);
  Object.assign(account.given, fields);
  return {
    ...account,
    number,
    routingNumber,
    name,
    ...timeOf(created),
    attempted: Math.max(account.attempted, state.seconds()),
  };
};

const giveTransactions = (
  state: State,
  account: Account,
  { transactions }: ChosenAccount,
  path: Path,
): void => {
  if (transactions === undefined) return;
  const seen = new Set<number>();
  for (const [index, { id }] of transactions.entries()) {
    if (id === undefined) continue;
    if (seen.has(id) || state.accounts.hasTransaction(id))
      throw new DataError([...path, "transactions", index, "id"], `the id "${id}" repeats`);
    seen.add(id);
  }
  const rows = transactions.map(({ id, amount, description, transactionDate, postedDate }) => {
    const transacted = transactionDate === undefined ? undefined : secondsOf(transactionDate);
    const posted = postedDate === undefined ? undefined : secondsOf(postedDate);
    return {
      id,
      amount,
      description,
      transactionDate: transacted,
      postedDate: posted ?? (transacted === undefined ? state.seconds() : undefined),
    };
  });
  state.accounts.give(account, rows);
};

const addThirdParties = (state: State): void => {
  const { thirdParties = [] } = chosenBy(state.data);
  refuseRepeated(thirdParties, "thirdParties", "receiptId");
  for (const [index, chosen] of thirdParties.entries()) {
    const path = ["thirdParties", index];
    const receiptId = String(chosen.receiptId);
    const partnerId = partnerOf(state, chosen.partnerId, path);
    const thirdPartyPartnerId = partnerOf(state, chosen.thirdPartyPartnerId, path, "thirdPartyPartnerId");
    const customerId = String(chosen.customerId);
    if (state.customers.find(customerId) === undefined)
      throw new DataError([...path, "customerId"], `no customer has the id "${customerId}"`);
    accessKeys(state).set(receiptId, {
      receiptId,
      partnerId,
      fields: { customerId, partnerId, thirdPartyPartnerId, ...chosen.fields },
      issued: chosen.issued === undefined ? state.clock.now().getTime() : Date.parse(chosen.issued),
    });
  }
};

const addApplications = (state: State): void => {
  const { applications: chosen = [] } = chosenBy(state.data);
  refuseRepeated(chosen, "applications", "preAppId");
  for (const [index, application] of chosen.entries()) {
    const { preAppId, applicationId, partnerId, status = "A", submitted, fields } = application;
    const at = submitted === undefined ? state.seconds() : secondsOf(submitted);
    applications(state).set(String(preAppId), {
      preAppId: String(preAppId),
      applicationId: applicationId === undefined ? undefined : String(applicationId),
      partnerId: partnerOf(state, partnerId, ["applications", index]),
      fields: fields ?? initial.application,
      status,
      submitted: at,
      modified: at,
    });
  }
};

const addWebhooks = (state: State): void => {
  const { webhooks: chosen = [] } = chosenBy(state.data);
  refuseRepeated(chosen, "webhooks");
  for (const [index, { id, partnerId, url, status, created, events }] of chosen.entries()) {
    const path = ["webhooks", index];
    for (const [at, { name }] of events.entries()) {
      if (!availableEvents(state.contract).some((event) => event.name === name))
        throw new DataError(
          [...path, "events", at, "name"],
          `no event is called "${name}". There are: ${availableEvents(state.contract)
            .map((event) => event.name)
            .join(", ")}`,
        );
    }
    const time = created === undefined ? state.clock.now().getTime() : Date.parse(created);
    webhooks(state).subscriptions.set(String(id), {
      id: String(id),
      partnerId: partnerOf(state, partnerId, path),
      url,
      events: events.map((event) => ({
        id: event.id === undefined ? state.newUuid("webhook-event") : String(event.id),
        name: event.name,
        url: event.url,
        condition: event.condition,
        status: event.status ?? "active",
      })),
      own: status,
      created: time,
      updated: time,
      faulty: state.differs,
    });
  }
};

const addTxPush = (state: State): void => {
  const { txPush: chosen = [] } = chosenBy(state.data);
  refuseRepeated(chosen, "txPush");
  const { subscriptions, watched } = txPush(state);
  for (const [index, { id, accountId, type, callbackUrl, signingKey }] of chosen.entries()) {
    const account = state.accounts.find(String(accountId));
    if (account === undefined)
      throw new DataError(["txPush", index, "accountId"], `no account has the id "${accountId}"`);
    const record = {
      id: String(id),
      accountId: account.id,
      type,
      callbackUrl,
      signingKey: signingKey ?? state.identifiers.key("txpush-signing-key", String(id)),
      faulty: state.differs,
    };
    subscriptions.set(account.id, [...(subscriptions.get(account.id) ?? []), record]);
    if (!watched.has(account.id)) watch(state, account);
  }
};

const partnerOf = (state: State, id: unknown, path: Path, name = "partnerId"): string => {
  if (id === undefined) return state.partners.main.id;
  if (state.partners.all.has(String(id))) return String(id);
  throw new DataError([...path, name], `no partner has the id "${id}"`);
};

const refuseRepeated = (rows: readonly object[], list: string, name = "id"): void => {
  const ids = rows.map((row) => String((row as Record<string, unknown>)[name]));
  const index = ids.findIndex((id, at) => ids.indexOf(id) < at);
  if (index >= 0) throw new DataError([list, index, name], `the id "${ids[index]}" repeats`);
};

const secondsOf = (instant: string): number => Math.floor(Date.parse(instant) / 1000);

const timeOf = (instant: string | undefined): { created?: number } =>
  instant === undefined ? {} : { created: secondsOf(instant) };
