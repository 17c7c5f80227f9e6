/** The consumer and the business of a customer: one of each, updates in part or whole, and the deleted customer. */

import {
  changing,
  making,
  queryResource,
  type ResourceModel,
} from "../../../fixtures/engine/resource-model.ts";
import { type Caller, jsonOf } from "../../../fixtures/engine/sequence-calls.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
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
import { LISTS_AGREE, PROMISES, READABLE } from "./sequences.ts";

export type Part = "consumer" | "business";
type Fields = Readonly<Record<string, unknown>>;

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
export const several = ({ things }: ResourceModel): boolean => alive(things, "customer").length > 1;

/** Creates a consumer or a business for a customer, who may have one of each. */
export const giving = (
  calls: Caller,
  kind: Part,
  name: string,
  customers: (state: ResourceModel) => readonly ModelResource[],
): Command<ResourceModel> => ({
  name,
  when: (state) => customers(state).length > 0,
  call: async (state, { seed, pick }) => {
    const { ids } = pick(customers(state));
    const first = (things: readonly ModelResource[]) =>
      alive(things, kind).find((thing) => thing.ids.customer === ids.customer);
    const conflict = { requirement: SECOND[kind], with: first };
    return making(calls, await calls.of(GIVE[kind], ids, seed), { kind, ids, conflict, possible: READABLE });
  },
});

export const changingPart = (
  calls: Caller,
  kind: Part,
  chosen: (fields: Fields, draw: Draw) => Fields,
): Command<ResourceModel> => ({
  name: `change a ${kind}`,
  when: ({ things }) => owned(things, kind).length > 0,
  call: async ({ things }, draw) => {
    const thing = draw.pick(owned(things, kind));
    const call = await calls.of(CHANGE[kind], thing.ids);
    const json = chosen(jsonOf(await calls.of(GIVE[kind], thing.ids, draw.seed)), draw);
    return changing({ ...call, json }, thing, json, kind === "business");
  },
});

/** Chooses one or two fields. */
export const someOf = (fields: Fields, { value }: Draw): Fields =>
  only(fields, [value(Object.keys(fields)), value(Object.keys(fields))]);

export const only = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name]]));

/** Returns the parts whose customer still exists. */
const owned = (things: readonly ModelResource[], kind: Part): ModelResource[] => {
  const customers = alive(things, "customer").map(({ ids }) => ids.customer);
  return alive(things, kind).filter(({ ids }) => customers.includes(ids.customer));
};

export const ownersOf = (things: readonly ModelResource[], kind: Part): ModelResource[] => {
  const customers = owned(things, kind).map(({ ids }) => ids.customer);
  return alive(things, "customer").filter(({ ids }) => customers.includes(ids.customer));
};

export const withoutPart = (state: ResourceModel, kind: Part): ModelResource[] => {
  const owners = ownersOf(state.things, kind);
  return several(state) ? alive(state.things, "customer").filter((one) => !owners.includes(one)) : [];
};

/** Removes a deleted customer's business from the model. Only a consumer is documented to remain. */
export const forgetBusiness =
  (customer: ModelResource) =>
  ({ things }: ResourceModel): void => {
    const at = things.findIndex(
      ({ kind, ids }) => kind === "business" && ids.customer === customer.ids.customer,
    );
    if (at >= 0) things.splice(at, 1);
  };

export const partAlone = (calls: Caller, part: ModelResource, kind: Part): Query<ResourceModel> =>
  queryResource(
    part,
    () => calls.of(READ[kind], part.ids),
    ({ things }) => ({
      ...PROMISES,
      unnamed: kind === "consumer" ? OTHERS_STAY : PROMISES.unnamed,
      readable: owned(things, kind).some(({ name }) => name === part.name) ? READABLE : PERSISTS,
    }),
  );

/** Reads a part by its customer. A consumer whose customer was deleted is skipped. */
export const partOfCustomer = (calls: Caller, part: ModelResource, kind: Part): Query<ResourceModel> => ({
  name: `${part.name} of its customer`,
  due: isDue(part),
  call: async () => ({
    call: await calls.of(READ_BY_CUSTOMER[kind], part.ids),
    expect: ({ things }, exchange, note) => {
      const thing = byName(things, part.name);
      const { json } = exchange.response ?? {};
      if (!owned(things, kind).includes(thing) || !isAccepted(exchange)) return;
      judgeAgrees(thing, Array.isArray(json) ? json[0] : json, exchange, LISTS_AGREE, note);
    },
  }),
});
