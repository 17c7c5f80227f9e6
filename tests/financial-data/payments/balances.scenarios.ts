/** Available balances: of each account type, cached or fresh as the interval says, and the cached-only variant. */

import { tryAccountTypes } from "../../../fixtures/financial-data/account-types.ts";
import {
  accepted,
  answered,
  fieldOf,
  operationOf,
  parameterOf,
  type Resources,
  secondsOf,
} from "../../../fixtures/financial-data/calls.ts";
import { attempt, conclude, tryParameter } from "../../../fixtures/financial-data/conclude.ts";
import { id } from "../../../fixtures/financial-data/ids.ts";
import { accountOfType, ownAccount } from "../../../fixtures/financial-data/linked-accounts.ts";
import { scenario } from "../../../fixtures/financial-data/trial.ts";
import type { JsonSchema } from "../../../helpers/contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { NotTried } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const SECTION = "Payments data";
const LIVE = "GetAvailableBalanceLive";
const CACHED = "GetAvailableBalance";
const INTERVAL = "balance_cache_interval";
const TYPES = "availableBalance.account-types";
const DECISION = `${LIVE}.cache-decision`;
const ENDED = `${CACHED}.unavailable-after-2025-06`;

/** In minutes, as the contract assumes the interval to be: longer than nothing, and shorter than the longest. */
const PASSED_S = 600;
const LONGEST = 1440;

export const balanceScenarios: readonly Trial[] = [
  scenario(
    {
      id: "payments-data/balance-types",
      title: "available balance is served for each of its account types",
      section: SECTION,
      operations: [LIVE, CACHED],
      requirements: [TYPES],
    },
    async (context) => {
      for (const operationId of [LIVE, CACHED]) {
        await attempt(context, [TYPES], async () => {
          await tryAccountTypes(context, TYPES, operationId, operationOf(context, operationId).accountTypes);
        });
      }
    },
  ),

  scenario(
    {
      id: "payments-data/balance-interval",
      title: `the live balance takes ${INTERVAL}`,
      section: SECTION,
      operations: [LIVE],
      requirements: [`${LIVE}.${INTERVAL}-query`],
    },
    async (context) => {
      const { resources } = await accountOfType(context, "checking", "savings");
      await tryParameter(context, `${LIVE}.${INTERVAL}-query`, resources, {
        operationId: LIVE,
        name: INTERVAL,
      });
    },
  ),

  scenario(
    {
      id: "payments-data/balance-cache",
      title: "the interval decides whether a cached balance is still valid or a fresh one is fetched",
      section: SECTION,
      operations: [LIVE],
      requirements: [DECISION],
    },
    async (context) => {
      requireClock(context);
      if (!context.capabilities.has("new-implementation")) {
        throw new NotTried("the unit of the interval and the mark of a cached balance are not shown");
      }
      const { resources } = await ownAccount(context);
      const { least, most } = boundsOf(context);
      const first = await balanceWithin(context, resources, least);
      await context.clock.pass(PASSED_S);
      const cached = await balanceWithin(context, resources, most);
      const fresh = await balanceWithin(context, resources, least);
      const finding = {
        message: `a balance that is younger than ${INTERVAL} was fetched again`,
        expected: `the cached one of ${first.date}`,
        actual: `${cached.date}`,
      };
      const isKept = cached.date === first.date;
      conclude(context, DECISION, { holds: isKept, certain: true, finding }, [
        cached.exchange,
        first.exchange,
      ]);
      const stale = {
        message: `a balance that is older than ${INTERVAL} was not fetched again`,
        expected: `a later one than ${first.date}`,
        actual: `${fresh.date}`,
      };
      const isFresh = fresh.date > first.date;
      conclude(context, DECISION, { holds: isFresh, certain: true, finding: stale }, [
        fresh.exchange,
        first.exchange,
      ]);
    },
  ),

  scenario(
    {
      id: "payments-data/balance-cached-only",
      title: "the cached balance is not refreshed by reading it",
      section: SECTION,
      operations: [CACHED],
      requirements: [`${CACHED}.cached-only`],
    },
    async (context) => {
      requireClock(context);
      const { resources } = await ownAccount(context);
      const before = await accepted(context, CACHED, resources);
      await context.clock.pass(PASSED_S);
      const after = await accepted(context, CACHED, resources);
      const [one, two] = [dateOf(before), dateOf(after)];
      const finding = {
        message: "reading the cached balance refreshed it",
        expected: `${one}`,
        actual: `${two}`,
      };
      conclude(context, `${CACHED}.cached-only`, { holds: one === two, certain: true, finding }, [
        after,
        before,
      ]);
    },
  ),

  scenario(
    {
      id: "payments-data/balance-ended",
      title: "the cached balance may be gone after June 2025",
      section: SECTION,
      operations: [CACHED],
      requirements: [ENDED],
    },
    async (context) => {
      const { resources } = await accountOfType(context, "checking", "savings");
      const exchange = await answered(context, CACHED, resources);
      const status = statusOf(exchange);
      context.judge.observe("GetAvailableBalance after June 2025", CACHED, `answered with ${status}`);
      if (isAccepted(exchange)) {
        context.judge.notTried(
          id(ENDED),
          "it is still served, and the document lists it with 200 as well: a remark only",
        );
        return;
      }
      const finding = { message: `${CACHED} fails`, expected: "200, or a refusal", actual: `${status}` };
      conclude(context, ENDED, { holds: status < 500, certain: true, finding }, [exchange]);
    },
  ),
];

const requireClock = ({ capabilities }: TrialContext): void => {
  if (!capabilities.has("clock")) throw new NotTried("needs clock: a balance has to age");
};

const boundsOf = (context: TrialContext): { readonly least: number; readonly most: number } => {
  const { schema = {} } = parameterOf(operationOf(context, LIVE), INTERVAL) ?? {};
  const { minimum = 0, maximum = LONGEST } = { ...componentOf(context, schema), ...schema };
  return { least: Number(minimum), most: Number(maximum) };
};

const componentOf = ({ contract }: TrialContext, { $ref }: JsonSchema): JsonSchema =>
  typeof $ref === "string" ? (contract.schemas[$ref.split("/").at(-1) ?? ""] ?? {}) : {};

const balanceWithin = async (context: TrialContext, resources: Resources, interval: number) => {
  const exchange = await accepted(context, LIVE, resources, { parameters: { [INTERVAL]: interval } });
  return { date: dateOf(exchange), exchange };
};

/** Seconds since 1970 at which the balance was fetched. @throws NotTried when it shows no date */
const dateOf = ({ operationId, response }: Exchange): number => {
  const date = secondsOf(fieldOf(response?.json, "availableBalanceDate", "balanceDate"));
  if (date === undefined)
    throw new NotTried(`${operationId} shows no date of the balance under a name like availableBalanceDate`);
  return date;
};
