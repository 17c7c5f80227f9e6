/** Payment success indicators: runs that are read by their pay request id, and the two legacy answers at once. */

import type { Fields } from "../../../engine/values/fields.ts";
import { randomOf } from "../../../engine/values/random.ts";
import { DAY, dateOf } from "../../../engine/values/units.ts";
import { existing, refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { accountIn, bodyOf, customerIn, pathValue } from "../../found.ts";
import { addConsumer, ownCustomer } from "../../furnish.ts";
import type { Handler, Section } from "../../section.ts";
import type { Account } from "../../world/account.ts";
import { perWorld, type World } from "../../world/world.ts";
import reasonNames from "./reasons.json" with { type: "json" };

interface Run {
  readonly id: string;
  readonly fcra: boolean;
  readonly customerId: string;
  readonly accountId: string;
  readonly settlementAmount: number;
  readonly settleByDate: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** In dollars, at the time of the request. */
  readonly balance: number;
}

const runs = perWorld(() => new Map<string, Run>());

/** Types of accounts that an ACH transaction can be drawn from. */
const ALLOWED = ["checking", "savings", "moneyMarket"];
const FORBIDDEN = "psi-forbidden";
const NOT_ALLOWED = "psi-not-allowed";

const generate =
  (fcra: boolean): Handler =>
  (world, call) => {
    const customer = customerIn(world, call);
    const account = accountIn(world, call, customer);
    if (customer.marks.has(FORBIDDEN) && !call.bent("psi-forbidden-ignored")) throw refused("psi-forbidden");
    refuseNotAllowed(call, account);
    const run = runOf(world, account, fcra, bodyOf(call));
    const { id: payRequestId, customerId, accountId, created: createdDate } = run;
    const known = { payRequestId, customerId, accountId, status: "inProgress", createdDate };
    return success(world, call, known, { key: run.id });
  };

const refuseNotAllowed = ({ bent }: Call, { type, marks }: Account): void => {
  if ((!ALLOWED.includes(type) || marks.has(NOT_ALLOWED)) && !bent("psi-always-allowed"))
    throw refused("psi-not-allowed");
};

const runOf = (
  world: World,
  account: Account,
  fcra: boolean,
  { settlementAmount, settleByDate }: Fields,
): Run => {
  // Checks the balance in real time.
  world.accounts.aggregate(account, "now");
  const run: Run = {
    id: world.newUuid("pay-request"),
    fcra,
    customerId: account.customerId,
    accountId: account.id,
    settlementAmount: Number(settlementAmount) || 0,
    settleByDate: String(settleByDate),
    created: world.seconds(),
    balance: account.balance,
  };
  runs(world).set(run.id, run);
  return run;
};

const read =
  (fcra: boolean): Handler =>
  (world, call) => {
    const account = accountIn(world, call);
    refuseNotAllowed(call, account);
    const known = runs(world).get(pathValue(call, "payRequestId"));
    const newest = [...runs(world).values()].findLast(({ accountId }) => accountId === account.id);
    const told = call.bent("psi-newest-run") ? newest : known;
    const own = told?.accountId === account.id ? told : undefined;
    const run = existing(own, "unknown-pay-request");
    if (run.fcra !== fcra && !call.bent("psi-always-allowed")) throw refused("other-purpose");
    const reasons = call.query.includeReasons === true;
    return success(world, call, indicatorsOf(world, call, run, reasons), { key: run.id, made: "required" });
  };

const legacy =
  (fcra: boolean): Handler =>
  (world, call) => {
    const account = accountIn(world, call);
    if (!ALLOWED.includes(account.type)) throw refused("not-eligible");
    const run = runOf(world, account, fcra, call.query);
    const known = { ...indicatorsOf(world, call, run, true), payReqId: run.id };
    const { unauthorizedReturn: _, riskAttributes: __, payRequestId: ___, ...shown } = known;
    return success(world, call, shown, { key: run.id, made: "required" });
  };

const PERIOD = 10;

/** Scores from 0 to 100: the higher, the likelier the payment succeeds. */
const indicatorsOf = (world: World, call: Call, run: Run, reasons: boolean) => {
  const random = randomOf(`${world.seed} indicators ${run.id}`);
  const { id: payRequestId, fcra: _, created, balance, ...asked } = run;
  const share = Math.round((balance / Math.max(1, run.settlementAmount)) * 50);
  const cover = Math.min(100, Math.max(0, share));
  const scores = { least: Math.max(0, cover - 10), most: Math.min(100, cover + 10) };
  const score = (): number => random.integer(scores.least, scores.most);
  const days = call.bent("psi-five-days") ? PERIOD / 2 : PERIOD;
  return {
    ...asked,
    payRequestId,
    status: "success",
    availableBalance: balance,
    balanceDate: created,
    indicatorsByDay: Array.from({ length: days }, (_, index) => {
      const compositeScore = score();
      return {
        potentialSettlementDate: dateOf(run.created + (index + 1) * DAY),
        compositeScore,
        scoreIndicator: compositeScore >= 50 ? "Likely" : "Unlikely",
        ...(reasons && { reasons: Object.fromEntries(reasonNames.map((name) => [name, score()])) }),
      };
    }),
    unauthorizedReturn: { score: random.integer(70, 99), scoreIndicator: "Unlikely" },
    riskAttributes: [
      { name: "daysSinceNsf", value: random.integer(30, 300) },
      { name: "averageBalance", value: run.balance },
    ],
  };
};

const payer = (world: World) => {
  const customer = ownCustomer(world, "payer");
  addConsumer(world, customer);
  const { accounts } = world.accounts.link(customer, world.institutions.test(), ["checking"]);
  const [account] = accounts;
  return {
    customer,
    account,
    environment: { FINANCIAL_DATA_CUSTOMER_ID: customer.id, FINANCIAL_DATA_ACCOUNT_ID: account?.id ?? "" },
  };
};

export const paymentSuccess: Section = {
  handlers: {
    GenerateFcraPaymentSuccessIndicators: generate(true),
    GetFcraPaymentSuccessIndicators: read(true),
    GeneratePaymentSuccessIndicators: generate(false),
    GetPaymentSuccessIndicators: read(false),
    GetFCRAPaymentSuccessIndicator: legacy(true),
    GetPaymentSuccessIndicator: legacy(false),
  },
  situations: {
    "psi-forbidden"(world) {
      const { customer, environment } = payer(world);
      customer.marks.add(FORBIDDEN);
      return environment;
    },
    "psi-not-allowed"(world) {
      const { account, environment } = payer(world);
      account?.marks.add(NOT_ALLOWED);
      return environment;
    },
  },
};
