/** Businesses: one a customer, gone with it. */

import { instantOf } from "../../../engine/values/units.ts";
import { existing, jsonSchemaOf, refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { bodyOf, customerIn, owned, pathValue } from "../../found.ts";
import { addBusiness } from "../../furnish.ts";
import type { Section } from "../../section.ts";
import type { Business } from "../../world/customer.ts";
import type { World } from "../../world/world.ts";
import { BUSINESS_TWISTS } from "./customer-twists.ts";

const businessIn = (world: World, call: Call): Business =>
  owned(world, call, world.customers.businesses.get(pathValue(call, "businessId")), "unknown-business");

/** A list of one where the contract has a list. */
const answer = (world: World, call: Call, business: Business) => {
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
  return success(world, call, listed ? [known] : known, { key: id, made: "required" });
};

const localTime = (seconds: number): string => instantOf(seconds).slice(0, 19);

export const businesses: Section = {
  handlers: {
    AddBusinessDetails(world, call) {
      const customer = customerIn(world, call);
      if (world.customers.businessOf.has(customer.id) && !call.bent("businesses-twice"))
        throw refused("business-exists");
      return answer(world, call, addBusiness(world, customer, bodyOf(call)));
    },
    GetBusinessByCustomer(world, call) {
      const customer = customerIn(world, call);
      const business = world.customers.businessOf.get(customer.id);
      return answer(world, call, existing(business, "no-business"));
    },
    UpdateBusiness(world, call) {
      const business = businessIn(world, call);
      business.fields = bodyOf(call);
      business.modified = world.seconds();
      return answer(world, call, business);
    },
    GetBusinessById: (world, call) => answer(world, call, businessIn(world, call)),
  },
  twists: [BUSINESS_TWISTS],
};
