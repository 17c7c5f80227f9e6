/** Micro entries: two small deposits that verify an account, and their limits. */

import {
  DAY,
  listTransactions,
  OF_ACCOUNT,
  spanOf,
  transactionKeys,
} from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { atPointer } from "../../../helpers/contract/pointer.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { applyEdit } from "../../../helpers/generate/edit.ts";
import type { Arranger } from "../../../helpers/trials/arrange.ts";
import type { Call } from "../../../helpers/trials/call.ts";
import { acceptanceOf, accepted, answered, answerTo } from "../../../helpers/trials/kit/asking.ts";
import { needClock } from "../../../helpers/trials/kit/attempt.ts";
import { situation, validCall, withFields } from "../../../helpers/trials/kit/calls.ts";
import { fieldOf, unbound } from "../../../helpers/trials/kit/reading.ts";
import { judgeThat } from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Micro entries and switches");
const INITIATE = "InitiateMicroAmountDeposits";
const VERIFY = "VerifyMicroAmountDeposits";

export const microEntryScenarios: readonly Trial[] = [
  scenario({
    id: "micro-entries/initiated-and-verified",
    title: "deposits are initiated, and verified by their amounts",
    operations: [INITIATE, VERIFY],
    requirements: ["microentry.request-bodies"],
    async run(context) {
      const keeps = ["microentry.request-bodies"];
      await accepted(context, INITIATE, context.arrange.exclusive(), { keeps });
      const need = "deposits that have arrived, and their amounts";
      const arrived = await situation(context, "micro-deposits-arrived", need);
      const amounts = arrived["micro-amounts"]?.split(",").map(Number);
      await accepted(context, VERIFY, arrived, { fields: { amounts }, keeps });
    },
  }),

  scenario({
    id: "micro-entries/repeated",
    title: "a second initiation of deposits conflicts with the first",
    operations: [INITIATE],
    requirements: ["InitiateMicroAmountDeposits.409"],
    async run(context) {
      const call = await validCall(context, INITIATE, context.arrange.exclusive());
      const first = await acceptanceOf(context, call);
      const second = await answerTo(context, call);
      const status = statusOf(second);
      context.judge.observe("micro entry 409 cause", INITIATE, `the same initiation again: ${status}`);
      await observeOthers(context, call, first);
      if (isAccepted(second))
        throw new NotTried(
          "the same initiation is accepted twice: the documents do not say which conflict is refused",
        );
      judgeThat(context, "InitiateMicroAmountDeposits.409", status === 409, [second, first], {
        message: "a repeated initiation was refused, but not as a conflict",
        expected: "409",
      });
    },
  }),

  scenario({
    id: "micro-entries/too-many",
    title: "too many initiations are answered with 429",
    operations: [INITIATE],
    requirements: ["InitiateMicroAmountDeposits.429"],
    async run(context) {
      const need = "a customer for whom no more deposits can be initiated";
      const limited = await situation(context, "rate-limited-micro-entries", need);
      const refusal = { interruptions: "return", judged: "refusals" } as const;
      const exchange = await answered(context, INITIATE, limited, refusal);
      judgeThat(context, "InitiateMicroAmountDeposits.429", statusOf(exchange) === 429, [exchange], {
        message: "an initiation over the limit was not answered with 429",
        expected: "429",
      });
    },
  }),

  scenario({
    id: "micro-entries/amounts",
    title: "two amounts of less than a dollar each arrive at the account",
    operations: [INITIATE, OF_ACCOUNT],
    requirements: ["microentry.two-amounts", "microentry.each-below-one-dollar"],
    async run(context) {
      needClock(context, "deposits take longer than the run waits");
      const own = context.arrange.exclusive();
      const before = await depositsTo(context, own);
      const initiated = await acceptanceOf(context, await initiationTo(context, own));
      await context.clock.pass(60);
      const { amounts: all, exchange } = await depositsTo(context, own);
      const amounts = [...all].flatMap(([one, amount]) => (before.amounts.has(one) ? [] : [amount]));
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
  }),
];

/** Makes an initiation for an account whose transactions can be read. */
const initiationTo = async (context: TrialContext, own: Arranger): Promise<Call> => {
  const details = await accepted(context, "GetAccountACHDetails", own);
  const body = contentOf(details);
  const accountNumber = fieldOf(body, "realAccountNumber", "accountNumber");
  const routingNumber = fieldOf(body, "routingNumber");
  if (accountNumber === undefined || routingNumber === undefined)
    throw new NotTried("the account shows no account number and no routing number under names like these");
  const call = await validCall(context, INITIATE, own);
  const { receiver } = call.json as { readonly receiver?: object };
  return withFields(call, { receiver: { ...receiver, accountNumber, routingNumber } });
};

/** Returns the amounts of the last and the next day, by transaction id. */
const depositsTo = async (context: TrialContext, own: Arranger) => {
  const now = Math.floor(context.clock.now() / 1000);
  const span = spanOf(context, now - DAY, now + DAY);
  const { items, exchange } = await listTransactions(context, OF_ACCOUNT, own, span);
  const keys = transactionKeys(context, items);
  const all = items.map((item, index) => [keys[index] ?? "", Number(fieldOf(item, "amount"))] as const);
  if (all.length > 0 && all.every(([, amount]) => Number.isNaN(amount))) throw unbound(OF_ACCOUNT, "amount");
  const amounts = all.filter(([, amount]) => amount > 0);
  return { amounts: new Map(amounts), exchange };
};

/** Observes the state of new deposits, and an initiation for another account of the same customer. */
const observeOthers = async (context: TrialContext, call: Call, first: Exchange): Promise<void> => {
  const state = fieldOf(contentOf(first), "status");
  context.judge.observe("states of other resources", INITIATE, `new deposits: ${state ?? "no state"}`);
  const number = atPointer(call.json, ACCOUNT_NUMBER);
  if (typeof number !== "string") return;
  const value = `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`;
  const other = { ...call, json: applyEdit(call.json, { pointer: ACCOUNT_NUMBER, value }) };
  const initiated = statusOf(await answerTo(context, other));
  context.judge.observe("micro entry 409 cause", INITIATE, `another account of the customer: ${initiated}`);
};

const ACCOUNT_NUMBER = "/receiver/accountNumber";
