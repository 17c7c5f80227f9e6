/** Businesses: at most one per customer. Deleting the customer deletes its business. */
import { instantOf } from "../../../engine/values/units.ts";
import { existing, jsonSchemaOf, refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { bodyOf, customerIn, owned, pathValue } from "../../found.ts";
import type { Section } from "../../section.ts";
import { addBusiness } from "../../seed-data.ts";
import type { Business } from "../../state/customer.ts";
import type { State } from "../../state/state.ts";
import { BUSINESS_STATEFUL_FAULTS } from "./customer-stateful-faults.ts";

const businessIn = (state: State, call: Call): Business =>
  owned(state, call, state.customers.businesses.get(pathValue(call, "businessId")), "unknown-business");

/** Returns the business, as a list of one if the contract demands a list. */
const answer = (state: State, call: Call, business: Business) => {
  const { id, customerId, fields, created, modified } = business;
  const known = {
    ...fields,
    businessId: id,
    id,
    customerId,
    createdDate: localTime(created),
    modifiedDate: localTime(modified),
  };
  const schema = jsonSchemaOf(call.operation, 200) ?? {};
  const listed = call.validators.flatten(schema, undefined).items !== undefined;
  return success(state, call, listed ? [known] : known, { key: id, made: "required" });
};

const localTime = (seconds: number): string => instantOf(seconds).slice(0, 19);

export const businesses: Section = {
  handlers: {
    AddBusinessDetails(state, call) {
      const customer = customerIn(state, call);
      if (state.customers.businessOf.has(customer.id) && !call.faulty("businesses-twice"))
        throw refused("business-exists");
      return answer(state, call, addBusiness(state, customer, bodyOf(call)));
    },
    GetBusinessByCustomer(state, call) {
      const customer = customerIn(state, call);
      const business = state.customers.businessOf.get(customer.id);
      return answer(state, call, existing(business, "no-business"));
    },
    UpdateBusiness(state, call) {
      const business = businessIn(state, call);
      const { taxId } = business.fields;
      business.fields = call.differs("tax-id-fixed") ? { ...bodyOf(call), taxId } : bodyOf(call);
      business.modified = state.seconds();
      return answer(state, call, business);
    },
    GetBusinessById: (state, call) => answer(state, call, businessIn(state, call)),
  },
  statefulFaults: [BUSINESS_STATEFUL_FAULTS],
};
