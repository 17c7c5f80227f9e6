/** Questions that the document leaves open: observed once and shown in the certificate, without a verdict. */

import { accountsOf } from "../../fixtures/financial-data/linked-accounts.ts";
import {
  dateIn,
  lastDays,
  listTransactions,
  OF_ACCOUNT,
} from "../../fixtures/financial-data/listed-transactions.ts";
import { generated, generationCall, statusOfReport } from "../../fixtures/financial-data/reports.ts";
import {
  LOG_IN,
  PROBE,
  secondPartner,
  withToken,
  workingToken,
} from "../../fixtures/financial-data/signing-in.ts";
import { scenariosIn } from "../../fixtures/financial-data/trial.ts";
import { atPointer } from "../../helpers/contract/pointer.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../helpers/exchange/exchange.ts";
import { holdsValue } from "../../helpers/flows/delivery.ts";
import { answered, answerTo } from "../../helpers/trials/kit/asking.ts";
import { type Resources, situationIfOffered } from "../../helpers/trials/kit/calls.ts";
import { fieldOf, identifierAt, itemsIn } from "../../helpers/trials/kit/reading.ts";
import type { Trial, TrialContext } from "../../helpers/trials/trial.ts";
import { addressesShown } from "./business-reports.ts";

const scenario = scenariosIn("Open questions");

