/** The faults of customers, consumers and businesses. */
import {
  ignores,
  json,
  refusesParameter,
  remove,
  removeFromEach,
  rowsOf,
  status,
  validating,
} from "../../../engine/deviations/rows.ts";

const OK = { operationId: "GetCustomer", status: 200 };
const LIST = { operationId: "GetCustomers", status: 200 };
const CONSUMERS = ["GetConsumer", "GetConsumerForCustomer"];

const twice = <const Behaviour extends string>(operationId: string, behaviour: Behaviour) => ({
  "second-accepted": behaviour,
  "bad-request": status(400, { operationId, status: 409 }),
});

export const CUSTOMER_FAULTS = rowsOf({
  "customer.kind": {
    "another-kind": [...json(OK, "/type", "trial"), ...json(LIST, "/customers/*/type", "trial")],
  },
  "customer.names-and-username": {
    "username-missing": [...remove(OK, "/username"), ...remove(LIST, "/customers/*/username")],
    "names-missing": [
      ...remove(OK, "/firstName"),
      ...remove(OK, "/lastName"),
      ...remove(LIST, "/customers/*/firstName"),
      ...remove(LIST, "/customers/*/lastName"),
    ],
  },
  "customer.may-have-application": {
    "application-missing": remove({ operationId: "GetCustomerWithAppData", status: 200 }, "/applicationId"),
  },
  "AddTestingCustomer.kind-testing": { "kind-active": "customers-of-other-kind" },
  "AddCustomer.kind-active": { "kind-testing": "customers-of-other-kind" },
  "sequences.shown-as-given": { "another-name": json(OK, "/firstName", "Somebody") },
  "customers.kind-fixed-at-creation": { "modify-changes-it": "customers-kind-changes" },
  "AddTestingCustomer.409-exists": twice("AddTestingCustomer", "customers-twice"),
  "AddCustomer.409-exists": twice("AddCustomer", "customers-twice"),
  "GetCustomers.username-query": { refused: refusesParameter("GetCustomers", "username") },
  "GetCustomers.type-query": { refused: refusesParameter("GetCustomers", "type") },
  "GetCustomers.search-query": { refused: refusesParameter("GetCustomers", "search") },
  "GetCustomers.paging": {
    "start-ignored": ignores("GetCustomers", "start"),
    "start-refused": refusesParameter("GetCustomers", "start"),
    "limit-refused": refusesParameter("GetCustomers", "limit"),
  },
  "GetCustomers.search-by-username": { "not-found": "customers-search-without-username" },
  "GetCustomers.search-by-names": { "not-found": "customers-search-without-names" },
  "GetCustomers.no-search-returns-all": { "one-missing": "customers-all-but-one" },
  "errors.403-disputed-statement": {
    accepted: "customers-dispute-ignored",
    "bad-request": status(400, { operationId: "ModifyCustomer", status: 403 }),
  },
  "DeleteCustomer.removes-customer": { "still-there": "customers-delete-nothing" },
  "DeleteCustomer.removes-linked-accounts": { "accounts-stay": "customers-accounts-stay" },
  "DeleteCustomer.no-confirmation": { "second-call-needed": "customers-delete-late" },
  "consumer.persists-after-customer-deletion": { "deleted-with-it": "customers-consumer-deleted" },

  "CreateConsumer.409-exists": twice("CreateConsumer", "consumers-twice"),
  "ModifyConsumer.unspecified-unchanged": { "others-lost": "consumers-modify-replaces" },
  "consumer.all-fields-required": {
    "one-may-lack": validating({ waive: true })("CreateConsumer", "/ssn"),
    "one-missing-when-read": removeFromEach(CONSUMERS, "/ssn"),
  },

  "businesses.one-per-customer": twice("AddBusinessDetails", "businesses-twice"),
});
