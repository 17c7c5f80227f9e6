/** What a fresh world has in it: a customer with everything, so that a client can read before it writes. */
import initial from "./initial-data.json" with { type: "json" };
import { linkOf } from "./linking.ts";
import { DOCUMENTED_TYPES } from "./world/account-kinds.ts";
import type { Customer } from "./world/customer.ts";
import type { World } from "./world/world.ts";

/** @returns a testing customer of the main partner with accounts of every documented type, a consumer and a business */
export const furnish = (world: World): Customer => {
  const { main, other } = world.partners;
  const customer = addCustomer(world, main.id, "linked-customer");
  linkOf(
    world,
    customer,
    world.institutions.test("oauth"),
    DOCUMENTED_TYPES.map((type) => ({ type })),
  );
  addConsumer(world, customer);
  addBusiness(world, customer);
  addCustomer(world, other.id, "customer-of-another-partner");
  return customer;
};

/** For situations, too. */
export const addCustomer = (
  world: World,
  partnerId: string,
  username: string,
  type: Customer["type"] = "testing",
): Customer =>
  world.customers.add({ ...initial.customer, partnerId, type, username, applicationId: undefined });

export const addConsumer = (world: World, customer: Customer): void => {
  const { firstName, lastName, phone, email } = customer;
  const consumer = {
    id: world.newId("consumer"),
    customerId: customer.id,
    partnerId: customer.partnerId,
    fields: { ...initial.consumer, firstName, lastName, phone, email },
    created: world.seconds(),
  };
  world.customers.consumers.set(consumer.id, consumer);
  world.customers.consumerOf.set(customer.id, consumer);
};

export const addBusiness = (world: World, customer: Customer): void => {
  const now = world.seconds();
  const business = {
    id: world.newId("business"),
    customerId: customer.id,
    partnerId: customer.partnerId,
    fields: initial.business,
    created: now,
    modified: now,
  };
  world.customers.businesses.set(business.id, business);
  world.customers.businessOf.set(customer.id, business);
};
