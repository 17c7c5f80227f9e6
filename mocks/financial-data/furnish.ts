/** What a fresh world has in it: a customer with everything, so that a client can read before it writes. */

import type { Fields } from "../engine/values/fields.ts";
import initial from "./initial-data.json" with { type: "json" };
import { type Account, DOCUMENTED_TYPES } from "./world/account.ts";
import type { Business, Consumer, Customer } from "./world/customer.ts";
import type { World } from "./world/world.ts";

/** @returns a testing customer of the main partner with accounts of every documented type, a consumer and a business */
export const furnish = (world: World): Customer => {
  const { main, other } = world.partners;
  const customer = addCustomer(world, main.id, "linked-customer");
  world.accounts.link(customer, world.institutions.test("oauth"), DOCUMENTED_TYPES);
  addConsumer(world, customer);
  addBusiness(world, customer);
  addCustomer(world, other.id, "customer-of-another-partner");
  return customer;
};

/** A customer for one situation alone. */
export const ownCustomer = (
  world: World,
  name: string,
  type: Customer["type"] = "testing",
  partnerId = world.partners.main.id,
): Customer => addCustomer(world, partnerId, `${name}-${world.newId("username")}`, type);

export const addCustomer = (
  world: World,
  partnerId: string,
  username: string,
  type: Customer["type"] = "testing",
): Customer =>
  world.customers.add({ ...initial.customer, partnerId, type, username, applicationId: undefined });

/** @param fields as a client gives them; those of the customer if absent */
export const addConsumer = (world: World, customer: Customer, fields?: Fields): Consumer => {
  const { id: customerId, partnerId, firstName, lastName, phone, email } = customer;
  const consumer: Consumer = {
    id: world.newId("consumer"),
    customerId,
    partnerId,
    fields: fields ?? { ...initial.consumer, firstName, lastName, phone, email },
    created: world.seconds(),
  };
  world.customers.consumers.set(consumer.id, consumer);
  world.customers.consumerOf.set(customerId, consumer);
  return consumer;
};

export const addBusiness = (
  world: World,
  { id: customerId, partnerId }: Customer,
  fields: Fields = initial.business,
): Business => {
  const now = world.seconds();
  const id = world.newId("business");
  const business: Business = { id, customerId, partnerId, fields, created: now, modified: now };
  world.customers.businesses.set(id, business);
  world.customers.businessOf.set(customerId, business);
  return business;
};

/** How a client reaches the account that a situation made. */
export const idsOf = (account: Account | undefined): Record<string, string> => ({
  FINANCIAL_DATA_CUSTOMER_ID: account?.customerId ?? "",
  FINANCIAL_DATA_INSTITUTION_LOGIN_ID: account?.loginId ?? "",
  FINANCIAL_DATA_ACCOUNT_ID: account?.id ?? "",
});
