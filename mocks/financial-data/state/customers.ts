/** Stores the customers of all partners, with their consumer and business. */
import { keptIn } from "../../../helpers/contract/once.ts";
import { firstIndex } from "../../engine/values/search.ts";
import type { AggregationContext } from "./aggregation.ts";
import type { Business, Consumer, Customer, NewCustomer } from "./customer.ts";

interface Context extends Pick<AggregationContext, "seconds" | "events"> {
  newId(kind: string): string;
}

export const customerBook = ({ newId, seconds, events }: Context) => {
  const byId = new Map<string, Customer>();
  const byUsername = new Map<string, Customer>();
  const byPartner = new Map<string, Customer[]>();
  const businesses = new Map<string, Business>();
  const businessOf = new Map<string, Business>();
  const nameKey = (partnerId: string, username: string) => `${partnerId} ${username.toLowerCase()}`;
  return {
    find: (id: string) => byId.get(id),
    findByUsername: (partnerId: string, username: string) => byUsername.get(nameKey(partnerId, username)),
    /** Returns the partner's customers, in the order in which they were added. */
    of: (partnerId: string): readonly Customer[] => byPartner.get(partnerId) ?? [],
    add: (customer: NewCustomer): Customer => {
      const added: Customer = {
        ...customer,
        id: newId("customer"),
        created: seconds(),
        modified: undefined,
        marks: new Set(),
      };
      byId.set(added.id, added);
      byUsername.set(nameKey(added.partnerId, added.username), added);
      keptIn(byPartner, added.partnerId, () => []).push(added);
      return added;
    },
    /** Removes the customer and emits `customer-deleted`. */
    remove: (customer: Customer): void => {
      byId.delete(customer.id);
      byUsername.delete(nameKey(customer.partnerId, customer.username));
      const siblings = byPartner.get(customer.partnerId) ?? [];
      siblings.splice(placeOf(siblings, customer), 1);
      const business = businessOf.get(customer.id);
      if (business !== undefined) businesses.delete(business.id);
      businessOf.delete(customer.id);
      events.emit("customer-deleted", { customer });
    },
    /** By consumer id. A consumer remains when its customer is deleted. */
    consumers: new Map<string, Consumer>(),
    /** By customer id. */
    consumerOf: new Map<string, Consumer>(),
    businesses,
    /** By customer id. */
    businessOf,
  };
};

/** Finds the index by binary search, since decimal ids grow in the order in which customers are added. */
const placeOf = (customers: readonly Customer[], { id }: Customer): number =>
  /^\d+$/.test(id)
    ? firstIndex(0, customers.length - 1, (index) => BigInt((customers[index] as Customer).id) >= BigInt(id))
    : customers.findIndex((customer) => customer.id === id);
