/** Customers deleted: at once, with all that hangs on them but the consumer, who goes on to own its reports. */

import {
  answerTo,
  identifierIn,
  judgeRefused,
  judgeThat,
  taken,
  validCall,
} from "../../../fixtures/financial-data/asking.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import type { Arranger } from "../../../helpers/trials/arrange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Customers";
/** The status for what is gone is 404; what else a refusal may say of it is open. */
const GONE = [404, 400, 403, 410];

export const customerDeletionScenarios: readonly Trial[] = [
  scenario(
    {
      id: "customers/deleted",
      title: "a deleted customer is gone at once, and so are its accounts",
      section: SECTION,
      operations: ["DeleteCustomer", "GetCustomer", "GetCustomerAccounts"],
      requirements: [
        "DeleteCustomer.removes-customer",
        "DeleteCustomer.no-confirmation",
        "DeleteCustomer.removes-linked-accounts",
      ],
    },
    async (context) => {
      const arrange = context.arrange.apart();
      const path = { customerId: await arrange.need("customer") };
      const before = await taken(context, { operationId: "GetCustomer", path });
      const accounts = await accountsOf(context, arrange);
      await taken(context, { operationId: "DeleteCustomer", path });
      const after = await answerTo(context, { operationId: "GetCustomer", path });
      for (const requirement of ["DeleteCustomer.removes-customer", "DeleteCustomer.no-confirmation"]) {
        judgeRefused(context, requirement, "a customer that was deleted", [after, before], GONE);
      }
      if (accounts === undefined)
        throw new NotTried("needs linked accounts: the target links none to a new customer");
      const list = await answerTo(context, { operationId: "GetCustomerAccounts", path });
      const call = { operationId: "GetCustomerAccount", path: { ...path, accountId: accounts.accountId } };
      const account = await answerTo(context, call);
      for (const exchange of [account, list]) {
        const empty = isAccepted(exchange) && !holdsValue(exchange.response?.json, accounts.accountId);
        if (empty) continue;
        const pair = [exchange, accounts.exchange] as const;
        judgeRefused(
          context,
          "DeleteCustomer.removes-linked-accounts",
          "a customer that was deleted",
          pair,
          GONE,
        );
      }
    },
  ),

  scenario(
    {
      id: "customers/consumer-survives",
      title: "a consumer outlives its customer, and its reports are still its own",
      section: "Resources and their fields",
      operations: ["DeleteCustomer", "GetConsumer", "GetReportsByConsumerId"],
      requirements: ["consumer.persists-after-customer-deletion"],
    },
    async (context) => {
      const requirement = "consumer.persists-after-customer-deletion";
      const arrange = context.arrange.apart();
      const customerId = await arrange.need("customer");
      const consumer = { operationId: "GetConsumer", path: { consumerId: await arrange.need("consumer") } };
      const before = await taken(context, consumer);
      const reportId = await reportFor(context, arrange);
      await taken(context, { operationId: "DeleteCustomer", path: { customerId } });
      const after = await answerTo(context, consumer);
      judgeThat(context, requirement, isAccepted(after), [after, before], {
        message: "the consumer is gone with its customer",
        expected: "the consumer",
        actual: `${statusOf(after)}`,
      });
      if (reportId === undefined) return;
      const reports = await answerTo(context, { operationId: "GetReportsByConsumerId", path: consumer.path });
      judgeThat(context, requirement, holdsValue(reports.response?.json, reportId), [reports, after], {
        message: "a report of the consumer is gone with its customer",
        expected: "the report among those of the consumer",
        actual: `${statusOf(reports)} without it`,
      });
    },
  ),
];

interface Linked {
  readonly accountId: string;
  readonly exchange: Exchange;
}

const accountsOf = async (context: TrialContext, arrange: Arranger): Promise<Linked | undefined> => {
  const account = await arrange.get("account");
  if (!("value" in account)) return undefined;
  const path = { customerId: await arrange.need("customer"), accountId: account.value };
  const exchange = await answerTo(context, { operationId: "GetCustomerAccount", path });
  return isAccepted(exchange) ? { accountId: account.value, exchange } : undefined;
};

/** A report costs money, and accounts to report on: without either the consumer alone is looked at. */
const reportFor = async (context: TrialContext, arrange: Arranger): Promise<string | undefined> => {
  try {
    const exchange = await taken(context, await validCall(context, "GenerateVOAReport", arrange));
    return identifierIn(context, exchange, "report");
  } catch (error) {
    if (!(error instanceof NotTried)) throw error;
    return undefined;
  }
};
