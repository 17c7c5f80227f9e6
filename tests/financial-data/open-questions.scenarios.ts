/** Questions that the document leaves open: observed once and shown in the certificate, without a verdict. */
import { dateIn, OF_ACCOUNT } from "../../fixtures/financial-data/listed-transactions.ts";
import { LOG_IN, PROBE } from "../../fixtures/financial-data/signing-in.ts";
import { scenariosIn, type T } from "../../fixtures/financial-data/trial.ts";
import { atPointer } from "../../helpers/contract/pointer.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../helpers/flows/delivery.ts";
import { fieldOf, type Resources } from "../../helpers/trials/kit/language.ts";
import type { Trial } from "../../helpers/trials/trial.ts";
import { addressesShown } from "./business-reports.ts";

const scenario = scenariosIn("Open questions");

interface Question {
  /** Subject of the gap. */
  readonly subject: string;
  /** The operation that the question is about comes first. */
  readonly operations: readonly [string, ...string[]];
  /** Returns what was tried, and what happened. */
  ask(t: T): Promise<Readonly<Record<string, string>>>;
}

const METRICS = "GenerateSBCAMetricsReport";
const BALANCES = "GenerateBalanceAnalyticsReport";
const PREQUALIFICATION = "GeneratePrequalificationNonCRAReport";
const LOAN = "GetLoanPaymentDetails";
const ADD = "AddTestingCustomer";
const READ = "GetCustomer";
const MODIFY = "ModifyCustomer";

/** Fewer transactions of an account may lack what others have. */
const ENOUGH = 10;
const MOST_ACCOUNTS = 6;

const status = (exchange: Exchange): string => String(statusOf(exchange));

const newCustomer = async (t: T): Promise<Resources> => ({
  customer: t.identifierAt(await t.answered(ADD), "customer") ?? "",
  consumer: "none",
  business: "none",
});

