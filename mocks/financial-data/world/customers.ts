/** Customers of all partners, with the consumer and the business that belong to one. */
import { firstIndex } from "../../engine/values/search.ts";
import type { Business, Consumer, Customer, NewCustomer } from "./customer.ts";
import type { Announcements } from "./happenings.ts";

export interface CustomerBook {
  find(id: string): Customer | undefined;
  findByUsername(partnerId: string, username: string): Customer | undefined;
  /** In the order in which they were added. */
  of(partnerId: string): readonly Customer[];
  add(customer: NewCustomer): Customer;
  /** Tells `customer-deleted`. */
  remove(customer: Customer): void;
  /** A consumer stays when its customer is deleted. */
  readonly consumers: Map<string, Consumer>;
  /** Consumer by customer id. */
  readonly consumerOf: Map<string, Consumer>;
  readonly businesses: Map<string, Business>;
  /** Business by customer id. */
  readonly businessOf: Map<string, Business>;
}

interface Context {
  newId(kind: string): string;
  seconds(): number;
  readonly happenings: Announcements;
}

export const customerBook = ({ newId, seconds, happenings }: Context): CustomerBook => {
  const byId = new Map<string, Customer>();
  const byUsername = new Map<string, Customer>();
  const byPartner = new Map<string, Customer[]>();
  const businesses = new Map<string, Business>();
  const businessOf = new Map<string, Business>();
  const nameKey = (partnerId: string, username: string) => `${partnerId} ${username.toLowerCase()}`;
  return {
    find: (id) => byId.get(id),
    findByUsername: (partnerId, username) => byUsername.get(nameKey(partnerId, username)),
    of: (partnerId) => byPartner.get(partnerId) ?? [],
    add: (customer) => {
      const added: Customer = {
        ...customer,
        id: newId("customer"),
        created: seconds(),
        modified: undefined,
        marks: new Set(),
      };
      byId.set(added.id, added);
      byUsername.set(nameKey(added.partnerId, added.username), added);
      const siblings = byPartner.get(added.partnerId);
      if (siblings === undefined) byPartner.set(added.partnerId, [added]);
      else siblings.push(added);
      return added;
    },
    remove: (customer) => {
      byId.delete(customer.id);
      byUsername.delete(nameKey(customer.partnerId, customer.username));
      const siblings = byPartner.get(customer.partnerId) ?? [];
      siblings.splice(placeOf(siblings, customer), 1);
      const business = businessOf.get(customer.id);
      if (business !== undefined) businesses.delete(business.id);
      businessOf.delete(customer.id);
      happenings.tell("customer-deleted", { customer });
    },
    consumers: new Map(),
    consumerOf: new Map(),
    businesses,
    businessOf,
  };
};

/** Ids grow as customers are added. */
const placeOf = (customers: readonly Customer[], { id }: Customer): number =>
  firstIndex(0, customers.length - 1, (index) => Number((customers[index] as Customer).id) >= Number(id));
