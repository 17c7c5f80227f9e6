/** A new customer without accounts, whatever the target links to those that are arranged. */
import type { TrialContext } from "../../helpers/trials/trial.ts";
import { identifierIn, taken, validCall } from "./asking.ts";

const RESOURCES = { AddTestingCustomer: "customer", AddCustomer: "active-customer" } as const;

export const newCustomer = async (
  context: TrialContext,
  operationId: keyof typeof RESOURCES,
): Promise<string> => {
  const call = await validCall(context, operationId, context.arrange.apart());
  return identifierIn(context, await taken(context, call), RESOURCES[operationId]);
};
