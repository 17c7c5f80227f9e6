/** The consumer and the business of a customer: one of each, updates in part or whole, and the deleted customer. */
import { id } from "../../../fixtures/financial-data/ids.ts";
import type { Json } from "../../../helpers/contract/json.ts";
import { isAccepted } from "../../../helpers/exchange/exchange.ts";
import type { Draw } from "../../../helpers/sequences/draw.ts";
import type { Command, Query } from "../../../helpers/sequences/model.ts";
import {
  alive,
  byName,
  isDue,
  judgeAgrees,
  type ModelResource,
} from "../../../helpers/sequences/model-resources.ts";
import {
  changing,
  making,
  queryResource,
  type ResourceModel,
} from "../../../helpers/sequences/resource-model.ts";
import { type Caller, jsonOf } from "../../../helpers/sequences/sequence-calls.ts";
import { LISTS_AGREE, PROMISES, READABLE } from "./sequences.ts";

export type CustomerPart = "consumer" | "business";
export const SECOND = {
  consumer: id("CreateConsumer.409-exists"),
  business: id("businesses.one-per-customer"),
};
export const PERSISTS = id("consumer.persists-after-customer-deletion");
export const OTHERS_STAY = id("ModifyConsumer.unspecified-unchanged");
export const GIVE = { consumer: "CreateConsumer", business: "AddBusinessDetails" };
const CHANGE = { consumer: "ModifyConsumer", business: "UpdateBusiness" };
const READ = { consumer: "GetConsumer", business: "GetBusinessById" };
const READ_BY_CUSTOMER = { consumer: "GetConsumerForCustomer", business: "GetBusinessByCustomer" };

/** Whether there is a second customer that a call could change by mistake. */
export const several = ({ resources }: ResourceModel): boolean => alive(resources, "customer").length > 1;

/** Creates a consumer or a business for a customer, who may have one of each. */
export const giving = (
  calls: Caller,
  kind: CustomerPart,
  name: string,
  customers: (state: ResourceModel) => readonly ModelResource[],
): Command<ResourceModel> => ({
  name,
  when: (state) => customers(state).length > 0,
  call: async (state, { seed, pick }) => {
    const { ids } = pick(customers(state));
    const first = (resources: readonly ModelResource[]) =>
      alive(resources, kind).find((resource) => resource.ids.customer === ids.customer);
    const conflict = { requirement: SECOND[kind], with: first };
    return making(calls, await calls.of(GIVE[kind], ids, seed), { kind, ids, conflict, possible: READABLE });
  },
});

export const changingPart = (
  calls: Caller,
  kind: CustomerPart,
  chosen: (fields: Json, draw: Draw) => Json,
): Command<ResourceModel> => ({
  name: `change a ${kind}`,
  when: ({ resources }) => owned(resources, kind).length > 0,
  call: async ({ resources }, draw) => {
    const resource = draw.pick(owned(resources, kind));
    const call = await calls.of(CHANGE[kind], resource.ids);
    const json = chosen(jsonOf(await calls.of(GIVE[kind], resource.ids, draw.seed)), draw);
    return changing({ ...call, json }, resource, json, kind === "business");
  },
});

/** Chooses one or two fields. */
export const someOf = (fields: Json, { value }: Draw): Json =>
  only(fields, [value(Object.keys(fields)), value(Object.keys(fields))]);

export const only = (fields: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, fields[name]]));

/** Returns the parts whose customer still exists. */
const owned = (resources: readonly ModelResource[], kind: CustomerPart): ModelResource[] => {
  const customers = alive(resources, "customer").map(({ ids }) => ids.customer);
  return alive(resources, kind).filter(({ ids }) => customers.includes(ids.customer));
};

export const ownersOf = (resources: readonly ModelResource[], kind: CustomerPart): ModelResource[] => {
  const customers = owned(resources, kind).map(({ ids }) => ids.customer);
  return alive(resources, "customer").filter(({ ids }) => customers.includes(ids.customer));
};

export const withoutPart = (state: ResourceModel, kind: CustomerPart): ModelResource[] => {
  const owners = ownersOf(state.resources, kind);
  return several(state) ? alive(state.resources, "customer").filter((one) => !owners.includes(one)) : [];
};

/** Removes a deleted customer's business from the model. Only a consumer is documented to remain. */
export const forgetBusiness =
  (customer: ModelResource) =>
  ({ resources }: ResourceModel): void => {
    const at = resources.findIndex(
      ({ kind, ids }) => kind === "business" && ids.customer === customer.ids.customer,
    );
    if (at >= 0) resources.splice(at, 1);
  };

export const partAlone = (calls: Caller, part: ModelResource, kind: CustomerPart): Query<ResourceModel> =>
  queryResource(
    part,
    () => calls.of(READ[kind], part.ids),
    ({ resources }) => ({
      ...PROMISES,
      unnamed: kind === "consumer" ? OTHERS_STAY : PROMISES.unnamed,
      readable: owned(resources, kind).some(({ name }) => name === part.name) ? READABLE : PERSISTS,
    }),
  );

/** Reads a part by its customer. A consumer whose customer was deleted is skipped. */
export const partOfCustomer = (
  calls: Caller,
  part: ModelResource,
  kind: CustomerPart,
): Query<ResourceModel> => ({
  name: `${part.name} of its customer`,
  due: isDue(part),
  call: async () => ({
    call: await calls.of(READ_BY_CUSTOMER[kind], part.ids),
    expect: ({ resources }, exchange, note) => {
      const resource = byName(resources, part.name);
      const { json } = exchange.response ?? {};
      if (!owned(resources, kind).includes(resource) || !isAccepted(exchange)) return;
      judgeAgrees(resource, Array.isArray(json) ? json[0] : json, exchange, LISTS_AGREE, note);
    },
  }),
});
