/** Permitted differences in customers, consumers and businesses. */
import type { DifferenceRow } from "../../../engine/differences/difference-rows.ts";
import { json } from "../../../engine/faults/fault-rows.ts";

export const CUSTOMER_DIFFERENCES = [
  {
    name: "exact-search",
    what: "A search finds a customer by the whole username, first name or last name.",
    gaps: ["GetCustomers search"],
    effects: ["exact-search"],
    operations: ["GetCustomers"],
  },
  {
    name: "other-filter-values",
    what: "Filters have other values than the fields show, and an unknown value filters nothing.",
    gaps: ["filter values"],
    effects: ["other-filter-values"],
    operations: ["GetCustomers", "GetCustomerAccounts"],
  },
  {
    name: "many-other-customers",
    what: "The partner has hundreds of other customers, and lists have no order that a client knows.",
    effects: ["many-other-customers"],
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
    group: "late",
  },
  {
    name: "late-changes",
    what: "A change shows a second later.",
    gaps: ["operations described by path and status only"],
    effects: ["late-changes"],
    group: "late",
  },
  {
    name: "late-listings",
    what: "A new customer is listed some seconds later.",
    gaps: ["GetCustomers search"],
    effects: ["late-listings"],
    operations: ["GetCustomers"],
    group: "late",
  },
  {
    name: "empty-lists-absent",
    what: "The field of an empty list is absent.",
    gaps: ["operations described by path and status only"],
    effects: ["empty-lists-absent"],
    group: "empty-lists",
  },
  {
    name: "empty-lists-not-found",
    what: "An empty list is not found (404).",
    gaps: ["operations described by path and status only"],
    effects: ["empty-lists-not-found"],
    group: "empty-lists",
  },
] as const satisfies readonly DifferenceRow[];
