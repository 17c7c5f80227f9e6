/** Stores the customers of all partners, with their consumer and business. */
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { firstIndex } from "../../engine/values/search.ts";
import type { AggregationContext } from "./aggregation.ts";
import type { Business, Consumer, Customer } from "./customer.ts";

export const customerBook = ({
  newId,
  seconds,
  events,
}: Pick<AggregationContext, "seconds" | "events"> & {
  newId(kind: string): string;
}) => {
  const byId = new Map<string, Customer>();
  const byUsername = new Map<string, Customer>();
  const byPartner = new Map<string, Customer[]>();
  const businesses = new Map<string, Business>();
  const businessOf = new Map<string, Business>();
  const nameKey = (partnerId: string, username: string) => `${partnerId} ${username.toLowerCase()}`;
  /** By consumer id. A consumer remains when its customer is deleted. */
  const consumers = new Map<string, Consumer>();
  /** By customer id. */
  const consumerOf = new Map<string, Consumer>();
  return {
    stores: { byId, byUsername, byPartner, businesses, businessOf, consumers, consumerOf },
    find: (id: string) => byId.get(id),
    findByUsername: (partnerId: string, username: string) => byUsername.get(nameKey(partnerId, username)),
    /** Returns the partner's customers, in the order in which they were added. */
    of: (partnerId: string): readonly Customer[] => byPartner.get(partnerId) ?? [],
    /** @param chosen the id and the time of creation, in seconds since 1970, if they are given */
    add: (
      customer: Omit<Customer, "id" | "created" | "modified" | "marks">,
      chosen: Partial<Pick<Customer, "id" | "created">> = {},
    ): Customer => {
      // Node.js 20 gives each object with a spread a hidden class of its own, which takes more memory than a customer.
      const { partnerId, type, username, firstName, lastName, email, phone, applicationId } = customer;
      const added: Customer = {
        id: chosen.id ?? newId("customer"),
        partnerId,
        type,
        username,
        firstName,
        lastName,
        email,
        phone,
        applicationId,
        created: chosen.created ?? seconds(),
        modified: undefined,
        marks: undefined,
      };
      byId.set(added.id, added);
      byUsername.set(nameKey(added.partnerId, added.username), added);
      getOrInsert(byPartner, added.partnerId, () => []).push(added);
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
    consumers,
    consumerOf,
    businesses,
    /** By customer id. */
    businessOf,
  };
};

/**
 * Finds the index, by binary search if possible: decimal ids of the sandbox grow in the order in which customers are
 * added, but ids of the user may not.
 */
const placeOf = (customers: readonly Customer[], customer: Customer): number => {
  const { id } = customer;
  const isAtOrAfter = (index: number): boolean => {
    const other = (customers[index] as Customer).id;
    return DECIMAL.test(other) && BigInt(other) >= BigInt(id);
  };
  const likely = DECIMAL.test(id) ? firstIndex(0, customers.length - 1, isAtOrAfter) : 0;
  return customers[likely] === customer ? likely : customers.indexOf(customer);
};

const DECIMAL = /^\d+$/;
