/** Wrong clients of financial data: what the service refuses, by a rule of the document or for another reason. */
import { header } from "../../habits.ts";
import type { WrongClient } from "../../setting.ts";
import { customerOf } from "../client.ts";
import * as deeds from "../deed-scenes.ts";
import * as scenes from "../scenes.ts";
import { again, oneRequest, wrong } from "./wrong-client.ts";

const ACCEPTED = "caller.requests-accepted";

export const limits: readonly WrongClient[] = [
  wrong(
    "transactions of 30 months in a report",
    "GenerateTransactionsReport.window-24-months",
    async (own) => {
      await scenes.newConsumer(own, customerOf(own));
      await deeds.transactionsReport(own, 913);
    },
  ),
  wrong("a listener on port 8080", "txpush.listener-ports-80-443", (own) => deeds.subscribe(own, ":8080")),
  wrong("a second business", "businesses.one-per-customer", async (own) => {
    const customerId = await scenes.newCustomer(own);
    await again(2, (_, time) => deeds.addBusiness(own, customerId, `Harbour Lamps ${time}`))(own);
  }),
  wrong("30 statements at once", "GetCustomerAccountMultipleStatement.up-to-24", (own) =>
    deeds.statementDetails(own, 30),
  ),
  wrong("one micro amount twice", "microentry.verify-both", (own) =>
    // The amounts that arrived may be equal by chance.
    deeds.verifyDeposits(own, [0.99, 0.99]),
  ),
  wrong("bills of 60 days", "getResellerBillingReport.range-max-31-days", (own) => deeds.billing(own, 60)),
  wrong(
    "a payment history without a business",
    "GeneratePaymentHistoryReport.business-required",
    async (own) => {
      const customerId = await scenes.newCustomer(own);
      const path = `/decisioning/customers/${customerId}/reports/payment-history/userTypes/business`;
      await own.call("POST", path, { body: { analyticsReportData: { forCraPurpose: false } } });
    },
  ),
  wrong("a new secret of 8 characters", "auth.secret.min-length-12", (own) =>
    own.call("PUT", "/aggregation/v2/partners/authentication", {
      body: {
        partnerId: own.setting.environment.FINANCIAL_DATA_PARTNER_ID,
        partnerSecret: own.setting.environment.FINANCIAL_DATA_PARTNER_SECRET,
        newPartnerSecret: "Abc4efg8",
      },
    }),
  ),
  wrong(
    "1001 transactions to enrich",
    "enrichTransactions.batch-max-1000",
    oneRequest("POST", "/data-enrichment/transactions", {
      transactions: Array.from({ length: 1001 }, (_, at) => ({
        externalCustomerId: "customer-1",
        externalAccountId: "account-1",
        externalTransactionId: `transaction-${at}`,
        accountType: "checking",
        transactionTimestamp: "2026-01-02T03:04:05Z",
        description: "PAPER & PEN 22",
        amount: -12.5,
      })),
    }),
  ),
  wrong("an owner match without a name", "AccountMatchingScoreDetails.name-required", async (own) =>
    own.call("POST", `/account-owner-verification-matchings/${await deeds.accountPath(own)}`, {
      body: { phone: "8015550100" },
    }),
  ),
  wrong(
    "the key as a JSON object",
    "auth.header.Partner-App-Key",
    oneRequest("GET", "/institution/v2/institutions"),
    [],
    { request: header("partner-app-key", '{"key":"a1b2c3d4"}') },
  ),
  wrong("a change of a customer to nothing, again and again", ACCEPTED, async (own) => {
    const customerId = await scenes.newCustomer(own);
    await again(3, () => own.call("PUT", `/aggregation/v1/customers/${customerId}`, { body: {} }))(own);
  }),
  wrong("one refused log-in, and no other", ACCEPTED, (own) => scenes.browse(own, 1), [], {
    logInAttempts: 1,
    secret: () => "not-the-secret-1",
  }),
  wrong(
    "a short routing number, again and again",
    ACCEPTED,
    again(3, (own) => own.call("GET", "/institution/v1/institutions/routingNumber/12345")),
  ),
  wrong("applications of an unknown kind, at the end", ACCEPTED, async (own) => {
    await scenes.browse(own, 2);
    await own.call("GET", "/applications", { query: { start: "first" } });
  }),
  wrong(
    "amounts that never fit",
    ACCEPTED,
    again(3, (own, time) => deeds.verifyDeposits(own, [0.98, 0.9 + time / 100])),
  ),
];