const QUESTIONS: readonly Question[] = [
  {
    subject: "effect of a new token or secret on older tokens",
    operations: [LOG_IN, PROBE],
    async ask(t) {
      const partner = await t.secondPartner();
      const older = await t.workingToken(partner);
      const newer = await t.workingToken(partner);
      const second = older === newer ? "the same token" : "another token";
      t.judge.observe("who renews the token", LOG_IN, `a second log-in: ${second}`);
      const probe = await t.answerTo({ ...t.withToken(older), judged: false });
      return { "an older token": status(probe) };
    },
  },
  {
    subject: "which reports need a consumer",
    operations: [METRICS],
    ask: async (t) => ({
      "SBCA metrics without a consumer": status(
        await t.generationOf(
          { operationId: METRICS },
          { ...(await t.situationIfOffered("location")), ...(await newCustomer(t)) },
        ),
      ),
    }),
  },
  {
    subject: "consumer or business by userType",
    operations: [BALANCES],
    async ask(t) {
      const bare = await newCustomer(t);
      await t.capabilities.linkAccounts?.(bare.customer ?? "");
      const call = await t.generationCall({ operationId: BALANCES }, bare);
      const exchange = await t.answerTo({ ...call, path: { ...call.path, userType: "personal" } });
      return {
        "a user type without its consumer": status(exchange),
        ...(await addressesShown(t, bare.customer ?? "")),
      };
    },
  },
  {
    subject: "eligible accounts for prequalification and 400 cause",
    operations: [PREQUALIFICATION],
    async ask(t) {
      const arrange = t.arrange.exclusive();
      const account = await arrange.need("account", { types: ["mortgage"] });
      const generation = { operationId: PREQUALIFICATION, fields: { accountIds: account } };
      const own = { ...t, arrange };
      const exchange = await own.generationOf(generation);
      return { "an account of another type": status(exchange) };
    },
  },
  {
    subject: "unsupported account types",
    operations: [LOAN],
    async ask(t) {
      const account = (await t.accountsOf()).accounts.find(({ type }) => type === "checking");
      return account === undefined
        ? {}
        : { "loan details of a checking account": status(await t.answered(LOAN, account.resources)) };
    },
  },
  {
    subject: "GetAllExperience app name",
    operations: ["GetAllExperience"],
    async ask(t) {
      const appName = "No Such App";
      const exchange = await t.answered("GetAllExperience", {}, { parameters: { appName } });
      const isOwn = holdsValue(contentOf(exchange), appName);
      return { "another app name": isAccepted(exchange) ? (isOwn ? "its own" : "others") : status(exchange) };
    },
  },
  {
    subject: "203 on owner details v3",
    operations: ["GetAccountOwnerDetails"],
    async ask(t) {
      const challenged = await t.situationIfOffered("mfa-account");
      if (challenged === undefined) return {};
      return { "a challenged account": status(await t.answered("GetAccountOwnerDetails", challenged)) };
    },
  },
  {
    subject: "report statuses over time",
    operations: ["GetReportByCustomer", "GenerateVOAReport"],
    async ask(t) {
      const own = { ...t, arrange: t.arrange.exclusive() };
      const customer = await own.arrange.need("customer");
      const ack = await own.generationOf({ operationId: "GenerateVOAReport" }, { customer });
      const report = t.identifierAt(ack, "report") ?? "";
      const read = async (): Promise<string> => {
        const exchange = await t.answered("GetReportByCustomer", { customer, report });
        return isAccepted(exchange) ? (t.statusOfReport(exchange) ?? "no status") : status(exchange);
      };
      const atOnce = await read();
      if (!t.capabilities.has("clock")) return { "a new report": atOnce };
      await t.clock.pass(14);
      return { "a new report": atOnce, "a report after 14 seconds": await read() };
    },
  },
  {
    subject: "Lender body of GetReportById",
    operations: ["GetReportById"],
    async ask(t) {
      const exchange = await t.answered("GetReportById", {}, { json: null, judged: false });
      return { "a read without a body": status(exchange) };
    },
  },
  {
    subject: "operations described by path and status only",
    operations: [READ, MODIFY, "DeleteCustomer", "GetCustomerAccounts", ADD],
    async ask(t) {
      const added = await newCustomer(t);
      const accounts = await t.answered("GetCustomerAccounts", added);
      const count = (atPointer(contentOf(accounts), "/accounts") as unknown[] | undefined)?.length ?? 0;
      const changes = { fields: { firstName: "Cordelia" } };
      const changed = await t.answered(MODIFY, added, changes);
      const shown = await t.answered(READ, added);
      const deleted = await t.answered("DeleteCustomer", added);
      const after = await t.answered(READ, added);
      return {
        "the accounts of a new customer": count === 0 ? "none" : "some",
        ...(isAccepted(changed) && {
          "a change": holdsValue(contentOf(shown), "Cordelia") ? "at once" : "later or never",
        }),
        ...(isAccepted(deleted) && { "a deletion": isAccepted(after) ? "later or never" : "at once" }),
      };
    },
  },
  {
    subject: "GetCustomers search",
    operations: ["GetCustomers", ADD, READ],
    async ask(t) {
      const { customer = "" } = await newCustomer(t);
      const shown = await t.answered(READ, { customer });
      const username = String(atPointer(contentOf(shown), "/username"));
      const find = async (search: string): Promise<string> => {
        const exchange = await t.answerTo({ operationId: "GetCustomers", query: { search } });
        return holdsValue(contentOf(exchange), customer) ? "found" : "not found";
      };
      return {
        "by a part of the username": await find(username.slice(0, -1)),
        "a new customer": await find(username),
      };
    },
  },
  {
    subject: "filter values",
    operations: ["GetCustomerAccounts"],
    async ask(t) {
      const { accounts, exchange } = await t.accountsOf();
      const [value, other] = [...new Set(t.itemsIn(exchange).map((item) => fieldOf(item, "type")))];
      if (typeof value !== "string" || other === undefined) return {};
      const parameters = { account_type: value };
      const { customer = "" } = accounts[0].resources;
      const filtered = await t.answered("GetCustomerAccounts", { customer }, { parameters });
      const isOther = (item: unknown) => fieldOf(item, "type") !== value;
      const shown = t.itemsIn(filtered).some(isOther) ? "others too" : "only those";
      return { "accounts of a type that the list shows": isAccepted(filtered) ? shown : status(filtered) };
    },
  },
  {
    subject: "field-level schemas",
    operations: [OF_ACCOUNT],
    async ask(t) {
      const { accounts } = await t.accountsOf();
      const shown: string[] = [];
      for (const { resources } of accounts.slice(0, MOST_ACCOUNTS)) {
        const { items } = await t.listTransactions(OF_ACCOUNT, resources, t.lastDays(180));
        const posted = items.filter((item) => dateIn(item, "postedDate") !== undefined);
        const isDated = (item: unknown) => dateIn(item, "transactionDate") !== undefined;
        if (posted.length >= ENOUGH) shown.push(posted.some(isDated) ? "some" : "none");
      }
      if (shown.length < 2) return {};
      const undated = shown.includes("none") ? "some" : "none";
      return { "accounts whose posted transactions have no transaction date": undated };
    },
  },
  {
    subject: "routing number length",
    operations: ["GetInstitutionsByRoutingNumber"],
    async ask(t) {
      const look = async (digits: number): Promise<string> =>
        status(
          await t.answerTo({
            operationId: "GetInstitutionsByRoutingNumber",
            path: { routing_number: "9".repeat(digits) },
          }),
        );
      return { "eight digits": await look(8), "twelve digits": await look(12) };
    },
  },
];

export const openQuestions: readonly Trial[] = QUESTIONS.map(({ subject, operations, ask }) =>
  scenario(`open-questions/${subject.toLowerCase().replaceAll(/\W+/g, "-")}`, {
    title: `answers to what the document leaves open: ${subject}`,
    operations,
    requirements: [],
    async run(t) {
      for (const [tried, happened] of Object.entries(await ask(t)))
        t.judge.observe(subject, operations[0], `${tried}: ${happened}`);
    },
  }),
);
