/** Customers: testing or active; they can be searched, paged, changed and deleted. */
import type { Fields } from "../../../engine/values/fields.ts";
import { hashOf } from "../../../engine/values/random.ts";
import { demandsInSuccess, refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { bodyOf, customerIn, filterIn, pageOf, partnerOf, textIn } from "../../found.ts";
import { afterwards } from "../../late.ts";
import { linkAccounts } from "../../linking.ts";
import type { Handler, Section } from "../../section.ts";
import { addConsumer, ownCustomer } from "../../seed-data.ts";
import { type Customer, mark } from "../../state/customer.ts";
import type { State } from "../../state/state.ts";
import { CUSTOMER_STATEFUL_FAULTS } from "./customer-stateful-faults.ts";

/** Returns a name from the body of the call, as the service keeps it. */
const nameIn = (call: Call, field: "firstName" | "lastName"): string | undefined => {
  const name = textIn(bodyOf(call), field);
  return call.differs("names-in-upper-case") ? name?.toUpperCase() : name;
};

const add =
  (type: Customer["type"]): Handler =>
  (state, call) => {
    const partner = partnerOf(state, call);
    const body = bodyOf(call);
    const username = textIn(body, "username") ?? `customer-${state.newId("username")}`;
    const taken = state.customers.findByUsername(partner.id, username) !== undefined;
    if (taken && !call.faulty("customers-twice")) throw refused("customer-exists");
    const customer = state.customers.add({
      partnerId: partner.id,
      type: call.faulty("customers-of-other-kind") ? otherKind(type) : type,
      username,
      firstName: nameIn(call, "firstName"),
      lastName: nameIn(call, "lastName"),
      email: textIn(body, "email"),
      phone: textIn(body, "phone"),
      applicationId: textIn(body, "applicationId"),
    });
    if (call.differs("accounts-from-the-start")) linkAccounts(state, { customerId: customer.id });
    const { id, created: createdDate } = customer;
    return success(state, call, { id, username, createdDate }, { key: id });
  };

const otherKind = (type: Customer["type"]): Customer["type"] => (type === "testing" ? "active" : "testing");

const matching = (customers: readonly Customer[], call: Call): readonly Customer[] => {
  const { faulty, differs } = call;
  const { username, search } = call.query;
  const type = filterIn(call, "type", ["testing", "active"]);
  if (username === undefined && type === undefined && search === undefined) return customers;
  const words = search === undefined ? [] : String(search).toLowerCase().split(/\s+/);
  const named = username === undefined ? undefined : String(username).toLowerCase();
  return customers.filter((customer) => {
    if (named !== undefined && customer.username.toLowerCase() !== named) return false;
    if (type !== undefined && customer.type !== type) return false;
    const names = [
      faulty("customers-search-without-username") ? "" : customer.username,
      faulty("customers-search-without-names")
        ? ""
        : `${customer.firstName ?? ""} ${customer.lastName ?? ""}`,
    ];
    const text = names.join(" ").toLowerCase();
    const known = text.split(" ");
    return words.every((word) => (differs("exact-search") ? known.includes(word) : text.includes(word)));
  });
};

const fieldsOf = (customer: Customer): Fields => ({
  id: customer.id,
  type: customer.type,
  username: customer.username,
  firstName: customer.firstName,
  lastName: customer.lastName,
  email: customer.email,
  phone: customer.phone,
  applicationId: customer.applicationId,
  createdDate: customer.created,
  lastModifiedDate: customer.modified,
});

/** Returns all customers of the partner, or the only one with the username, however many there are. */
const candidatesOf = (state: State, { query, faulty }: Call, partnerId: string): readonly Customer[] => {
  if (query.username === undefined || faulty("customers-twice")) return state.customers.of(partnerId);
  const named = state.customers.findByUsername(partnerId, String(query.username));
  return named === undefined ? [] : [named];
};

/** Returns the customers of the caller in the order of the sandbox, which no document states. */
const everyOf = (state: State, call: Call): readonly Customer[] => {
  const all = candidatesOf(state, call, partnerOf(state, call).id);
  if (call.differs("late-listings")) return all.filter(({ created }) => created + 1 < state.seconds());
  if (!call.differs("many-other-customers")) return all;
  return [...all].sort((one, other) => hashOf(one.id) - hashOf(other.id));
};

/** Marks a deleted customer whose accounts remain because of a fault. */
const GONE = "gone";

const presentIn = (state: State, call: Call): Customer => {
  const customer = customerIn(state, call);
  if (!customer.marks?.has(GONE)) return customer;
  throw refused("unknown-customer");
};

const deleted = (state: State, { faulty }: Call, customer: Customer): void => {
  const { consumers, consumerOf } = state.customers;
  if (faulty("customers-delete-nothing")) return;
  if (faulty("customers-accounts-stay")) {
    mark(customer, GONE);
    return;
  }
  // The fault deletes only at the second call.
  if (faulty("customers-delete-late") && !customer.marks?.has("deletion-asked")) {
    mark(customer, "deletion-asked");
    return;
  }
  const consumer = consumerOf.get(customer.id);
  if (faulty("customers-consumer-deleted") && consumer !== undefined) consumers.delete(consumer.id);
  state.customers.remove(customer);
};

export const customers: Section = {
  handlers: {
    AddTestingCustomer: add("testing"),
    AddCustomer: add("active"),
    GetCustomers(state, call) {
      const { query, faulty } = call;
      const every = everyOf(state, call);
      const all = faulty("customers-accounts-stay") ? every.filter(({ marks }) => !marks?.has(GONE)) : every;
      const found = matching(all, call);
      const unsought = query.search === undefined && query.username === undefined;
      const shown = unsought && faulty("customers-all-but-one") ? found.slice(1) : found;
      const { items, more } = pageOf(shown, query.start, query.limit);
      const customers = items.map(fieldsOf);
      const known = { found: shown.length, displaying: items.length, moreAvailable: more, customers };
      return success(state, call, known, { made: "required" });
    },
    GetCustomerWithAppData(state, call) {
      const customer = presentIn(state, call);
      const isDemanded = demandsInSuccess(state, call, "applicationId");
      if (customer.applicationId === undefined && isDemanded) throw refused("unknown-application");
      const applicationName = customer.applicationId === undefined ? undefined : "Fielding Budget";
      return success(state, call, { ...fieldsOf(customer), applicationName }, { key: customer.id });
    },
    GetCustomer(state, call) {
      const customer = presentIn(state, call);
      return success(state, call, fieldsOf(customer), { key: customer.id });
    },
    ModifyCustomer(state, call) {
      const customer = presentIn(state, call);
      if (customer.marks?.has("disputed-statement") && !call.faulty("customers-dispute-ignored"))
        throw refused("disputed-statement");
      afterwards(state, call.differs("late-changes"), () => {
        customer.firstName = nameIn(call, "firstName") ?? customer.firstName;
        customer.lastName = nameIn(call, "lastName") ?? customer.lastName;
        customer.modified = state.seconds();
      });
      if (call.faulty("customers-kind-changes")) customer.type = otherKind(customer.type);
      return success(state, call);
    },
    DeleteCustomer(state, call) {
      const customer = presentIn(state, call);
      afterwards(state, call.differs("late-deletions"), () => deleted(state, call, customer));
      return success(state, call);
    },
  },
  situations: {
    "disputed-statement"(state) {
      const customer = ownCustomer(state, "disputed");
      mark(customer, "disputed-statement");
      addConsumer(state, customer);
      return { FINANCIAL_DATA_CUSTOMER_ID: customer.id };
    },
  },
  statefulFaults: [CUSTOMER_STATEFUL_FAULTS],
};
