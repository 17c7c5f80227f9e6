/** Consumers: whom reports are about. One a customer, whom it outlives. */

import type { Answer } from "../../../engine/service.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { existing, refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { bodyOf, consumerIn, customerIn } from "../../found.ts";
import { addConsumer } from "../../furnish.ts";
import type { Section } from "../../section.ts";
import type { Consumer } from "../../world/customer.ts";
import type { World } from "../../world/world.ts";
import { CONSUMER_TWISTS } from "./customer-twists.ts";

const answer = (world: World, call: Call, consumer: Consumer): Answer =>
  success(world, call, fieldsOf(consumer), { key: consumer.id, made: "required" });

/** Of the social security number only the last four digits are given out. */
const fieldsOf = ({ id, customerId, created, fields }: Consumer): Fields => ({
  email: `consumer-${id}@example.com`,
  ...fields,
  ...(fields.ssn !== undefined && { ssn: String(fields.ssn).slice(-4) }),
  id,
  customerId,
  createdDate: created,
});

export const consumers: Section = {
  handlers: {
    CreateConsumer(world, call) {
      const customer = customerIn(world, call);
      if (world.customers.consumerOf.has(customer.id) && !call.bent("consumers-twice"))
        throw refused("consumer-exists");
      const { id, created: createdDate } = addConsumer(world, customer, bodyOf(call));
      return success(world, call, { id, customerId: customer.id, createdDate }, { key: id });
    },
    GetConsumerForCustomer(world, call) {
      const consumer = world.customers.consumerOf.get(customerIn(world, call).id);
      return answer(world, call, existing(consumer, "no-consumer"));
    },
    GetConsumer: (world, call) => answer(world, call, consumerIn(world, call)),
    ModifyConsumer(world, call) {
      const consumer = consumerIn(world, call);
      const changed = bodyOf(call);
      consumer.fields = call.bent("consumers-modify-replaces") ? changed : { ...consumer.fields, ...changed };
      return success(world, call);
    },
  },
  twists: [CONSUMER_TWISTS],
};
