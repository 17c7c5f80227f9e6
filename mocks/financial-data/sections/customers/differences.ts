/** Permitted differences in customers, consumers and businesses. */
import type { DeviationRow } from "../../../engine/deviations/deviation.ts";
import { lettersPlain } from "../../../engine/deviations/given-values.ts";
import { json } from "../../../engine/deviations/rows.ts";
import { SHARED } from "../../shared-requirements.ts";

const NAMING = ["ModifyCustomer", "ModifyConsumer", "UpdateBusiness"];

export const CUSTOMER_DIFFERENCES = [
  {
    name: "exact-search",
    what: "A search finds a customer by the whole username, first name or last name.",
    gaps: ["GetCustomers search"],
    effects: ["exact-search"],
    operations: ["GetCustomers"],
  },
  {
    name: "names-in-ascii",
    what: "Names are stored without accents, and without letters beyond ASCII.",
    gaps: ["operations described by path and status only"],
    effects: NAMING.map((operationId) => ({ kind: "behaviour", name: lettersPlain(operationId) })),
    operations: NAMING,
  },
  {
    name: "other-filter-values",
    group: "filter values",
    what: "Filters have other values than the fields show, and an unknown value filters nothing.",
    gaps: ["filter values"],
    isSettledByDocument: true,
    effects: ["other-filter-values"],
    operations: ["GetCustomers", "GetCustomerAccounts"],
    silences: [
      "GetCustomers.type-query",
      "GetCustomerAccounts.status-query",
      "GetCustomerAccounts.type-query",
    ],
  },
  {
    name: "unknown-filter-values-find-nothing",
    group: "filter values",
    what: "A filter by an unknown value finds nothing.",
    gaps: ["filter values"],
    isSettledByDocument: true,
    effects: [
      "unknown-filter-values-find-nothing",
      { kind: "request", of: "GetCustomers?query", pointer: "/type", edit: { drop: "enum" } },
      { kind: "request", of: "GetCustomerAccounts?query", pointer: "/status", edit: { drop: "enum" } },
    ],
    operations: ["GetCustomers", "GetCustomerAccounts"],
    silences: ["GetCustomers.parameter.type.enum", "GetCustomerAccounts.parameter.status.enum"],
  },
  {
    name: "many-other-customers",
    what: "The partner has hundreds of other customers, and lists have no order that a client knows.",
    effects: ["many-other-customers"],
  },
  {
    name: "names-in-upper-case",
    what: "The names of customers are kept in upper case.",
    gaps: ["operations described by path and status only"],
    effects: ["names-in-upper-case"],
    operations: ["AddTestingCustomer", "AddCustomer", "ModifyCustomer", "GetCustomer", "GetCustomers"],
  },
  {
    name: "disputes-named-otherwise",
    what: "The refusal of a customer with a disputed statement has a code in words.",
    gaps: ["disputed statement"],
    effects: [
      ...json(
        { operationId: "ModifyCustomer", status: 403, cause: ["disputed-statement"] },
        "/code",
        "DISPUTE",
      ),
    ],
    operations: ["ModifyCustomer"],
  },
  {
    name: "late-deletions",
    what: "A deletion shows a second later.",
    gaps: ["operations described by path and status only"],
    effects: ["late-deletions"],
    // A sequence of calls ends when a read shows the former state.
    affects: ["sequences.deleted-gone"],
    silences: ["sequences.*", "DeleteCustomerAccount.removes-access"],
    group: "late",
  },
  {
    name: "late-changes",
    what: "A change shows a second later.",
    gaps: ["operations described by path and status only"],
    effects: ["late-changes"],
    // A sequence of calls ends when a read shows the former state.
    silences: [
      ...["sequences.*", "businesses.one-per-customer"],
      ...["webhooks.event-status-change", "webhooks.subscription-status-change"],
    ],
    group: "late",
  },
  {
    name: "customers-known-late",
    what: "A new customer is found a second later when it gets a consumer.",
    gaps: ["operations described by path and status only"],
    effects: ["customers-known-late"],
    // Only arranging calls again: a sequence ends, and a control is refused, when a call does not find the customer.
    silences: [
      ...["sequences.*", "CreateConsumer.*", "consumers.request-bodies", "consumer.all-fields-required"],
      ...["ModifyConsumer.unspecified-unchanged", "businesses.one-per-customer", "auth.*", "errors.40*"],
    ],
    group: "late",
  },
  {
    name: "late-listings",
    what: "A new customer is listed some seconds later.",
    gaps: ["GetCustomers search"],
    effects: ["late-listings"],
    operations: ["GetCustomers"],
    // A sequence of calls ends when a list lacks a customer.
    silences: [
      ...["sequences.*", "CreateConsumer.409-exists", "businesses.one-per-customer"],
      ...["customers.kind-fixed-at-creation", "AddTestingCustomer.409-exists"],
    ],
    group: "late",
  },
  {
    name: "empty-lists-absent",
    what: "The field of an empty list is absent.",
    gaps: ["operations described by path and status only"],
    effects: ["empty-lists-absent"],
    // The field is assumed.
    affects: ["*.response.shape"],
    group: "empty-lists",
  },
  {
    name: "empty-lists-not-found",
    what: "An empty list is not found (404).",
    gaps: ["operations described by path and status only"],
    effects: ["empty-lists-not-found"],
    // These trials and sequences begin with an empty list, or filter one until it is empty.
    silences: [
      ...["getResellerBillingReport.*", "GetAppRegistrationStatus.*", "getRegisteredInstitutions.*"],
      ...["*.filters", "*.parameter.start.type", "getApplications.parameter.*", "sequences.*"],
      ...["DeleteCustomerAccount.*", "microentry.*"],
      ...SHARED,
    ],
    group: "empty-lists",
  },
] as const satisfies readonly DeviationRow[];
