/**
 * Available balances: for each account type, cached or fresh depending on the interval, and the variant that is always
 * cached.
 */

import { takesParameter } from "../../../fixtures/financial-data/account-parameters.ts";
import { tryAccountTypes } from "../../../fixtures/financial-data/account-types.ts";
import { accountOfType, ownAccount } from "../../../fixtures/financial-data/linked-accounts.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { accepted, answered } from "../../../helpers/trials/kit/asking.ts";
import { needClock } from "../../../helpers/trials/kit/attempt.ts";
import type { Resources } from "../../../helpers/trials/kit/calls.ts";
import { isConfirmed, parameterOf, resolved } from "../../../helpers/trials/kit/names.ts";
import { fieldOf, secondsOf } from "../../../helpers/trials/kit/reading.ts";
import { judgeThat, leaveUntried } from "../../../helpers/trials/kit/verdicts.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Payments data");
const LIVE = "GetAvailableBalanceLive";
const CACHED = "GetAvailableBalance";
const INTERVAL = "balance_cache_interval";
const TYPES = "availableBalance.account-types";
const DECISION = `${LIVE}.cache-decision`;
const ENDED = `${CACHED}.unavailable-after-2025-06`;

/** Seconds to wait: longer than the shortest interval and shorter than the longest (assumed to be in minutes). */
const PASSED_S = 600;
const LONGEST = 1440;

export const balanceScenarios: readonly Trial[] = [
  scenario({
    id: "payments-data/balance-types",
    title: "available balance is served for each of its account types",
    operations: [LIVE, CACHED],
    requirements: [TYPES],
    run: (context) => tryAccountTypes(context, TYPES, LIVE, CACHED),
  }),

  scenario(
    takesParameter({
      id: "payments-data/balance-interval",
      title: `the live balance accepts ${INTERVAL}`,
      operations: [LIVE],
      requirement: `${LIVE}.${INTERVAL}-query`,
      name: INTERVAL,
    }),
  ),

  scenario({
    id: "payments-data/balance-cache",
    title: "the interval determines whether a cached balance is returned or a fresh one is fetched",
    operations: [LIVE],
    requirements: [DECISION],
    async run(context) {
      needClock(context, "a balance has to age");
      if (!isConfirmed(context)) {
        throw new NotTried(
          "the documents show neither the unit of the interval nor the mark of a cached balance",
        );
      }
      const { resources } = await ownAccount(context);
      const { least, most } = boundsOf(context);
      const first = await balanceWithin(context, resources, least);
      await context.clock.pass(PASSED_S);
      const cached = await balanceWithin(context, resources, most);
      const fresh = await balanceWithin(context, resources, least);
      judgeThat(context, DECISION, cached.date === first.date, [cached.exchange, first.exchange], {
        message: `a balance that is younger than ${INTERVAL} was fetched again`,
        expected: `the cached one of ${first.date}`,
        actual: `${cached.date}`,
      });
      judgeThat(context, DECISION, fresh.date > first.date, [fresh.exchange, first.exchange], {
        message: `a balance that is older than ${INTERVAL} was not fetched again`,
        expected: `a later one than ${first.date}`,
        actual: `${fresh.date}`,
      });
    },
  }),

  scenario({
    id: "payments-data/balance-cached-only",
    title: "the cached balance is not refreshed by reading it",
    operations: [CACHED],
    requirements: [`${CACHED}.cached-only`],
    async run(context) {
      needClock(context, "a balance has to age");
      const { resources } = await ownAccount(context);
      const before = await accepted(context, CACHED, resources);
      await context.clock.pass(PASSED_S);
      const after = await accepted(context, CACHED, resources);
      const [one, two] = [dateOf(before), dateOf(after)];
      judgeThat(context, `${CACHED}.cached-only`, one === two, [after, before], {
        message: "reading the cached balance refreshed it",
        expected: `${one}`,
        actual: `${two}`,
      });
    },
  }),

  scenario({
    id: "payments-data/balance-ended",
    title: "the cached balance may be unavailable after June 2025",
    operations: [CACHED],
    requirements: [ENDED],
    async run(context) {
      const { resources } = await accountOfType(context, "checking", "savings");
      const exchange = await answered(context, CACHED, resources);
      const status = statusOf(exchange);
      context.judge.observe("GetAvailableBalance after June 2025", CACHED, `answered with ${status}`);
      if (isAccepted(exchange)) {
        const reason = "the operation is still served, which the document also allows: this is only a remark";
        leaveUntried(context, ENDED, reason);
        return;
      }
      const wording = { message: `${CACHED} fails`, expected: "200, or a refusal" };
      judgeThat(context, ENDED, status < 500, [exchange], wording);
    },
  }),
];

const boundsOf = (context: TrialContext): { readonly least: number; readonly most: number } => {
  const { schema = {} } = parameterOf(context, LIVE, INTERVAL) ?? {};
  const { minimum = 0, maximum = LONGEST } = { ...resolved(context, schema), ...schema };
  return { least: Number(minimum), most: Number(maximum) };
};

const balanceWithin = async (context: TrialContext, resources: Resources, interval: number) => {
  const exchange = await accepted(context, LIVE, resources, { parameters: { [INTERVAL]: interval } });
  return { date: dateOf(exchange), exchange };
};

/** Reads when the balance was fetched, in seconds since 1970. @throws NotTried when it shows no date */
const dateOf = (exchange: Exchange): number => {
  const date = secondsOf(fieldOf(contentOf(exchange), "availableBalanceDate", "balanceDate"));
  if (date === undefined)
    throw new NotTried(
      `${exchange.operationId} shows no date of the balance under a name like availableBalanceDate`,
    );
  return date;
};
