/** Micro entries: two small deposits that verify an account, and their limits. */
import { DAY, OF_ACCOUNT } from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { atPointer } from "../../../helpers/contract/pointer.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { applyEdit } from "../../../helpers/generate/edit.ts";
import type { Arranger } from "../../../helpers/trials/arrange.ts";
import { type Call, fieldOf, NotTried, unbound, withFields } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Micro entries and switches");
const INITIATE = "InitiateMicroAmountDeposits";
const VERIFY = "VerifyMicroAmountDeposits";

export const microEntryScenarios = [
  scenario("micro-entries/initiated-and-verified", {
    title: "deposits are initiated, and verified by their amounts",
    operations: [INITIATE, VERIFY],
    requirements: ["microentry.request-bodies"],
    async run(t) {
      const keeps = ["microentry.request-bodies"];
      await t.accepted(INITIATE, t.arrange.exclusive(), { keeps });
      const need = "deposits that have arrived, and their amounts";
      const arrived = await t.situation("micro-deposits-arrived", need);
      const amounts = arrived["micro-amounts"]?.split(",").map(Number);
      await t.accepted(VERIFY, arrived, { fields: { amounts }, keeps });
    },
  }),

  scenario("micro-entries/repeated", {
    title: "a second initiation of deposits conflicts with the first",
    operations: [INITIATE],
    requirements: ["InitiateMicroAmountDeposits.409"],
    async run(t) {
      const call = await t.validCall(INITIATE, t.arrange.exclusive());
      const first = await t.acceptanceOf(call);
      const second = await t.answerTo(call);
      const status = statusOf(second);
      t.judge.observe("micro entry 409 cause", INITIATE, `the same initiation again: ${status}`);
      await observeOthers(t, call, first);
      if (isAccepted(second))
        throw new NotTried("left-open", "the documents do not say which conflict is refused");
      t.judgeThat("InitiateMicroAmountDeposits.409", status === 409, [second, first], {
        message: "a repeated initiation was refused, but not as a conflict",
        expected: "409",
      });
    },
  }),

  scenario("micro-entries/too-many", {
    title: "too many initiations are answered with 429",
    operations: [INITIATE],
    requirements: ["InitiateMicroAmountDeposits.429"],
    async run(t) {
      const need = "a customer for whom no more deposits can be initiated";
      const limited = await t.situation("rate-limited-micro-entries", need);
      const refusal = { interruptions: "return", judged: "refusals" } as const;
      const exchange = await t.answered(INITIATE, limited, refusal);
      t.judgeThat("InitiateMicroAmountDeposits.429", statusOf(exchange) === 429, [exchange], {
        message: "an initiation over the limit was not answered with 429",
        expected: "429",
      });
    },
  }),

  scenario("micro-entries/amounts", {
    title: "two amounts of less than a dollar each arrive at the account",
    operations: [INITIATE, OF_ACCOUNT],
    requirements: ["microentry.two-amounts", "microentry.each-below-one-dollar"],
    async run(t) {
      t.needClock("deposits take longer than the run waits");
      const own = t.arrange.exclusive();
      const before = await depositsTo(t, own);
      const initiated = await t.acceptanceOf(await initiationTo(t, own));
      await t.clock.pass(60);
      const { amounts: all, exchange } = await depositsTo(t, own);
      const amounts = [...all].flatMap(([one, amount]) => (before.amounts.has(one) ? [] : [amount]));
      if (amounts.length === 0)
        throw new NotTried("not-shown", "no deposit arrived at the account within a minute");
      t.judgeThat("microentry.two-amounts", amounts.length === 2, [exchange, initiated], {
        message: "the initiation did not deposit two amounts",
        expected: "two deposits",
        actual: `${amounts.length}`,
      });
      const small = amounts.every((amount) => amount < 1);
      t.judgeThat("microentry.each-below-one-dollar", small, [exchange, initiated], {
        message: "a micro amount is not less than a dollar",
        expected: "less than one dollar each",
        actual: amounts.join(" and "),
      });
    },
  }),
];

/** Makes an initiation for an account whose transactions can be read. */
const initiationTo = async (t: T, own: Arranger): Promise<Call> => {
  const details = await t.accepted("GetAccountACHDetails", own);
  const body = contentOf(details);
  const accountNumber = fieldOf(body, "realAccountNumber", "accountNumber");
  const routingNumber = fieldOf(body, "routingNumber");
  if (accountNumber === undefined || routingNumber === undefined)
    throw new NotTried("name-assumed", "no field of the account is named like its numbers");
  const call = await t.validCall(INITIATE, own);
  const { receiver } = call.json as { readonly receiver?: object };
  return withFields(call, { receiver: { ...receiver, accountNumber, routingNumber } });
};

/** Returns the amounts of the last and the next day, by transaction id. */
const depositsTo = async (t: T, own: Arranger) => {
  const now = Math.floor(t.clock.now() / 1000);
  const span = t.spanOf(now - DAY, now + DAY);
  const { items, exchange } = await t.listTransactions(OF_ACCOUNT, own, span);
  const keys = t.transactionKeys(items);
  const all = items.map((item, index) => [keys[index] ?? "", Number(fieldOf(item, "amount"))] as const);
  if (all.length > 0 && all.every(([, amount]) => Number.isNaN(amount))) throw unbound(OF_ACCOUNT, "amount");
  const amounts = all.filter(([, amount]) => amount > 0);
  return { amounts: new Map(amounts), exchange };
};

/** Observes the state of new deposits, and an initiation for another account of the same customer. */
const observeOthers = async (t: T, call: Call, first: Exchange): Promise<void> => {
  const state = fieldOf(contentOf(first), "status");
  t.judge.observe("states of other resources", INITIATE, `new deposits: ${state ?? "no state"}`);
  const number = atPointer(call.json, ACCOUNT_NUMBER);
  if (typeof number !== "string") return;
  const value = `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`;
  const other = { ...call, json: applyEdit(call.json, { pointer: ACCOUNT_NUMBER, value }) };
  const initiated = statusOf(await t.answerTo(other));
  t.judge.observe("micro entry 409 cause", INITIATE, `another account of the customer: ${initiated}`);
};

const ACCOUNT_NUMBER = "/receiver/accountNumber";
