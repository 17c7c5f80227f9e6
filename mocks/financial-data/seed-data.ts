/** Fills a fresh state with a customer that has all kinds of data, so that a client can read before it writes. */
import type { Fields } from "../engine/values/fields.ts";
import initial from "./initial-data.json" with { type: "json" };
import { allKinds } from "./linking.ts";
import type { Account } from "./state/account.ts";
import type { Business, Consumer, Customer } from "./state/customer.ts";
import type { State } from "./state/state.ts";

/** @returns a testing customer of the main partner with accounts of every documented type, a consumer and a business */
export const seedData = (state: State): Customer => {
  const { main, other } = state.partners;
  const customer = addCustomer(state, main.id, "linked-customer");
  state.accounts.link(customer, state.institutions.test("oauth"), allKinds(state));
  addConsumer(state, customer);
  addBusiness(state, customer);
  const others = state.differs("many-other-customers") ? MANY : 0;
  for (let index = 1; index <= others; index += 1) addCustomer(state, main.id, `somebody-${index}`);
  addCustomer(state, other.id, "customer-of-another-partner");
  return customer;
};

const MANY = 300;

/** Adds a customer for a single situation. */
export const ownCustomer = (
  state: State,
  name: string,
  type: Customer["type"] = "testing",
  partnerId = state.partners.main.id,
): Customer => addCustomer(state, partnerId, `${name}-${state.newId("username")}`, type);

export const addCustomer = (
  state: State,
  partnerId: string,
  username: string,
  type: Customer["type"] = "testing",
): Customer =>
  state.customers.add({ ...initial.customer, partnerId, type, username, applicationId: undefined });

/** @param fields the client's fields; the fields of the customer by default */
export const addConsumer = (
  state: State,
  customer: Customer,
  fields?: Fields,
  chosen: Partial<Pick<Consumer, "id" | "created">> = {},
): Consumer => {
  const { id: customerId, partnerId, firstName, lastName, phone, email } = customer;
  const consumer: Consumer = {
    id: chosen.id ?? state.newId("consumer"),
    customerId,
    partnerId,
    fields: fields ?? { ...initial.consumer, firstName, lastName, phone, email },
    created: chosen.created ?? state.seconds(),
  };
  state.customers.consumers.set(consumer.id, consumer);
  state.customers.consumerOf.set(customerId, consumer);
  return consumer;
};

export const addBusiness = (
  state: State,
  { id: customerId, partnerId }: Customer,
  fields: Fields = initial.business,
  chosen: Partial<Pick<Business, "id" | "created">> = {},
): Business => {
  const now = chosen.created ?? state.seconds();
  const id = chosen.id ?? state.newId("business");
  const business: Business = { id, customerId, partnerId, fields, created: now, modified: now };
  state.customers.businesses.set(id, business);
  state.customers.businessOf.set(customerId, business);
  return business;
};

/** Returns the configuration values that identify the account of a situation. */
export const idsOf = (account: Account | undefined): Record<string, string> => ({
  FINANCIAL_DATA_CUSTOMER_ID: account?.customerId ?? "",
  FINANCIAL_DATA_INSTITUTION_LOGIN_ID: account?.loginId ?? "",
  FINANCIAL_DATA_ACCOUNT_ID: account?.id ?? "",
});
