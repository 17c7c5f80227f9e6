/** Wrong clients of financial data: what is on the wire, and what they leave undone. */
import { header } from "../../habits.ts";
import type { WrongClient } from "../../setting.ts";
import { customerOf, type Habits } from "../client.ts";
import * as deeds from "../deed-scenes.ts";
import * as scenes from "../scenes.ts";
import { browsing, query, type Scene, wrong } from "./wrong-client.ts";

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

/** Reads after these pauses, in minutes. */
const afterPauses =
  (...pauses: readonly number[]): Scene =>
  async (own) => {
    for (const minutes of pauses) {
      await own.setting.clock.sleep(minutes * 60);
      await scenes.browse(own, 1);
    }
  };

const FOREVER = { renewAfter: Number.POSITIVE_INFINITY };

/** Reads a report twice, and ends. */
const givingUp: Scene = async (own) => {
  await scenes.newConsumer(own, customerOf(own));
  await scenes.report(own, customerOf(own), { ...scenes.POLLING, most: 2 });
};

/** Creates a customer, in bodies of another form. */
const inForm = (name: string, form: (body: string) => string | Buffer): WrongClient =>
  wrong(name, "customers.add.request-body", newCustomerWith({ lastName: "Médow" }), [], {
    request: ({ body, ...sending }) => ({ ...sending, ...(body && { body: form(String(body)) }) }),
  });

/** Sends a secret as a field of a new customer. */
const ofCustomer = (name: string, field: object): WrongClient => wrong(name, PLACES, newCustomerWith(field));

const browsingWith = (name: string, requirement: string, request: Habits["request"]): WrongClient =>
  wrong(name, requirement, browsing(2), [], { request });

export const wire: readonly WrongClient[] = [
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
  wrong("the app key in the body", PLACES, async (own) => {
    await newCustomerWith({ origin: own.setting.environment.FINANCIAL_DATA_APP_KEY })(own);
  }),
  wrong("the social security number of a consumer as text of a search", URLS, async (own) => {
    await scenes.newConsumer(own, customerOf(own));
    await own.call("GET", "/aggregation/v1/customers", {
      query: { search: scenes.CONSUMER.ssn, limit: "5" },
    });
  }),
  wrong("indicators under the FCRA without a purpose", PURPOSE, async (own) => {
    await scenes.newConsumer(own, customerOf(own));
    await deeds.indicators(own, "fcra-payment-success-indicators");
  }),
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
  wrong("a reissue without a purpose", "ReportReissue.purpose-required-by-2026-04-30", (own) =>
    own.call("POST", "/decisioning/v1/reports/report-1/partners", { body: { name: "Harbour Loans" } }),
  ),
  wrong("polling given up after two reads", "reports.poll-while-inProgress", givingUp, ["report-succeeds"]),
  wrong("micro deposits that nobody verifies", "microentry.verify-both", async (own) => {
    await deeds.initiateDeposits(own);
    await scenes.browse(own, 4);
  }),
  wrong(
    "all customers, as far as one answer goes",
    "caller.further-pages-read",
    (own) => own.call("GET", "/aggregation/v1/customers"),
    ["page-three"],
  ),
  wrong("all institutions, as far as one answer goes", "caller.further-pages-read", async (own) => {
    await own.call("GET", "/institution/v2/institutions");
    await scenes.browse(own, 3);
  }),
  wrong("pages of institutions by their number", PAGES, (own) => deeds.institutions(own, [1, 2, 3])),
  wrong("transactions in milliseconds", UNIT, async (own) => {
    await scenes.accounts(own);
    await deeds.transactions(own, 1);
  }),
  wrong("a window that ends before it begins", "caller.dates-in-order", (own) =>
    deeds.transactions(own, 1_000, -30),
  ),
  wrong("a report in milliseconds", UNIT, async (own) => {
    const { customerId } = await scenes.accounts(own);
    await scenes.newConsumer(own, customerId);
    const fromDate = (await own.setting.clock.now()) - 30 * 86_400_000;
    await own.call("POST", `/decisioning/v2/customers/${customerId}/voa`, { body: { fromDate } });
  }),
  wrong("a token at 100 and at 110 minutes", RENEWED, afterPauses(0, 50, 50, 10), [], FOREVER),
];
