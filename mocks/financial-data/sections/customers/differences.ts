/** Permitted differences in customers, consumers and businesses. */
import { lettersPlain } from "../../../engine/deviations/given-values.ts";
import { anyValue, json, permitted } from "../../../engine/deviations/rows.ts";
import { SHARED } from "../../shared-requirements.ts";

const BUSINESSES = ["AddBusinessDetails", "UpdateBusiness", "GetBusinessById", "GetBusinessByCustomer"];
const NAMING = ["ModifyCustomer", "ModifyConsumer", "UpdateBusiness"];

/** A sequence of calls ends when a read shows the former state. */
const OF_CHANGES = [
  ...["sequences.*", "businesses.one-per-customer"],
  ...["webhooks.event-status-change", "webhooks.subscription-status-change"],
];

/** Only arranging calls again: a sequence ends, and a control is refused, when a call does not find the customer. */
const OF_NEW_CUSTOMERS = [
  ...["sequences.*", "CreateConsumer.*", "consumers.request-bodies", "consumer.all-fields-required"],
  ...["ModifyConsumer.unspecified-unchanged", "businesses.one-per-customer", "auth.*", "errors.40*"],
];

/** A sequence of calls ends when a list lacks a customer. */
const OF_LISTED_CUSTOMERS = [
  ...["sequences.*", "CreateConsumer.409-exists", "businesses.one-per-customer"],
  ...["customers.kind-fixed-at-creation", "AddTestingCustomer.409-exists"],
];

/** These trials and sequences begin with an empty list, or filter one until it is empty. */
const OF_EMPTY_LISTS = [
  ...["getResellerBillingReport.*", "GetAppRegistrationStatus.*", "getRegisteredInstitutions.*"],
  ...["*.filters", "*.parameter.start.type", "getApplications.parameter.*", "sequences.*"],
  ...["DeleteCustomerAccount.*", "microentry.*"],
  ...SHARED,
];

export const CUSTOMER_DIFFERENCES = [
  ...permitted("GetCustomers search", { operations: ["GetCustomers"] })({
    "exact-search": "A search finds a customer by the whole username, first name or last name.",
  }),
  ...permitted("operations described by path and status only", { operations: NAMING })({
    "names-in-ascii": {
      what: "Names are stored without accents, and without letters beyond ASCII.",
      effects: NAMING.map((operationId) => ({ kind: "behaviour", name: lettersPlain(operationId) })),
    },
  }),
  ...permitted("filter values", { operations: ["GetCustomers", "GetCustomerAccounts"] })({
    "other-filter-values": {
      what: "Filters have other values than the fields show, and an unknown value filters nothing.",
      isSettledByDocument: true,
      silences: [
        "GetCustomers.type-query",
        "GetCustomerAccounts.status-query",
        "GetCustomerAccounts.type-query",
      ],
      group: "filter values",
    },
    "unknown-filter-values-find-nothing": {
      what: "A filter by an unknown value finds nothing.",
      isSettledByDocument: true,
      effects: [
        "unknown-filter-values-find-nothing",
        ...anyValue("GetCustomers?query", "/type"),
        ...anyValue("GetCustomerAccounts?query", "/status"),
      ],
      silences: ["GetCustomers.parameter.type.enum", "GetCustomerAccounts.parameter.status.enum"],
      group: "filter values",
    },
  }),
  ...permitted([])({
    "many-other-customers":
      "The partner has hundreds of other customers, and lists have no order that a client knows.",
  }),
  ...permitted("operations described by path and status only")({
    "names-in-upper-case": {
      what: "The names of customers are kept in upper case.",
      operations: ["AddTestingCustomer", "AddCustomer", "ModifyCustomer", "GetCustomer", "GetCustomers"],
    },
  }),
  ...permitted("operations described by path and status only", { operations: BUSINESSES })({
    "tax-id-fixed": {
      what: "A change of a business leaves its tax id, which identifies it.",
      affects: ["sequences.shown-as-given"],
    },
  }),
  ...permitted("disputed statement", { operations: ["ModifyCustomer"] })({
    "disputes-named-otherwise": {
      what: "The refusal of a customer with a disputed statement has a code in words.",
      effects: json(
        { operationId: "ModifyCustomer", status: 403, cause: ["disputed-statement"] },
        "/code",
        "DISPUTE",
      ),
    },
  }),
  ...permitted("operations described by path and status only", { group: "late" })({
    "late-deletions": {
      what: "A deletion shows a second later.",
      // A sequence of calls ends when a read shows the former state.
      affects: ["sequences.deleted-gone"],
      silences: ["sequences.*", "DeleteCustomerAccount.removes-access"],
    },
    "late-changes": { what: "A change shows a second later.", silences: OF_CHANGES },
    "customers-known-late": {
      what: "A new customer is found a second later when it gets a consumer.",
      silences: OF_NEW_CUSTOMERS,
    },
  }),
  ...permitted("GetCustomers search", { operations: ["GetCustomers"], group: "late" })({
    "late-listings": { what: "A new customer is listed some seconds later.", silences: OF_LISTED_CUSTOMERS },
  }),
  ...permitted("operations described by path and status only", { group: "empty-lists" })({
    "empty-lists-absent": {
      what: "The field of an empty list is absent.",
      // The field is assumed.
      affects: ["*.response.shape"],
    },
    "empty-lists-not-found": { what: "An empty list is not found (404).", silences: OF_EMPTY_LISTS },
  }),
];
