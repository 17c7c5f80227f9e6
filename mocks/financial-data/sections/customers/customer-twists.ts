/** How customers, their consumers and businesses can go wrong over several calls, each of which looks right by itself. */

import { newest } from "../../../engine/faults/twists.ts";
import type { Call } from "../../faults.ts";
import { bodyOf, consumerIn, customerIn, partnerOf, pathValue, textIn } from "../../found.ts";
import {
  afterwards,
  answersAsBefore,
  listing,
  looksFirst,
  overwriting,
  type Twist,
  type TwistTable,
  timesOf,
} from "../../twists.ts";
import type { Consumer, Customer } from "../../world/customer.ts";
import { perWorld, type World } from "../../world/world.ts";

const namesake = (world: World, call: Call): Customer | undefined =>
  world.customers.findByUsername(partnerOf(world, call).id, textIn(bodyOf(call), "username") ?? "");

/** As they were added, deleted ones too. */
const added = perWorld(() => new Map<string, Customer>());

const remembersAdded = afterwards((world, call) => {
  const customer = namesake(world, call);
  if (customer !== undefined) added(world).set(customer.id, { ...customer });
});

const returnsAfterNext: Twist = (world, call, handle) => {
  const id = pathValue(call, "customerId");
  const gone = world.customers.find(id) === undefined ? added(world).get(id) : undefined;
  if (gone === undefined || newest(added(world).keys()) === id) return handle();
  const { username, type, firstName, lastName, created } = gone;
  return { status: 200, json: { id, username, type, firstName, lastName, createdDate: String(created) } };
};

export const CUSTOMER_TWISTS: TwistTable = {
  "AddTestingCustomer.409-exists": {
    "customer-race": {
      AddTestingCustomer: looksFirst((world, call) => namesake(world, call) === undefined, "customers-twice"),
    },
  },
  "DeleteCustomer.removes-customer": {
    "deleted-returns-after-next-add": { AddTestingCustomer: remembersAdded, GetCustomer: returnsAfterNext },
  },
  "sequences.created-readable": {
    "deletion-takes-next-customer": {
      async DeleteCustomer(world, call, handle) {
        const all = [...world.customers.of(partnerOf(world, call).id)];
        const next = all[all.indexOf(customerIn(world, call)) + 1];
        const answer = await handle();
        if (next !== undefined) world.customers.remove(next);
        return answer;
      },
    },
  },
  "sequences.update-only-named": {
    "second-rename-makes-active": {
      ModifyCustomer: afterwards((world, call) => {
        const customer = customerIn(world, call);
        if (timesOf(world, "renamed", customer.id) === 2) customer.type = "active";
      }),
    },
    "rename-drops-other-name": {
      ModifyCustomer: afterwards((world, call) => {
        const customer = customerIn(world, call);
        customer.firstName = textIn(bodyOf(call), "firstName");
        customer.lastName = textIn(bodyOf(call), "lastName");
      }),
    },
  },
  "sequences.untouched-stays": {
    "refused-customer-renames": {
      async AddTestingCustomer(world, call, handle) {
        const known = namesake(world, call);
        if (known !== undefined) known.firstName = textIn(bodyOf(call), "firstName") ?? "Nobody";
        return handle();
      },
    },
    "rename-hits-newest-too": {
      ModifyCustomer: afterwards((world, call) => {
        const last = newest(world.customers.of(partnerOf(world, call).id));
        if (last !== undefined) last.firstName = customerIn(world, call).firstName;
      }),
    },
    "third-read-cuts-last-name": {
      async GetCustomer(world, call, handle) {
        const customer = customerIn(world, call);
        if (timesOf(world, "read", customer.id) === 3)
          customer.lastName = (customer.lastName ?? "").slice(0, 1);
        return handle();
      },
    },
  },
  "sequences.lists-agree": {
    "list-shows-newest-only": {
      GetCustomers: listing("customers", (items, world, call) => {
        const last = newest(world.customers.of(partnerOf(world, call).id));
        return items.filter(({ id }) => id === last?.id);
      }),
    },
    "list-shows-names-of-creation": {
      AddTestingCustomer: remembersAdded,
      GetCustomers: listing("customers", (items, world) =>
        items.map((item) => {
          const { firstName = item.firstName } = added(world).get(String(item.id)) ?? {};
          return { ...item, firstName };
        }),
      ),
    },
  },
  "consumer.persists-after-customer-deletion": {
    "deletion-among-several-takes-consumer": {
      async DeleteCustomer(world, call, handle) {
        const { id } = customerIn(world, call);
        const { consumerOf, consumers } = world.customers;
        const answer = await handle();
        const consumer = consumerOf.get(id);
        if (consumer !== undefined && consumers.size > 1) consumers.delete(consumer.id);
        return answer;
      },
    },
  },
};

/** As they were when they were first changed. */
const originals = perWorld(() => new Map<string, Consumer["fields"]>());

export const CONSUMER_TWISTS: TwistTable = {
  "CreateConsumer.409-exists": {
    "consumer-race": {
      CreateConsumer: looksFirst(
        (world, call) => !world.customers.consumerOf.has(customerIn(world, call).id),
        "consumers-twice",
      ),
    },
  },
  "ModifyConsumer.unspecified-unchanged": {
    "second-change-undoes-first": {
      ModifyConsumer(world, call, handle) {
        const consumer = consumerIn(world, call);
        const original = originals(world).get(consumer.id) ?? consumer.fields;
        originals(world).set(consumer.id, original);
        consumer.fields = original;
        return handle();
      },
    },
  },
  "sequences.untouched-stays": {
    "refused-consumer-overwrites": {
      CreateConsumer: overwriting((world, call) =>
        world.customers.consumerOf.get(customerIn(world, call).id),
      ),
    },
    "second-consumer-overwrites-first": {
      CreateConsumer: overwriting((world, call) =>
        world.customers.consumerOf.has(customerIn(world, call).id)
          ? undefined
          : newest(world.customers.consumers.values()),
      ),
    },
  },
  "sequences.lists-agree": {
    "consumer-of-customer-stale": { GetConsumerForCustomer: answersAsBefore },
  },
};

export const BUSINESS_TWISTS: TwistTable = {
  "businesses.one-per-customer": {
    "business-race": {
      AddBusinessDetails: looksFirst(
        (world, call) => !world.customers.businessOf.has(customerIn(world, call).id),
        "businesses-twice",
      ),
    },
  },
  "sequences.untouched-stays": {
    "refused-business-overwrites": {
      AddBusinessDetails: overwriting((world, call) =>
        world.customers.businessOf.get(customerIn(world, call).id),
      ),
    },
  },
  "sequences.lists-agree": { "business-of-customer-stale": { GetBusinessByCustomer: answersAsBefore } },
};
