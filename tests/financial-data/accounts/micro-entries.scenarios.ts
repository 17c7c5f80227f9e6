/** Micro entries: two small deposits that prove an account, and their limits. */

import {
  answerTo,
  judgeThat,
  taken,
  validCall,
  withFields,
} from "../../../fixtures/financial-data/asking.ts";
import { fieldOf, idOf, itemsIn, situation } from "../../../fixtures/financial-data/calls.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import { isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import type { Arranger } from "../../../helpers/trials/arrange.ts";
import type { Call } from "../../../helpers/trials/call.ts";
import { having } from "../../../helpers/trials/given-resources.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Micro entries and switches";
const INITIATE = "InitiateMicroAmountDeposits";
const VERIFY = "VerifyMicroAmountDeposits";
const TRANSACTIONS = "GetCustomerAccountTransactions";
const DAY = 24 * 3600;

export const microEntryScenarios: readonly Trial[] = [
  scenario(
    {
      id: "micro-entries/initiated-and-verified",
      title: "deposits are initiated, and verified by their amounts",
      section: SECTION,
      operations: [INITIATE, VERIFY],
      requirements: ["microentry.request-bodies"],
    },
    async (context) => {
      const initiation = await validCall(context, INITIATE, context.arrange.apart());
      await taken(context, initiation, ["microentry.request-bodies"]);
      const need = "deposits that have arrived, and their amounts";
      const { "micro-amounts": amounts = "", ...resources } = await situation(
        context,
        "micro-deposits-arrived",
        need,
      );
      const call = await validCall(context, VERIFY, having(context.arrange, resources));
      const told = withFields(call, { amounts: amounts.split(",").map(Number) });
      await taken(context, told, ["microentry.request-bodies"]);
    },
  ),

  scenario(
    {
      id: "micro-entries/repeated",
      title: "deposits that were initiated already conflict with new ones",
      section: SECTION,
      operations: [INITIATE],
      requirements: ["InitiateMicroAmountDeposits.409"],
    },
    async (context) => {
      const call = await validCall(context, INITIATE, context.arrange.apart());
      const first = await taken(context, call);
      const second = await answerTo(context, call);
      const status = statusOf(second);
      context.judge.observe("micro entry 409 cause", INITIATE, `the same initiation again: ${status}`);
      if (isAccepted(second))
        throw new NotTried("the same initiation is taken twice: which conflict it refuses is not documented");
      judgeThat(context, "InitiateMicroAmountDeposits.409", status === 409, [second, first], {
        message: "a repeated initiation was refused otherwise than as a conflict",
        expected: "409",
        actual: `${status}`,
      });
    },
  ),

  scenario(
    {
      id: "micro-entries/too-many",
      title: "too many initiations are answered with 429",
      section: SECTION,
      operations: [INITIATE],
      requirements: ["InitiateMicroAmountDeposits.429"],
    },
    async (context) => {
      const need = "a customer for whom no more deposits can be initiated";
      const limited = await situation(context, "rate-limited-micro-entries", need);
      const call = await validCall(context, INITIATE, having(context.arrange, limited));
      const exchange = await answerTo(context, { ...call, interruptions: "return" });
      judgeThat(context, "InitiateMicroAmountDeposits.429", statusOf(exchange) === 429, [exchange], {
        message: "an initiation too many was not answered with 429",
        expected: "429",
        actual: `${statusOf(exchange)}`,
      });
    },
  ),

  scenario(
    {
      id: "micro-entries/amounts",
      title: "two amounts of less than a dollar each arrive at the account",
      section: SECTION,
      operations: [INITIATE, TRANSACTIONS],
      requirements: ["microentry.two-amounts", "microentry.each-below-one-dollar"],
    },
    async (context) => {
      if (!context.capabilities.has("clock"))
        throw new NotTried("needs clock: deposits are not waited for as long as they take");
      const own = context.arrange.apart();
      const before = await transactionsOf(context, own);
      const initiated = await taken(context, await initiationTo(context, own));
      await context.clock.pass(60);
      const { items, exchange } = await transactionsOf(context, own);
      const known = new Set(before.items.map(({ id: one }) => one));
      const amounts = items.filter((one) => !known.has(one.id) && one.amount > 0).map(({ amount }) => amount);
      if (amounts.length === 0) throw new NotTried("no deposit arrived at the account within a minute");
      judgeThat(context, "microentry.two-amounts", amounts.length === 2, [exchange, initiated], {
        message: "the initiation did not deposit two amounts",
        expected: "two deposits",
        actual: `${amounts.length}`,
      });
      const small = amounts.every((amount) => amount < 1);
      judgeThat(context, "microentry.each-below-one-dollar", small, [exchange, initiated], {
        message: "a micro amount is not less than a dollar",
        expected: "less than one dollar each",
        actual: amounts.join(" and "),
      });
    },
  ),
];

/** An initiation that sends the amounts to an account whose transactions we see. */
const initiationTo = async (context: TrialContext, own: Arranger): Promise<Call> => {
  const details = await taken(context, await validCall(context, "GetAccountACHDetails", own));
  const body = details.response?.json;
  const accountNumber = fieldOf(body, "realAccountNumber", "accountNumber");
  const routingNumber = fieldOf(body, "routingNumber");
  if (accountNumber === undefined || routingNumber === undefined)
    throw new NotTried("the account shows no account number and no routing number under names like these");
  const call = await validCall(context, INITIATE, own);
  const { receiver } = call.json as { readonly receiver?: object };
  return withFields(call, { receiver: { ...receiver, accountNumber, routingNumber } });
};

interface Listed {
  readonly items: readonly { readonly id: string | undefined; readonly amount: number }[];
}

/** Those of the last and the next day. */
const transactionsOf = async (context: TrialContext, own: Arranger) => {
  const now = Math.floor(context.clock.now() / 1000);
  const call = await validCall(context, TRANSACTIONS, own);
  const query = { ...call.query, fromDate: now - DAY, toDate: now + DAY };
  const exchange = await taken(context, { ...call, query });
  const listed: Listed["items"] = itemsIn(context, exchange).map((item) => ({
    id: idOf(context, TRANSACTIONS, "transaction", item),
    amount: Number(fieldOf(item, "amount")),
  }));
  return { items: listed, exchange };
};
