/** Consumers: the subjects of reports. A customer has at most one, which remains after the customer is deleted. */
import type { Answer } from "../../../engine/call.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { existing, refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { bodyOf, consumerIn, customerIn } from "../../found.ts";
import { afterwards } from "../../late.ts";
import type { Section } from "../../section.ts";
import { addConsumer } from "../../seed-data.ts";
import type { Consumer } from "../../state/customer.ts";
import type { State } from "../../state/state.ts";
import { CONSUMER_STATEFUL_FAULTS } from "./customer-stateful-faults.ts";

const answer = (state: State, call: Call, consumer: Consumer): Answer =>
  success(state, call, fieldsOf(consumer), { key: consumer.id, made: "required" });

/** Returns the consumer's fields, with only the last four digits of the social security number. */
const fieldsOf = ({ id, customerId, created, fields }: Consumer): Fields => ({
  email: `consumer-${id}@example.com`,
  ...fields,
  ...(fields.ssn !== undefined && { ssn: String(fields.ssn).slice(-4) }),
  id,
  customerId,
  createdDate: created,
});

/** Seconds until a new customer is known to all parts of a late service. */
const KNOWN = 1.5;

export const consumers: Section = {
  handlers: {
    CreateConsumer(state, call) {
      const customer = customerIn(state, call);
      const age = state.clock.now().getTime() / 1000 - customer.created;
      if (call.differs("customers-known-late") && age < KNOWN) throw refused("unknown-customer");
      if (state.customers.consumerOf.has(customer.id) && !call.faulty("consumers-twice"))
        throw refused("consumer-exists");
      const { id, created: createdDate } = addConsumer(state, customer, bodyOf(call));
      return success(state, call, { id, customerId: customer.id, createdDate }, { key: id });
    },
    GetConsumerForCustomer(state, call) {
      const consumer = state.customers.consumerOf.get(customerIn(state, call).id);
      return answer(state, call, existing(consumer, "no-consumer"));
    },
    GetConsumer: (state, call) => answer(state, call, consumerIn(state, call)),
    ModifyConsumer(state, call) {
      const consumer = consumerIn(state, call);
      const changed = bodyOf(call);
      afterwards(state, call.differs("late-changes"), () => {
        consumer.fields = call.faulty("consumers-modify-replaces")
          ? changed
          : { ...consumer.fields, ...changed };
      });
      return success(state, call);
    },
  },
  statefulFaults: [CONSUMER_STATEFUL_FAULTS],
};
