/** Deletion of customers: immediate, with all dependents except the consumer, which keeps its reports. */
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../../helpers/flows/delivery.ts";
import type { Arranger } from "../../../helpers/trials/arrange.ts";
import { because, ifPossible, NotTried } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Customers");
const REMOVES = "DeleteCustomer.removes-customer";
const REMOVED = [REMOVES, "DeleteCustomer.no-confirmation"];
const ACCOUNTS_REMOVED = "DeleteCustomer.removes-linked-accounts";
const PERSISTS = "consumer.persists-after-customer-deletion";
/** The status for a deleted resource is 404. Other refusals are not documented. */
const GONE = [404, 400, 403, 410];

/** Refusals that say that there is no such resource. */
const ABSENT: readonly number[] = [404, 410];

export const customerDeletionScenarios = [
  scenario("customers/deleted", {
    title: "deleting a customer removes it and its accounts",
    operations: ["DeleteCustomer", "GetCustomer", "GetCustomerAccounts"],
    requirements: [...REMOVED, ACCOUNTS_REMOVED],
    async run(t) {
      const arrange = t.arrange.exclusive();
      // A customer with accounts, if there is one.
      await arrange.get("account");
      const path = { customerId: await arrange.need("customer") };
      const before = await t.acceptanceOf({ operationId: "GetCustomer", path });
      const accounts = await accountsOf(t, arrange);
      const looks = await t.looksAt("customer", { customer: path.customerId }, before);
      const deletion = await t.acceptanceOf({ operationId: "DeleteCustomer", path });
      const after = await t.readUntil(
        () => t.answerTo({ operationId: "GetCustomer", path }),
        (exchange) => !isAccepted(exchange),
      );
      for (const requirement of REMOVED)
        t.judgeRefused(requirement, "a customer that was deleted", [after, before], GONE);
      await t.judgeGone(REMOVES, looks, deletion);
      if (accounts instanceof NotTried) throw accounts;
      const call = { operationId: "GetCustomerAccount", path: { ...path, accountId: accounts.accountId } };
      const showsAccount = (exchange: Exchange): boolean =>
        isAccepted(exchange) && holdsValue(contentOf(exchange), accounts.accountId);
      for (const read of [call, { operationId: "GetCustomerAccounts", path }]) {
        const exchange = await t.readUntil(
          () => t.answerTo(read),
          (one) => !showsAccount(one),
        );
        const empty = isAccepted(exchange) && !showsAccount(exchange);
        const pair = [exchange, accounts.exchange] as const;
        if (!empty) t.judgeRefused(ACCOUNTS_REMOVED, "a customer that was deleted", pair, GONE);
      }
    },
  }),

  scenario("customers/consumer-survives", {
    title: "a consumer and its reports remain after its customer is deleted",
    section: "Resources and their fields",
    operations: ["DeleteCustomer", "GetConsumer", "GetReportsByConsumerId"],
    requirements: [PERSISTS],
    async run(t) {
      const arrange = t.arrange.exclusive();
      await arrange.get("account");
      const customerId = await arrange.need("customer");
      const consumer = { operationId: "GetConsumer", path: { consumerId: await arrange.need("consumer") } };
      const before = await t.acceptanceOf(consumer);
      // A report needs accounts and the permission for billable calls; without them only the consumer is checked.
      const report = await ifPossible(() => t.accepted("GenerateVOAReport", arrange));
      await t.acceptanceOf({ operationId: "DeleteCustomer", path: { customerId } });
      const after = await t.answerTo(consumer);
      if (!isAccepted(after) && !ABSENT.includes(statusOf(after)))
        throw new NotTried("answered", "GetConsumer", `${statusOf(after)}`);
      t.judgeThat(PERSISTS, isAccepted(after), [after, before], {
        message: "the consumer was deleted with its customer",
        expected: "the consumer",
      });
      if (report instanceof NotTried) return;
      const reportId = t.identifierIn(report, "report");
      const isListed = (exchange: Exchange): boolean =>
        isAccepted(exchange) && t.listsResource(exchange, "report", reportId);
      const reports = await t.readUntil(
        () => t.answerTo({ operationId: "GetReportsByConsumerId", path: consumer.path }),
        isListed,
      );
      t.assertAccepted(reports);
      t.judgeThat(PERSISTS, isListed(reports), [reports, after], {
        message: "a report of the consumer was deleted with its customer",
        expected: "the report among those of the consumer",
        actual: `${statusOf(reports)} without it`,
      });
    },
  }),
];

interface Linked {
  readonly accountId: string;
  readonly exchange: Exchange;
}

/** Returns an account of the customer, or why there is none. */
const accountsOf = async (t: T, arrange: Arranger): Promise<Linked | NotTried> => {
  const account = await arrange.get("account");
  if (!("value" in account)) {
    const reason = "missing" in account ? account.missing : account.failed;
    return new NotTried("lacks-resource", "linked accounts", reason);
  }
  const path = { customerId: await arrange.need("customer"), accountId: account.value };
  const exchange = await t.answerTo({ operationId: "GetCustomerAccount", path });
  return isAccepted(exchange)
    ? { accountId: account.value, exchange }
    : new NotTried(
        "lacks-resource",
        "linked accounts",
        because("refused", "GetCustomerAccount", "one", statusOf(exchange)),
      );
};
