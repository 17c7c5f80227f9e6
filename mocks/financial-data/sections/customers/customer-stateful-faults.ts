/**
 * Stateful faults of customers, consumers and businesses. Only a sequence of calls shows them; each single call looks
 * correct.
 */
import { newest } from "../../../engine/deviations/handlers.ts";
import type { Call } from "../../calls.ts";
import { bodyOf, consumerIn, customerIn, partnerOf, pathValue, textIn } from "../../found.ts";
import type { Business, Consumer, Customer } from "../../state/customer.ts";
import { perState, type State } from "../../state/state.ts";
import {
  afterwards,
  answersAsBefore,
  listing,
  looksFirst,
  overwriting,
  type StatefulFault,
  type StatefulFaultTable,
  timesOf,
} from "../../stateful-faults.ts";

const namesake = (state: State, call: Call): Customer | undefined =>
  state.customers.findByUsername(partnerOf(state, call).id, textIn(bodyOf(call), "username") ?? "");

/** Customers as they were added, including deleted ones. */
const added = perState(() => new Map<string, Customer>());

const remembersAdded = afterwards((state, call) => {
  const customer = namesake(state, call);
  if (customer !== undefined) added(state).set(customer.id, { ...customer });
});

const returnsAfterNext: StatefulFault = (state, call, handle) => {
  const id = pathValue(call, "customerId");
  const gone = state.customers.find(id) === undefined ? added(state).get(id) : undefined;
  if (gone === undefined || newest(added(state).keys()) === id) return handle();
  const { username, type, firstName, lastName, created } = gone;
  return { status: 200, json: { id, username, type, firstName, lastName, createdDate: String(created) } };
};

export const CUSTOMER_STATEFUL_FAULTS: StatefulFaultTable = {
  "AddTestingCustomer.409-exists": {
    "customer-race": {
      AddTestingCustomer: looksFirst((state, call) => namesake(state, call) === undefined, "customers-twice"),
    },
  },
  "DeleteCustomer.removes-customer": {
    "deleted-returns-after-next-add": { AddTestingCustomer: remembersAdded, GetCustomer: returnsAfterNext },
  },
  "sequences.created-readable": {
    "deletion-takes-next-customer": {
      async DeleteCustomer(state, call, handle) {
        const all = [...state.customers.of(partnerOf(state, call).id)];
        const next = all[all.indexOf(customerIn(state, call)) + 1];
        const answer = await handle();
        if (next !== undefined) state.customers.remove(next);
        return answer;
      },
    },
  },
  "sequences.update-only-named": {
    "second-rename-makes-active": {
      ModifyCustomer: afterwards((state, call) => {
        const customer = customerIn(state, call);
        if (timesOf(state, "renamed", customer.id) === 2) customer.type = "active";
      }),
    },
    "rename-drops-other-name": {
      ModifyCustomer: afterwards((state, call) => {
        const customer = customerIn(state, call);
        customer.firstName = textIn(bodyOf(call), "firstName");
        customer.lastName = textIn(bodyOf(call), "lastName");
      }),
    },
  },
  "sequences.shown-as-given": {
    "names-swapped": {
      AddTestingCustomer(_, call, handle) {
        const { firstName, lastName, ...body } = bodyOf(call);
        return handle({ body: { ...body, firstName: lastName, lastName: firstName } });
      },
    },
    "place-of-consumer-not-stored": {
      ModifyConsumer(_, call, handle) {
        const { city: _city, state: _state, zip: _zip, ...body } = bodyOf(call);
        return handle({ body });
      },
    },
  },
  "sequences.untouched-stays": {
    "refused-customer-renames": {
      async AddTestingCustomer(state, call, handle) {
        const known = namesake(state, call);
        if (known !== undefined) known.firstName = textIn(bodyOf(call), "firstName") ?? "Nobody";
        return handle();
      },
    },
    "rename-hits-newest-too": {
      ModifyCustomer: afterwards((state, call) => {
        const last = newest(state.customers.of(partnerOf(state, call).id));
        if (last !== undefined) last.firstName = customerIn(state, call).firstName;
      }),
    },
    "third-read-cuts-last-name": {
      async GetCustomer(state, call, handle) {
        const customer = customerIn(state, call);
        if (timesOf(state, "read", customer.id) === 3)
          customer.lastName = (customer.lastName ?? "").slice(0, 1);
        return handle();
      },
    },
  },
  "sequences.lists-agree": {
    "list-shows-newest-only": {
      GetCustomers: listing("customers", (items, state, call) => {
        const last = newest(state.customers.of(partnerOf(state, call).id));
        return items.filter(({ id }) => id === last?.id);
      }),
    },
    "list-shows-names-of-creation": {
      AddTestingCustomer: remembersAdded,
      GetCustomers: listing("customers", (items, state) =>
        items.map((item) => {
          const { firstName = item.firstName } = added(state).get(String(item.id)) ?? {};
          return { ...item, firstName };
        }),
      ),
    },
  },
  "consumer.persists-after-customer-deletion": {
    "deletion-among-several-takes-consumer": {
      async DeleteCustomer(state, call, handle) {
        const { id } = customerIn(state, call);
        const { consumerOf, consumers } = state.customers;
        const answer = await handle();
        const consumer = consumerOf.get(id);
        if (consumer !== undefined && consumers.size > 1) consumers.delete(consumer.id);
        return answer;
      },
    },
  },
};

const ownConsumer = (state: State, call: Call): Consumer | undefined =>
  state.customers.consumerOf.get(customerIn(state, call).id);

/** The consumers' fields before the first change. */
const originals = perState(() => new Map<string, Consumer["fields"]>());

export const CONSUMER_STATEFUL_FAULTS: StatefulFaultTable = {
  "CreateConsumer.409-exists": {
    "consumer-race": {
      CreateConsumer: looksFirst((state, call) => ownConsumer(state, call) === undefined, "consumers-twice"),
    },
  },
  "ModifyConsumer.unspecified-unchanged": {
    "second-change-undoes-first": {
      ModifyConsumer(state, call, handle) {
        const consumer = consumerIn(state, call);
        const original = originals(state).get(consumer.id) ?? consumer.fields;
        originals(state).set(consumer.id, original);
        consumer.fields = original;
        return handle();
      },
    },
  },
  "sequences.untouched-stays": {
    "refused-consumer-overwrites": { CreateConsumer: overwriting(ownConsumer) },
    "second-consumer-overwrites-first": {
      CreateConsumer: overwriting((state, call) =>
        ownConsumer(state, call) === undefined ? newest(state.customers.consumers.values()) : undefined,
      ),
    },
  },
  "sequences.lists-agree": {
    "consumer-of-customer-stale": { GetConsumerForCustomer: answersAsBefore },
  },
};

const ownBusiness = (state: State, call: Call): Business | undefined =>
  state.customers.businessOf.get(customerIn(state, call).id);

export const BUSINESS_STATEFUL_FAULTS: StatefulFaultTable = {
  "businesses.one-per-customer": {
    "business-race": {
      AddBusinessDetails: looksFirst(
        (state, call) => ownBusiness(state, call) === undefined,
        "businesses-twice",
      ),
    },
  },
  "sequences.untouched-stays": {
    "refused-business-overwrites": { AddBusinessDetails: overwriting(ownBusiness) },
  },
  "sequences.lists-agree": { "business-of-customer-stale": { GetBusinessByCustomer: answersAsBefore } },
};
