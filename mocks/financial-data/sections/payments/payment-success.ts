/** Payment success indicators: runs that are read by their pay request id, and the two immediate legacy answers. */
import type { Fields } from "../../../engine/values/fields.ts";
import { randomOf } from "../../../engine/values/random.ts";
import { DAY, dateOf } from "../../../engine/values/units.ts";
import { existing, refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { accountIn, bodyOf, customerIn, pathValue } from "../../found.ts";
import type { Handler, Section } from "../../section.ts";
import { addConsumer, ownCustomer } from "../../seed-data.ts";
import type { Account } from "../../state/account.ts";
import { mark } from "../../state/customer.ts";
import { type State, stored } from "../../state/state.ts";
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

export const runs = stored("payment-successes", () => new Map<string, Run>());

/** Account types from which an ACH transaction can be drawn. */
const ALLOWED = ["checking", "savings", "moneyMarket"];
const FORBIDDEN = "psi-forbidden";
const NOT_ALLOWED = "psi-not-allowed";

const generate =
  (fcra: boolean): Handler =>
  (state, call) => {
    const customer = customerIn(state, call);
    const account = accountIn(state, call, customer);
    if (customer.marks?.has(FORBIDDEN) && !call.faulty("psi-forbidden-ignored"))
      throw refused("psi-forbidden");
    refuseNotAllowed(call, account);
    const run = runOf(state, account, fcra, bodyOf(call));
    const { id: payRequestId, customerId, accountId, created: createdDate } = run;
    const known = { payRequestId, customerId, accountId, status: "inProgress", createdDate };
    return success(state, call, known, { key: run.id });
  };

const refuseNotAllowed = ({ faulty }: Call, { type, marks }: Account): void => {
  if ((!ALLOWED.includes(type) || marks.has(NOT_ALLOWED)) && !faulty("psi-always-allowed"))
    throw refused("psi-not-allowed");
};

const runOf = (
  state: State,
  account: Account,
  fcra: boolean,
  { settlementAmount, settleByDate }: Fields,
): Run => {
  // The aggregation updates the balance in real time.
  state.accounts.aggregate(account, "now");
  const run: Run = {
    id: state.newUuid("pay-request"),
    fcra,
    customerId: account.customerId,
    accountId: account.id,
    settlementAmount: Number(settlementAmount) || 0,
    settleByDate: String(settleByDate),
    created: state.seconds(),
    balance: account.balance,
  };
  runs(state).set(run.id, run);
  return run;
};

const read =
  (fcra: boolean): Handler =>
  (state, call) => {
    const account = accountIn(state, call);
    refuseNotAllowed(call, account);
    const known = runs(state).get(pathValue(call, "payRequestId"));
    const newest = [...runs(state).values()].findLast(({ accountId }) => accountId === account.id);
    const chosen = call.faulty("psi-newest-run") ? newest : known;
    const own = chosen?.accountId === account.id ? chosen : undefined;
    const run = existing(own, "unknown-pay-request");
    if (call.differs("indicators-late") && state.seconds() < run.created + CALCULATED_AFTER)
      throw refused("unknown-pay-request");
    if (run.fcra !== fcra && !call.faulty("psi-always-allowed")) throw refused("other-purpose");
    const reasons = call.query.includeReasons === true;
    return success(state, call, indicatorsOf(state, call, run, reasons), { key: run.id, made: "required" });
  };

/** Seconds until indicators are found, in a sandbox that calculates them late. */
const CALCULATED_AFTER = 2;

const legacy =
  (fcra: boolean): Handler =>
  (state, call) => {
    if (call.differs("legacy-indicators-ended")) throw refused("operation-ended");
    const account = accountIn(state, call);
    if (!ALLOWED.includes(account.type)) throw refused("not-eligible");
    const run = runOf(state, account, fcra, call.query);
    const known = { ...indicatorsOf(state, call, run, true), payReqId: run.id };
    const { unauthorizedReturn: _, riskAttributes: __, payRequestId: ___, ...shown } = known;
    return success(state, call, shown, { key: run.id, made: "required" });
  };

const PERIOD = 10;

/** Returns scores from 0 to 100. A higher score means a more likely success of the payment. */
const indicatorsOf = (state: State, call: Call, run: Run, reasons: boolean) => {
  const random = randomOf(`${state.seed} indicators ${run.id}`);
  const { id: payRequestId, fcra: _, created, balance, ...asked } = run;
  const share = Math.round((balance / Math.max(1, run.settlementAmount)) * 50);
  const cover = Math.min(100, Math.max(0, share));
  const scores = { least: Math.max(0, cover - 10), most: Math.min(100, cover + 10) };
  const score = (): number => random.integer(scores.least, scores.most);
  const days = call.faulty("psi-five-days") ? PERIOD / 2 : PERIOD;
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

const payer = (state: State) => {
  const customer = ownCustomer(state, "payer");
  addConsumer(state, customer);
  const { accounts } = state.accounts.link(customer, state.institutions.test(), ["checking"]);
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
    "psi-forbidden"(state) {
      const { customer, environment } = payer(state);
      mark(customer, FORBIDDEN);
      return environment;
    },
    "psi-not-allowed"(state) {
      const { account, environment } = payer(state);
      account?.marks.add(NOT_ALLOWED);
      return environment;
    },
  },
};
