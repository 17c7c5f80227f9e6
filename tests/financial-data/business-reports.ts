/** Reports of a business: whether their answers describe it. */
import type { T } from "../../fixtures/financial-data/trial.ts";
import { contentOf, isAccepted } from "../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../helpers/flows/delivery.ts";

/** Asks for reports of a business with an address. @returns whether the answers show the address, by operation */
export const addressesShown = async (t: T, customer: string): Promise<Readonly<Record<string, string>>> => {
  const added = await t.answered("AddBusinessDetails", { customer }, { fields: { address: ADDRESS } });
  const business = isAccepted(added) ? t.identifierAt(added, "business") : undefined;
  if (business === undefined) return {};
  const shown: Record<string, string> = {};
  for (const operationId of OF_BUSINESSES) {
    const resources = { customer, consumer: "none", business };
    const call = await t.generationCall({ operationId }, resources);
    const path = call.path?.userType === undefined ? call.path : { ...call.path, userType: "business" };
    const ack = await t.answerTo({ ...call, ...(path && { path }) });
    if (!isAccepted(ack)) continue;
    const holds = holdsValue(contentOf(ack), ADDRESS.addressLine1);
    shown[`the address of the business in ${operationId}`] = holds ? "shown" : "not shown";
  }
  return shown;
};

/** Reports whose answers may describe the business. */
const OF_BUSINESSES = [
  "GenerateBalanceAnalyticsReport",
  "GenerateCashflowAnalyticsReport",
  "GenerateCashFlowBusinessReport",
  "GeneratePaymentHistoryReport",
];

const ADDRESS = {
  addressLine1: "12 Quarry Lane",
  city: "Springfield",
  state: "UT",
  country: "US",
  postalCode: "84101",
};
