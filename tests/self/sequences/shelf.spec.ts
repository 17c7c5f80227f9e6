/**
 * Lists that are checked against the resources that a model has created. Only a complete list fails for a missing
 * resource.
 */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import type { Action } from "../../../helpers/sequences/model.ts";
import { newModelResource } from "../../../helpers/sequences/model-resources.ts";
import { queryList, type ResourceModel } from "../../../helpers/sequences/resource-model.ts";
import { speaking } from "../../../helpers/trials/kit/language.ts";
import type { TrialContext } from "../../../helpers/trials/trial.ts";

const contract = await loadContract("financial-data");
const KIND = "customer";
const LIST = "GetCustomers";
const LIMIT = 2;

/** Returns the violations of a list of these identifiers that must contain `one` and `another`. */
const blamesOn = async (listed: readonly string[]): Promise<string[]> => {
  const t = speaking({ contract, bindings: {} } as unknown as TrialContext);
  const resources = ["one", "another"].map((id, index) => newModelResource(KIND, index + 1, { [KIND]: id }));
  const query = queryList<ResourceModel>(t, {
    name: "all customers",
    kind: KIND,
    call: async () => ({ operationId: LIST, query: { limit: LIMIT } }),
    limit: LIMIT,
    holds: () => ({ shown: resources, hidden: [] }),
    shows: "shows",
    hides: "hides",
  });
  const json = { customers: listed.map((id) => ({ id })) };
  const exchange = { operationId: LIST, response: { status: 200, json } } as unknown as Exchange;
  const blames: string[] = [];
  const asked = (await query.call()) as Extract<Action<ResourceModel>, { call: unknown }>;
  await asked.expect({ resources, made: {} }, exchange, (requirement, holds, { message }) => {
    if (!holds) blames.push(`${requirement}: ${message}`);
  });
  return blames;
};

test("a list shorter than the requested limit must contain every resource", async () => {
  expect(await blamesOn(["one"])).toEqual([`shows: ${LIST} does not list ${KIND} 2`]);
});

test("a list as long as the requested limit may be one page of several", async () => {
  expect(await blamesOn(["one", "one of another client"])).toEqual([]);
});
