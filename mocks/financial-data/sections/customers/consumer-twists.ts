/** How the consumer and the business of a customer can go wrong over several calls. */

import { newest } from "../../../engine/faults/twists.ts";
import { consumerIn, customerIn } from "../../found.ts";
import { answersAsBefore, looksFirst, overwriting, type TwistTable } from "../../twists.ts";
import type { Consumer } from "../../world/customer.ts";
import { perWorld } from "../../world/store.ts";

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

export const DELETION_TWISTS: TwistTable = {
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
