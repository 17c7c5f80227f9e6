/**
 * Available balances: for each account type, cached or fresh depending on the interval, and the variant that is always
 * cached.
 */
import { takesParameter } from "../../../fixtures/financial-data/account-parameters.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { fieldOf, NotTried, type Resources, secondsOf } from "../../../helpers/trials/kit/language.ts";

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

export const balanceScenarios = [
  scenario("payments-data/balance-types", {
    title: "available balance is served for each of its account types",
    operations: [LIVE, CACHED],
    requirements: [TYPES],
    run: (t) => t.tryAccountTypes(TYPES, LIVE, CACHED),
  }),

  takesParameter(scenario, "payments-data/balance-interval", {
    title: `the live balance accepts ${INTERVAL}`,
    operations: [LIVE],
    requirement: `${LIVE}.${INTERVAL}-query`,
    name: INTERVAL,
  }),

  scenario("payments-data/balance-cache", {
    title: "the interval determines whether a cached balance is returned or a fresh one is fetched",
    operations: [LIVE],
    requirements: [DECISION],
    async run(t) {
      t.needClock("a balance has to age");
      if (!t.isConfirmed()) {
        throw new NotTried("left-open", "the documents do not show the unit of the interval");
      }
      const { resources } = await t.ownAccount();
      const { least, most } = boundsOf(t);
      const first = await balanceWithin(t, resources, least);
      await t.clock.pass(PASSED_S);
      const cached = await balanceWithin(t, resources, most);
      const fresh = await balanceWithin(t, resources, least);
      t.judgeThat(DECISION, cached.date === first.date, [cached.exchange, first.exchange], {
        message: `a balance that is younger than ${INTERVAL} was fetched again`,
        expected: `the cached one of ${first.date}`,
        actual: `${cached.date}`,
      });
      t.judgeThat(DECISION, fresh.date > first.date, [fresh.exchange, first.exchange], {
        message: `a balance that is older than ${INTERVAL} was not fetched again`,
        expected: `a later one than ${first.date}`,
        actual: `${fresh.date}`,
      });
    },
  }),

  scenario("payments-data/balance-cached-only", {
    title: "the cached balance is not refreshed by reading it",
    operations: [CACHED],
    requirements: [`${CACHED}.cached-only`],
    async run(t) {
      t.needClock("a balance has to age");
      const { resources } = await t.ownAccount();
      const before = await t.accepted(CACHED, resources);
      await t.clock.pass(PASSED_S);
      const after = await t.accepted(CACHED, resources);
      const [one, two] = [dateOf(before), dateOf(after)];
      t.judgeThat(`${CACHED}.cached-only`, one === two, [after, before], {
        message: "reading the cached balance refreshed it",
        expected: `${one}`,
        actual: `${two}`,
      });
    },
  }),

  scenario("payments-data/balance-ended", {
    title: "the cached balance may be unavailable after June 2025",
    operations: [CACHED],
    requirements: [ENDED],
    async run(t) {
      const { resources } = await t.accountOfType("checking", "savings");
      const exchange = await t.answered(CACHED, resources);
      const status = statusOf(exchange);
      t.judge.observe("GetAvailableBalance after June 2025", CACHED, `answered with ${status}`);
      if (isAccepted(exchange)) {
        const seen = "the operation is still served, which the document also allows: this is only a remark";
        return t.leaveUntried(ENDED, "permitted", seen);
      }
      const wording = { message: `${CACHED} fails`, expected: "200, or a refusal" };
      t.judgeThat(ENDED, status < 500, [exchange], wording);
    },
  }),
];

const boundsOf = (t: T): { readonly least: number; readonly most: number } => {
  const { schema = {} } = t.parameterOf(LIVE, INTERVAL) ?? {};
  const { minimum = 0, maximum = LONGEST } = { ...t.resolved(schema), ...schema };
  return { least: Number(minimum), most: Number(maximum) };
};

const balanceWithin = async (t: T, resources: Resources, interval: number) => {
  const exchange = await t.accepted(LIVE, resources, { parameters: { [INTERVAL]: interval } });
  return { date: dateOf(exchange), exchange };
};

/** Reads when the balance was fetched, in seconds since 1970. @throws NotTried when it shows no date */
const dateOf = (exchange: Exchange): number => {
  const date = secondsOf(fieldOf(contentOf(exchange), "availableBalanceDate", "balanceDate"));
  if (date === undefined) throw new NotTried("name-assumed", "no field is named like availableBalanceDate");
  return date;
};
