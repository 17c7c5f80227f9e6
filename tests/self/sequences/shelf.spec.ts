/** Lists that models hold against what they have made: what is missing is blamed on a whole list only. */
import { expect, test } from "@playwright/test";
import { queryList, type ResourceModel } from "../../../fixtures/engine/resource-model.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import type { Action } from "../../../helpers/sequences/model.ts";
import { newModelResource } from "../../../helpers/sequences/model-resources.ts";
import type { TrialContext } from "../../../helpers/trials/trial.ts";

const contract = await loadContract("financial-data");
const KIND = "customer";
const LIST = "GetCustomers";
const LIMIT = 2;

/** What is held against a list of these identifiers where `one` and `another` have to be in it. */
const blamesOn = async (listed: readonly string[]): Promise<string[]> => {
  const context = { contract, bindings: {} } as unknown as TrialContext;
  const things = ["one", "another"].map((id, index) => newModelResource(KIND, index + 1, { [KIND]: id }));
  const look = queryList<ResourceModel>(context, {
    name: "all customers",
    kind: KIND,
    call: async () => ({ operationId: LIST, query: { limit: LIMIT } }),
    limit: LIMIT,
    holds: () => ({ shown: things, hidden: [] }),
    shows: "shows",
    hides: "hides",
  });
  const json = { customers: listed.map((id) => ({ id })) };
  const exchange = { operationId: LIST, response: { status: 200, json } } as unknown as Exchange;
  const blames: string[] = [];
  const asked = (await look.call()) as Extract<Action<ResourceModel>, { call: unknown }>;
  await asked.expect({ things, made: {} }, exchange, (requirement, holds, { message }) => {
    if (!holds) blames.push(`${requirement}: ${message}`);
  });
  return blames;
};

test("a list with fewer than the call asks for has to hold everything", async () => {
  expect(await blamesOn(["one"])).toEqual([`shows: ${LIST} does not list ${KIND} 2`]);
});

test("a list with as many as the call asks for may be a page of more", async () => {
  expect(await blamesOn(["one", "a stranger's"])).toEqual([]);
});
