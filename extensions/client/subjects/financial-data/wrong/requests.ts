/** Wrong clients of financial data: what they send, and what the service refuses. */
import { header, inTurn } from "../../habits.ts";
import type { WrongClient } from "../../setting.ts";
import { type Client, customerOf, type Habits, wrong } from "../client.ts";
import * as deeds from "../deed-scenes.ts";
import * as scenes from "../scenes.ts";
import { again, browsing, oneRequest, pausing, query, type Scene } from "../scenes.ts";

const ACCEPTED = "caller.requests-accepted";

const ofConsumer = (scene: Scene): Scene => inTurn<Client>(scenes.newConsumer, scene);

const TRANSACTION = {
  externalCustomerId: "customer-1",
  externalAccountId: "account-1",
  accountType: "checking",
  transactionTimestamp: "2026-01-02T03:04:05Z",
  description: "PAPER & PEN 22",
  amount: -12.5,
};

const limits: readonly WrongClient[] = [
  wrong(
    "transactions of 30 months in a report",
    "GenerateTransactionsReport.window-24-months",
    ofConsumer((own) => deeds.transactionsReport(own, 913)),
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
        ...TRANSACTION,
        externalTransactionId: `transaction-${at}`,
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
  wrong("one refused log-in, and no other", ACCEPTED, browsing(1), [], {
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

const PLACES = "caller.secrets-in-their-places";
const URLS = "caller.no-secret-in-url";
const PURPOSE = "caller.purpose-stated";
const UNIT = "caller.dates-in-the-unit-of-the-service";
const READS = "reports.poll-while-inProgress";
const PAGES = "caller.further-pages-read";
const RENEWED = "auth.token-renewed-after-90-minutes";

const newCustomerWith =
  (more: object): Scene =>
  (own) =>
    scenes.newCustomer(own, { ...more });

/** Reads after these pauses, in minutes. */
const afterPauses = (...pauses: readonly number[]): Scene =>
  inTurn(...pauses.flatMap((minutes) => [pausing(minutes * 60), browsing(1)]));

const FOREVER = { renewAfter: Number.POSITIVE_INFINITY };

/** Creates a customer, in bodies of another form. */
const inForm = (name: string, form: (body: string) => string | Buffer): WrongClient =>
  wrong(name, "customers.add.request-body", newCustomerWith({ lastName: "Médow" }), [], {
    request: ({ body, ...sending }) => ({ ...sending, ...(body && { body: form(String(body)) }) }),
  });

/** Sends a secret as a field of a new customer. */
const ofCustomer = (name: string, field: object): WrongClient => wrong(name, PLACES, newCustomerWith(field));

const browsingWith = (name: string, requirement: string, request: Habits["request"]): WrongClient =>
  wrong(name, requirement, browsing(2), [], { request });

const wire: readonly WrongClient[] = [
  ofCustomer("the social security number of a customer", { ssn: "999601111" }),
  ofCustomer("a social security number in the application", {
    data: { socialSecurityNumber: "999-60-1111" },
  }),
  ofCustomer("the partner secret in a new customer", { partnerSecret: "Abcd1234Efgh" }),
  ofCustomer("a card number in a new customer", { cardNumber: "5555341244441115" }),
  inForm("bodies in Latin-1", (body) => Buffer.from(body, "latin1")),
  inForm("bodies with a byte order mark", (body) => `\uFEFF${body}`),
  inForm("a last name twice", (body) => body.replace(/}$/, ',"lastName":"M"}')),
  browsingWith("the partner secret in a header", PLACES, header("x-partner-secret", "Abcd1234Efgh")),
  browsingWith("a social security number in a header", PLACES, header("x-consumer-ssn", "999601111")),
  browsingWith("a social security number in the URL", URLS, query("ssn=999601111")),
  browsingWith("a card number in the URL", URLS, query("cardNumber=5555341244441115")),
  browsingWith("the app key as Basic", PLACES, (sending) => {
    const key = sending.headers["partner-app-key"];
    return header("authorization", `Basic ${btoa(`partner:${key}`)}`)(sending);
  }),
  wrong("the app key in the body", PLACES, (own) =>
    scenes.newCustomer(own, { origin: own.setting.environment.FINANCIAL_DATA_APP_KEY }),
  ),
  wrong(
    "the social security number of a consumer as text of a search",
    URLS,
    ofConsumer((own) =>
      own.call("GET", "/aggregation/v1/customers", { query: { search: scenes.CONSUMER.ssn, limit: "5" } }),
    ),
  ),
  wrong(
    "indicators under the FCRA without a purpose",
    PURPOSE,
    ofConsumer((own) => deeds.indicators(own, "fcra-payment-success-indicators")),
  ),
  wrong("a purpose of the FCRA without its variant", PURPOSE, (own) =>
    deeds.indicators(own, "payment-success-indicators", { purpose: "31" }),
  ),
  wrong("the run of one variant read as the other", PURPOSE, async (own) => {
    const id = await deeds.indicators(own, "payment-success-indicators");
    await own.call("GET", `/payments/${await deeds.accountPath(own)}/fcra-payment-success-indicators/${id}`);
  }),
  wrong("earlier indicators without a purpose code", PURPOSE, async (own) => {
    const path = `/aggregation/v1/${await deeds.accountPath(own)}/payments/paymentIndicator/fcra`;
    await own.call("GET", path, { query: { settlementAmount: "12.5", settleByDate: "2027-01-15" } });
  }),
  wrong(
    "a reissue without a purpose",
    "ReportReissue.purpose-required-by-2026-04-30",
    oneRequest("POST", "/decisioning/v1/reports/report-1/partners", { name: "Harbour Loans" }),
  ),
  // It reads a report twice, and ends.
  wrong("polling given up after two reads", READS, (own) => scenes.reportOfConsumer(own, { most: 2 }), [
    "report-succeeds",
  ]),
  wrong(
    "micro deposits that nobody verifies",
    "microentry.verify-both",
    inTurn<Client>(deeds.initiateDeposits, browsing(4)),
  ),
  wrong("all customers, as far as one answer goes", PAGES, oneRequest("GET", "/aggregation/v1/customers"), [
    "page-three",
  ]),
  wrong(
    "all institutions, as far as one answer goes",
    PAGES,
    inTurn(oneRequest("GET", "/institution/v2/institutions"), browsing(3)),
  ),
  wrong("pages of institutions by their number", "caller.pages-by-number-of-item", (own) =>
    deeds.institutions(own, [1, 2, 3]),
  ),
  wrong(
    "transactions in milliseconds",
    UNIT,
    inTurn<Client>(scenes.accounts, (own) => deeds.transactions(own, 1)),
  ),
  wrong("a window that ends before it begins", "caller.dates-in-order", (own) =>
    deeds.transactions(own, 1_000, -30),
  ),
  wrong("a report in milliseconds", UNIT, async (own) => {
    await scenes.accounts(own);
    await scenes.newConsumer(own);
    const fromDate = (await own.setting.clock.now()) - 30 * 86_400_000;
    await own.call("POST", `/decisioning/v2/customers/${customerOf(own)}/voa`, { body: { fromDate } });
  }),
  wrong("a token at 100 and at 110 minutes", RENEWED, afterPauses(0, 50, 50, 10), [], FOREVER),
];

export const requests = [...limits, ...wire];
