/** Wrong clients of financial data: what is on the wire, and what they leave undone. */
import type { WrongClient } from "../../../callers/setting.ts";
import { customerOf, type Habits } from "../client.ts";
import * as deeds from "../deed-scenes.ts";
import * as scenes from "../scenes.ts";
import { browsing, type Scene, wrongClient } from "./wrong-client.ts";

const PLACES = "caller.secrets-in-their-places";
const URLS = "caller.no-secret-in-url";
const PURPOSE = "caller.purpose-stated";
const UNIT = "caller.dates-in-the-unit-of-the-service";
const PAGES = "caller.pages-by-number-of-item";
const RENEWED = "auth.token-renewed-after-90-minutes";

const newCustomerWith =
  (more: object): Scene =>
  (own) =>
    scenes.newCustomer(own, { ...more });

const withHeader = (name: string, value: string): { readonly habits: Partial<Habits> } => ({
  habits: { request: (sending) => ({ ...sending, headers: { ...sending.headers, [name]: value } }) },
});

const withQuery = (text: string): { readonly habits: Partial<Habits> } => ({
  habits: {
    request: (sending) =>
      sending.url.includes("/institution/") ? { ...sending, url: `${sending.url}?${text}` } : sending,
  },
});

/** Reads at these ages of the token, in minutes. */
const atAges =
  (...ages: readonly number[]): Scene =>
  async (own) => {
    await scenes.browse(own, 1);
    let now = 0;
    for (const age of ages) {
      await own.setting.clock.sleep((age - now) * 60);
      now = age;
      await scenes.browse(own, 1);
    }
  };

const FOREVER = { habits: { renewAfter: Number.POSITIVE_INFINITY } };

/** Reads a report until it gives up, and ends. */
const givingUp =
  (most: number): Scene =>
  async (own) => {
    await scenes.newConsumer(own, customerOf(own));
    await scenes.report(own, customerOf(own), { ...scenes.POLLING, most });
  };

export const wire: readonly WrongClient[] = [
  wrongClient("the social security number of a customer", PLACES, newCustomerWith({ ssn: "999601111" })),
  wrongClient(
    "a social security number in the application",
    PLACES,
    newCustomerWith({ data: { socialSecurityNumber: "999-60-1111" } }),
  ),
  wrongClient(
    "the partner secret in a new customer",
    PLACES,
    newCustomerWith({ partnerSecret: "Abcd1234Efgh" }),
  ),
  wrongClient("a card number in a new customer", PLACES, newCustomerWith({ cardNumber: "5555341244441115" })),
  wrongClient(
    "the partner secret in a header",
    PLACES,
    browsing(2),
    withHeader("x-partner-secret", "Abcd1234Efgh"),
  ),
  wrongClient(
    "a social security number in a header",
    PLACES,
    browsing(2),
    withHeader("x-consumer-ssn", "999601111"),
  ),
  wrongClient("a social security number in the URL", URLS, browsing(2), withQuery("ssn=999601111")),
  wrongClient("the app key in the body", PLACES, async (own) => {
    await newCustomerWith({ origin: own.setting.environment.FINANCIAL_DATA_APP_KEY })(own);
  }),
  wrongClient("the social security number of a consumer as text of a search", URLS, async (own) => {
    await scenes.newConsumer(own, customerOf(own));
    await own.call("GET", "/aggregation/v1/customers", {
      query: { search: scenes.CONSUMER.ssn, limit: "5" },
    });
  }),
  wrongClient("a card number in the URL", URLS, browsing(2), withQuery("cardNumber=5555341244441115")),
  wrongClient("indicators under the FCRA without a purpose", PURPOSE, async (own) => {
    await scenes.newConsumer(own, customerOf(own));
    await deeds.indicators(own, "fcra-payment-success-indicators");
  }),
  wrongClient("a purpose of the FCRA without its variant", PURPOSE, (own) =>
    deeds.indicators(own, "payment-success-indicators", { purpose: "31" }),
  ),
  wrongClient("the run of one variant read as the other", PURPOSE, async (own) => {
    const id = await deeds.indicators(own, "payment-success-indicators");
    await own.call("GET", `/payments/${await deeds.accountPath(own)}/fcra-payment-success-indicators/${id}`);
  }),
  wrongClient("earlier indicators without a purpose code", PURPOSE, async (own) => {
    const path = `/aggregation/v1/${await deeds.accountPath(own)}/payments/paymentIndicator/fcra`;
    await own.call("GET", path, { query: { settlementAmount: "12.5", settleByDate: "2027-01-15" } });
  }),
  wrongClient("a reissue without a purpose", "ReportReissue.purpose-required-by-2026-04-30", (own) =>
    own.call("POST", "/decisioning/v1/reports/report-1/partners", { body: { name: "Harbour Loans" } }),
  ),
  wrongClient("polling given up after two reads", "reports.poll-while-inProgress", givingUp(2), {
    exercises: ["report-succeeds"],
  }),
  wrongClient("micro deposits that nobody verifies", "microentry.verify-both", async (own) => {
    await deeds.initiateDeposits(own);
    await scenes.browse(own, 4);
  }),
  wrongClient(
    "all customers, as far as one answer goes",
    "caller.further-pages-read",
    (own) => own.call("GET", "/aggregation/v1/customers"),
    { exercises: ["page-three"] },
  ),
  wrongClient("all institutions, as far as one answer goes", "caller.further-pages-read", async (own) => {
    await own.call("GET", "/institution/v2/institutions");
    await scenes.browse(own, 3);
  }),
  wrongClient("pages of institutions by their number", PAGES, (own) => deeds.institutions(own, [1, 2, 3])),
  wrongClient("transactions in milliseconds", UNIT, async (own) => {
    await scenes.accounts(own);
    await deeds.transactions(own, 1);
  }),
  wrongClient("a report in milliseconds", UNIT, async (own) => {
    const { customerId } = await scenes.accounts(own);
    await scenes.newConsumer(own, customerId);
    const fromDate = (await own.setting.clock.now()) - 30 * 86_400_000;
    await own.call("POST", `/decisioning/v2/customers/${customerId}/voa`, { body: { fromDate } });
  }),
  wrongClient("a token at 100 and at 110 minutes", RENEWED, atAges(50, 100, 110), FOREVER),
];
