/** Customers: testing or active, searched and paged, changed and deleted. */

import type { Fields } from "../../../engine/values/fields.ts";
import { refused, success } from "../../answers.ts";
import type { Bent, Call } from "../../faults.ts";
import { bodyOf, customerIn, pageOf, partnerOf, textIn } from "../../found.ts";
import { addConsumer, ownCustomer } from "../../furnish.ts";
import type { Handler, Section } from "../../section.ts";
import type { Customer } from "../../world/customer.ts";
import type { World } from "../../world/world.ts";
import { CUSTOMER_TWISTS } from "./customer-twists.ts";

const add =
  (type: Customer["type"]): Handler =>
  (world, call) => {
    const partner = partnerOf(world, call);
    const body = bodyOf(call);
    const username = textIn(body, "username") ?? `customer-${world.newId("username")}`;
    const taken = world.customers.findByUsername(partner.id, username) !== undefined;
    if (taken && !call.bent("customers-twice")) throw refused("customer-exists");
    const customer = world.customers.add({
      partnerId: partner.id,
      type: call.bent("customers-of-other-kind") ? otherKind(type) : type,
      username,
      firstName: textIn(body, "firstName"),
      lastName: textIn(body, "lastName"),
      email: textIn(body, "email"),
      phone: textIn(body, "phone"),
      applicationId: textIn(body, "applicationId"),
    });
    const { id, created: createdDate } = customer;
    return success(world, call, { id, username, createdDate }, { key: id });
  };

const otherKind = (type: Customer["type"]): Customer["type"] => (type === "testing" ? "active" : "testing");

const matching = (
  customers: readonly Customer[],
  { username, type, search }: Fields,
  bent: Bent,
): readonly Customer[] => {
  if (username === undefined && type === undefined && search === undefined) return customers;
  const words = search === undefined ? [] : String(search).toLowerCase().split(/\s+/);
  const named = username === undefined ? undefined : String(username).toLowerCase();
  return customers.filter((customer) => {
    if (named !== undefined && customer.username.toLowerCase() !== named) return false;
    if (type !== undefined && customer.type !== type) return false;
    const names = [
      bent("customers-search-without-username") ? "" : customer.username,
      bent("customers-search-without-names") ? "" : `${customer.firstName ?? ""} ${customer.lastName ?? ""}`,
    ];
    const text = names.join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
};

const fieldsOf = ({ partnerId: _, marks: __, created, modified, ...told }: Customer): Fields => ({
  ...told,
  createdDate: created,
  lastModifiedDate: modified,
});

/** Of a customer whose accounts alone are left, where a fault leaves them. */
const GONE = "gone";

const presentIn = (world: World, call: Call): Customer => {
  const customer = customerIn(world, call);
  if (!customer.marks.has(GONE)) return customer;
  throw refused("unknown-customer");
};

const deleted = (world: World, { bent }: Call, customer: Customer): void => {
  const { consumers, consumerOf } = world.customers;
  if (bent("customers-delete-nothing")) return;
  if (bent("customers-accounts-stay")) {
    customer.marks.add(GONE);
    return;
  }
  // As if a second call had to confirm it.
  if (bent("customers-delete-late") && !customer.marks.has("deletion-asked")) {
    customer.marks.add("deletion-asked");
    return;
  }
  const consumer = consumerOf.get(customer.id);
  if (bent("customers-consumer-deleted") && consumer !== undefined) consumers.delete(consumer.id);
  world.customers.remove(customer);
};

export const customers: Section = {
  handlers: {
    AddTestingCustomer: add("testing"),
    AddCustomer: add("active"),
    GetCustomers(world, call) {
      const { query, bent } = call;
      const every = world.customers.of(partnerOf(world, call).id);
      const all = bent("customers-accounts-stay") ? every.filter(({ marks }) => !marks.has(GONE)) : every;
      const found = matching(all, query, bent);
      const unsought = query.search === undefined && query.username === undefined;
      const shown = unsought && bent("customers-all-but-one") ? found.slice(1) : found;
      const start = bent("customers-start-ignored") ? 1 : query.start;
      const { items, more } = pageOf(shown, start, query.limit);
      const customers = items.map(fieldsOf);
      const known = { found: shown.length, displaying: items.length, moreAvailable: more, customers };
      return success(world, call, known, { made: "required" });
    },
    GetCustomerWithAppData(world, call) {
      const customer = presentIn(world, call);
      const applicationName = customer.applicationId === undefined ? undefined : "Fielding Budget";
      return success(world, call, { ...fieldsOf(customer), applicationName }, { key: customer.id });
    },
    GetCustomer(world, call) {
      const customer = presentIn(world, call);
      return success(world, call, fieldsOf(customer), { key: customer.id });
    },
    ModifyCustomer(world, call) {
      const customer = presentIn(world, call);
      if (customer.marks.has("disputed-statement") && !call.bent("customers-dispute-ignored"))
        throw refused("disputed-statement");
      const body = bodyOf(call);
      customer.firstName = textIn(body, "firstName") ?? customer.firstName;
      customer.lastName = textIn(body, "lastName") ?? customer.lastName;
      customer.modified = world.seconds();
      if (call.bent("customers-kind-changes")) customer.type = otherKind(customer.type);
      return success(world, call);
    },
    DeleteCustomer(world, call) {
      const customer = presentIn(world, call);
      deleted(world, call, customer);
      return success(world, call);
    },
  },
  situations: {
    "disputed-statement"(world) {
      const customer = ownCustomer(world, "disputed");
      customer.marks.add("disputed-statement");
      addConsumer(world, customer);
      return { FINANCIAL_DATA_CUSTOMER_ID: customer.id };
    },
  },
  twists: [CUSTOMER_TWISTS],
};
