/** Customers, each with a consumer and a business: they are created once, updated and deleted. */
import { id } from "../../../fixtures/financial-data/ids.ts";
import type { T } from "../../../fixtures/financial-data/trial.ts";
import type { Action, Command, Model, Query } from "../../../helpers/sequences/model.ts";
import { alive, byName, isDue, type ModelResource } from "../../../helpers/sequences/model-resources.ts";
import {
  changing,
  deleting,
  emptyResourceModel,
  fewer,
  has,
  making,
  queryList,
  queryResource,
  type ResourceModel,
  removing,
} from "../../../helpers/sequences/resource-model.ts";
import { type Caller, callerFor, jsonOf } from "../../../helpers/sequences/sequence-calls.ts";
import { type Call, withFields } from "../../../helpers/trials/kit/language.ts";
import {
  type CustomerPart,
  changingPart,
  forgetBusiness,
  GIVE,
  giving,
  OTHERS_STAY,
  only,
  ownersOf,
  PERSISTS,
  partAlone,
  partOfCustomer,
  SECOND,
  several,
  someOf,
  withoutPart,
} from "./customer-parts.ts";
import { LISTS_AGREE, PROMISES, READABLE, sequenceTrial } from "./sequences.ts";

const TAKEN = id("AddTestingCustomer.409-exists");
const REMOVED = id("DeleteCustomer.removes-customer");
const KIND_STAYS = id("customers.kind-fixed-at-creation");

const ADD = "AddTestingCustomer";

const modelOf = (t: T): Model<ResourceModel> => {
  const calls = callerFor(t);
  let sequences = 0;
  return {
    start: () => {
      sequences += 1;
      return emptyResourceModel();
    },
    commands: [
      {
        name: "add a customer",
        when: fewer("customer", 5),
        call: async ({ made }, { seed }) => {
          const call = await calls.of(ADD, {}, seed);
          const names = only(jsonOf(await calls.of("CreateConsumer", {}, seed)), ["firstName", "lastName"]);
          const username = `${jsonOf(call).username}-${sequences}-${made.customer ?? 0}`;
          return adding(calls, withFields(call, { ...names, username }));
        },
      },
      {
        name: "add a customer whose username is in use",
        when: has("customer"),
        call: async ({ resources }, { seed, pick }) => {
          const { username } = pick(alive(resources, "customer")).given;
          return adding(calls, withFields(await calls.of(ADD, {}, seed), { username }));
        },
      },
      renaming(calls, "rename the newest customer", (customers) => customers.slice(-1)),
      renaming(calls, "rename an older customer", (customers) => customers.slice(0, -1)),
      {
        name: "delete a customer",
        operationId: "DeleteCustomer",
        removes: true,
        when: several,
        call: async ({ resources }, { pick }) => {
          const owners = ownersOf(resources, "consumer");
          const customer = pick(owners.length > 0 ? owners : alive(resources, "customer"));
          const call = await calls.of("DeleteCustomer", customer.ids);
          return deleting(call, customer, forgetBusiness(customer));
        },
      },
      ...(["consumer", "business"] as const).flatMap((part) => [
        giving(calls, part, `create a ${part}`, (state) => withoutPart(state, part)),
        giving(calls, part, `create a second ${part}`, ({ resources }) => ownersOf(resources, part)),
      ]),
      changingPart(calls, "consumer", someOf),
      // A call replaces the whole business.
      changingPart(calls, "business", (fields) => fields),
    ],
    races: ["add a customer", "create a consumer", "create a business"].map((name) => ({
      commands: [name, name],
      same: true,
    })),
    queries: ({ resources }) => resources.flatMap((resource) => queriesFor(t, calls, resource)),
    leave: removing(calls, { customer: "DeleteCustomer" }),
  };
};

/** @param among selects the customers from which one is renamed */
const renaming = (
  calls: Caller,
  name: string,
  among: (customers: readonly ModelResource[]) => readonly ModelResource[],
): Command<ResourceModel> => ({
  name,
  when: several,
  call: async ({ resources }, draw) => {
    const customer = draw.pick(among(alive(resources, "customer")));
    const names = draw.value([["firstName"], ["lastName"], ["firstName", "lastName"]]);
    const json = only(jsonOf(await calls.of("CreateConsumer", {}, draw.seed)), names);
    return changing({ ...(await calls.of("ModifyCustomer", customer.ids)), json }, customer, json);
  },
});

const adding = (calls: Caller, call: Call): Action<ResourceModel> => {
  const { username } = jsonOf(call);
  const namesake = (resources: readonly ModelResource[]) =>
    alive(resources, "customer").find(({ given }) => given.username === username);
  const conflict = { requirement: TAKEN, with: namesake };
  return making(calls, call, { kind: "customer", possible: READABLE, conflict });
};

const queriesFor = (t: T, calls: Caller, resource: ModelResource): Query<ResourceModel>[] =>
  resource.kind === "customer"
    ? [customerAlone(calls, resource), customerInList(t, calls, resource)]
    : [
        partAlone(calls, resource, resource.kind as CustomerPart),
        partOfCustomer(calls, resource, resource.kind as CustomerPart),
      ];

const customerAlone = (calls: Caller, customer: ModelResource): Query<ResourceModel> => {
  const promises = { ...PROMISES, gone: REMOVED };
  return queryResource(
    customer,
    () => calls.of("GetCustomer", customer.ids),
    promises,
    ({ resource, before }, note) => {
      if (before?.type === undefined) return;
      note(KIND_STAYS, resource.shown?.type === before.type, {
        message: `${resource.name} has changed to another kind`,
        expected: String(before.type),
        actual: String(resource.shown?.type),
      });
    },
  );
};

const customerInList = (t: T, calls: Caller, customer: ModelResource): Query<ResourceModel> => {
  const { name, given } = customer;
  return queryList(t, {
    name: `the customers with the username of ${name}`,
    due: isDue(customer),
    kind: "customer",
    call: async () => ({ ...(await calls.of("GetCustomers")), query: { username: String(given.username) } }),
    holds: ({ resources }) => {
      const resource = byName(resources, name);
      return resource.gone ? { shown: [], hidden: [resource] } : { shown: [resource], hidden: [] };
    },
    shows: LISTS_AGREE,
    hides: REMOVED,
  });
};

export const customerSequences = sequenceTrial<ResourceModel>(
  {
    name: "customers",
    title: "customers, consumers and businesses are as the calls left them",
    section: "Customers",
    operations: [
      ADD,
      "GetCustomers",
      "GetCustomer",
      "ModifyCustomer",
      "DeleteCustomer",
      ...Object.values(GIVE),
    ],
    requirements: [
      TAKEN,
      ...Object.values(SECOND),
      REMOVED,
      KIND_STAYS,
      PERSISTS,
      OTHERS_STAY,
      LISTS_AGREE,
      READABLE,
      PROMISES.given,
      PROMISES.unnamed,
      PROMISES.untouched,
    ],
  },
  (t, walk) => walk({ model: modelOf(t), steps: 28, sequences: 4 }),
);