interface Question {
  /** Subject of the gap. */
  readonly subject: string;
  /** The operation that the question is about comes first. */
  readonly operations: readonly [string, ...string[]];
  /** Returns what was tried, and what happened. */
  ask(context: TrialContext): Promise<Readonly<Record<string, string>>>;
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

const newCustomer = async (context: TrialContext): Promise<Resources> => ({
  customer: identifierAt(context, await answered(context, ADD), "customer") ?? "",
  consumer: "none",
  business: "none",
});

const QUESTIONS: readonly Question[] = [
  {
    subject: "effect of a new token or secret on older tokens",
    operations: [LOG_IN, PROBE],
    async ask(context) {
      const partner = await secondPartner(context);
      const older = await workingToken(context, partner);
      const newer = await workingToken(context, partner);
      const second = older === newer ? "the same token" : "another token";
      context.judge.observe("who renews the token", LOG_IN, `a second log-in: ${second}`);
      const probe = await answerTo(context, { ...withToken(context, older), judged: false });
      return { "an older token": status(probe) };
    },
  },
  {
    subject: "which reports need a consumer",
    operations: [METRICS],
    ask: async (context) => ({
      "SBCA metrics without a consumer": status(
        await generated(
          context,
          { operationId: METRICS },
          {
            ...(await situationIfOffered(context, "location")),
            ...(await newCustomer(context)),
          },
        ),
      ),
    }),
  },
  {
    subject: "consumer or business by userType",
    operations: [BALANCES],
    async ask(context) {
      const bare = await newCustomer(context);
      await context.capabilities.linkAccounts?.(bare.customer ?? "");
      const call = await generationCall(context, { operationId: BALANCES }, bare);
      const exchange = await answerTo(context, { ...call, path: { ...call.path, userType: "personal" } });
      return {
        "a user type without its consumer": status(exchange),
        ...(await addressesShown(context, bare.customer ?? "")),
      };
    },
  },
  {
    subject: "eligible accounts for prequalification and 400 cause",
    operations: [PREQUALIFICATION],
    async ask(context) {
      const arrange = context.arrange.exclusive();
      const account = await arrange.need("account", { types: ["mortgage"] });
      const generation = { operationId: PREQUALIFICATION, fields: { accountIds: account } };
      const exchange = await generated({ ...context, arrange }, generation);
      return { "an account of another type": status(exchange) };
    },
  },
  {
    subject: "unsupported account types",
    operations: [LOAN],
    async ask(context) {
      const account = (await accountsOf(context)).accounts.find(({ type }) => type === "checking");
      return account === undefined
        ? {}
        : { "loan details of a checking account": status(await answered(context, LOAN, account.resources)) };
    },
  },
  {
    subject: "GetAllExperience app name",
    operations: ["GetAllExperience"],
    async ask(context) {
      const appName = "No Such App";
      const exchange = await answered(context, "GetAllExperience", {}, { parameters: { appName } });
      const isOwn = holdsValue(contentOf(exchange), appName);
      return { "another app name": isAccepted(exchange) ? (isOwn ? "its own" : "others") : status(exchange) };
    },
  },
  {
    subject: "203 on owner details v3",
    operations: ["GetAccountOwnerDetails"],
    async ask(context) {
      const challenged = await situationIfOffered(context, "mfa-account");
      if (challenged === undefined) return {};
      return {
        "a challenged account": status(await answered(context, "GetAccountOwnerDetails", challenged)),
      };
    },
  },
  {
    subject: "report statuses over time",
    operations: ["GetReportByCustomer", "GenerateVOAReport"],
    async ask(context) {
      const own = { ...context, arrange: context.arrange.exclusive() };
      const customer = await own.arrange.need("customer");
      const ack = await generated(own, { operationId: "GenerateVOAReport" }, { customer });
      const report = identifierAt(context, ack, "report") ?? "";
      const read = async (): Promise<string> => {
        const exchange = await answered(context, "GetReportByCustomer", { customer, report });
        return isAccepted(exchange) ? (statusOfReport(context, exchange) ?? "no status") : status(exchange);
      };
      const atOnce = await read();
      if (!context.capabilities.has("clock")) return { "a new report": atOnce };
      await context.clock.pass(14);
      return { "a new report": atOnce, "a report after 14 seconds": await read() };
    },
  },
  {
    subject: "Lender body of GetReportById",
    operations: ["GetReportById"],
    async ask(context) {
      const exchange = await answered(context, "GetReportById", {}, { json: null, judged: false });
      return { "a read without a body": status(exchange) };
    },
  },
  {
    subject: "operations described by path and status only",
    operations: [READ, MODIFY, "DeleteCustomer", "GetCustomerAccounts", ADD],
    async ask(context) {
      const added = await newCustomer(context);
      const accounts = await answered(context, "GetCustomerAccounts", added);
      const count = (atPointer(contentOf(accounts), "/accounts") as unknown[] | undefined)?.length ?? 0;
      const changes = { fields: { firstName: "Cordelia" } };
      const changed = await answered(context, MODIFY, added, changes);
      const shown = await answered(context, READ, added);
      const deleted = await answered(context, "DeleteCustomer", added);
      const after = await answered(context, READ, added);
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
    async ask(context) {
      const { customer = "" } = await newCustomer(context);
      const shown = await answered(context, READ, { customer });
      const username = String(atPointer(contentOf(shown), "/username"));
      const find = async (search: string): Promise<string> => {
        const exchange = await answerTo(context, { operationId: "GetCustomers", query: { search } });
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
    async ask(context) {
      const { accounts, exchange } = await accountsOf(context);
      const [value, other] = [...new Set(itemsIn(context, exchange).map((item) => fieldOf(item, "type")))];
      if (typeof value !== "string" || other === undefined) return {};
      const parameters = { account_type: value };
      const { customer = "" } = accounts[0].resources;
      const filtered = await answered(context, "GetCustomerAccounts", { customer }, { parameters });
      const isOther = (item: unknown) => fieldOf(item, "type") !== value;
      const shown = itemsIn(context, filtered).some(isOther) ? "others too" : "only those";
      return {
        "accounts of a type that the list shows": isAccepted(filtered) ? shown : status(filtered),
      };
    },
  },
  {
    subject: "field-level schemas",
    operations: [OF_ACCOUNT],
    async ask(context) {
      const { accounts } = await accountsOf(context);
      const shown: string[] = [];
      for (const { resources } of accounts.slice(0, MOST_ACCOUNTS)) {
        const { items } = await listTransactions(context, OF_ACCOUNT, resources, lastDays(context, 180));
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
    async ask(context) {
      const look = async (digits: number): Promise<string> =>
        status(
          await answerTo(context, {
            operationId: "GetInstitutionsByRoutingNumber",
            path: { routing_number: "9".repeat(digits) },
          }),
        );
      return { "eight digits": await look(8), "twelve digits": await look(12) };
    },
  },
];

export const openQuestions: readonly Trial[] = QUESTIONS.map(({ subject, operations, ask }) =>
  scenario({
    id: `open-questions/${subject.toLowerCase().replaceAll(/\W+/g, "-")}`,
    title: `answers to what the document leaves open: ${subject}`,
    operations,
    requirements: [],
    async run(context) {
      for (const [tried, happened] of Object.entries(await ask(context)))
        context.judge.observe(subject, operations[0], `${tried}: ${happened}`);
    },
  }),
);
