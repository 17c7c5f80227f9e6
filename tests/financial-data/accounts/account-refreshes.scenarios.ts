/** Refreshes: with each version of the operation, automatically once a day, and after the client has disconnected. */

import { attemptOf, attemptShown, ownAccount } from "../../../fixtures/financial-data/linked-accounts.ts";
import {
  DAY,
  lastDays,
  listTransactions,
  OF_CUSTOMER,
} from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { viewsOf } from "../../../helpers/contract/views.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { readUntil } from "../../../helpers/flows/read-until.ts";
import { type Patience, waitUntil } from "../../../helpers/flows/wait-until.ts";
import { accepted, answered } from "../../../helpers/trials/kit/asking.ts";
import { attempt, needClock } from "../../../helpers/trials/kit/attempt.ts";
import { type Resources, situationIfOffered, validCall } from "../../../helpers/trials/kit/calls.ts";
import { isConfirmed } from "../../../helpers/trials/kit/names.ts";
import { tryParameter } from "../../../helpers/trials/kit/parameters.ts";
import { itemsIn } from "../../../helpers/trials/kit/reading.ts";
import { judgeThat, recordIfConfirmed, showOccasion } from "../../../helpers/trials/kit/verdicts.ts";
import { partAbout } from "../../../helpers/trials/relations/resources.ts";
import { NotTried, TargetLost } from "../../../helpers/trials/stopped.ts";
import type { Trial, TrialContext } from "../../../helpers/trials/trial.ts";

const scenario = scenariosIn("Accounts");
const V1_OF_LOGIN = "RefreshCustomerAccountsByInstitutionLogin";
const REFRESHES = [
  "RefreshCustomerAccounts",
  V1_OF_LOGIN,
  "RefreshCustomerAccountsV2",
  "RefreshCustomerAccountsByInstitutionLoginV2",
];
const AGGREGATION = "aggregation.accounts-and-transactions";
const ATTEMPT = "accounts.refresh.aggregation-attempt-date";
const DISCONNECT = "accounts.refresh.completes-after-disconnect";
const DAILY = "accounts.refresh.daily-automatic";
const DATES = `${V1_OF_LOGIN}.date-range-query`;

/** The first polling. Most refreshes complete within it. */
const AT_ONCE = { everySeconds: 1, limitSeconds: 3 };
/** The second polling, up to the recommended time limit of a client. */
const PATIENCE = { everySeconds: 20, limitSeconds: 180 };
/** What passes before the first wait. */
const EARLIER_MS = 30_000;
/** The second polling in real time of a trial that no others wait beside. */
const SHORT = { everySeconds: 20, limitSeconds: 20 };

/** The number of refreshes whose client disconnects. */
const ABANDONED = 3;

/** What may take minutes. */
export const awaitedRefreshScenarios: readonly Trial[] = [
  scenario({
    id: "accounts/aggregation",
    title: "accounts and transactions of a linked institution are aggregated and can be refreshed",
    section: "What the service does",
    operations: ["GetCustomerAccounts", "GetAllCustomerTransactions", ...REFRESHES],
    requirements: [AGGREGATION, ATTEMPT],
    async run(context) {
      await concludeLinked(context);
      const { resources } = await ownAccount(context);
      const shown: Exchange[] = [];
      const end = context.clock.now() + PATIENCE.limitSeconds * 1000 + EARLIER_MS;
      for (const operationId of REFRESHES) {
        await attempt(context, [AGGREGATION, ATTEMPT], async () => {
          // In real time, the refreshes together wait no longer than one of them may take.
          const left = canMove(context) ? PATIENCE.limitSeconds : (end - context.clock.now()) / 1000;
          shown.push(await refreshed(context, operationId, resources, { ...PATIENCE, limitSeconds: left }));
        });
      }
      const [refresh] = shown;
      if (refresh === undefined) return;
      await attempt(context, ATTEMPT, () => judgeLists(context, resources));
      const halfYear = lastDays(context, 180);
      const { items, exchange } = await readUntil(
        context,
        () => listTransactions(context, OF_CUSTOMER, resources, halfYear),
        (listed) => listed.items.length > 0,
      );
      recordIfConfirmed(context, AGGREGATION, items.length > 0, [exchange, refresh], {
        // A customer that the user configured may have no transactions.
        confirmed: isConfirmed(context),
        message: "no transaction of a linked account is listed",
        expected: "at least one transaction",
        actual: "none",
      });
    },
  }),
];

export const accountRefreshScenarios: readonly Trial[] = [
  scenario({
    id: "accounts/refresh-dates",
    title: "a refresh of a login accepts a from date and a to date",
    operations: [V1_OF_LOGIN],
    requirements: [DATES],
    async run(context) {
      const { resources } = await ownAccount(context);
      const both = lastDays(context, 30);
      for (const [name, other] of [
        ["fromDate", "toDate"],
        ["toDate", "fromDate"],
      ] as const) {
        const alone = { operationId: V1_OF_LOGIN, name, value: both[name] };
        if ((await tryParameter(context, DATES, alone, resources)) === undefined) return;
        const base = { parameters: { [other]: both[other] } };
        await tryParameter(context, DATES, { ...alone, base }, resources);
      }
    },
  }),

  scenario({
    id: "accounts/refresh-daily",
    title: "accounts are refreshed automatically once a day",
    operations: ["GetCustomerAccounts", "GetCustomerAccount"],
    requirements: [DAILY],
    async run(context) {
      needClock(context, "a day has to pass");
      const { resources } = await ownAccount(context);
      const before = await attemptOf(context, resources);
      await context.clock.pass(DAY + 3600);
      const after = await readUntil(
        context,
        () => attemptOf(context, resources),
        ({ seconds }) => seconds > before.seconds,
      );
      const holds = after.seconds > before.seconds;
      judgeThat(context, DAILY, holds, [after.exchange, before.exchange], {
        message: "after a day the account still shows the aggregation attempt of the day before",
        expected: "an attempt within the day that passed",
        actual: `${before.seconds} before, ${after.seconds} after`,
      });
    },
  }),

  scenario({
    id: "accounts/refresh-left-alone",
    title: "a refresh completes after the client disconnects",
    operations: ["RefreshCustomerAccounts", "RefreshCustomerAccountsV2"],
    requirements: [DISCONNECT],
    async run(context) {
      const usual = await ownAccount(context);
      const { attempt: control, operationId } = await firstEffectiveRefresh(context, usual.resources);
      // The client disconnects before a slow institution can answer.
      const slow = (await situationIfOffered(context, "slow-institution")) ?? usual.resources;
      const before = await attemptOf(context, slow);
      let after: Awaited<ReturnType<typeof laterAttempt>>;
      // A limit of requests may have refused an abandoned request, because its answer is not seen.
      for (let sent = 0; sent < ABANDONED && after === undefined; sent += 1) {
        await context.clock.pass(1);
        const call = await validCall(context, operationId, slow, { judged: false });
        const { failure } = await context.send({ ...call, abandon: true });
        if (failure?.kind !== "abandoned")
          throw new TargetLost(failure?.message ?? "the request was not sent");
        after = await laterAttempt(context, slow, before.seconds);
      }
      judgeThat(context, DISCONNECT, after !== undefined, [after?.exchange ?? before.exchange, control], {
        message: `${ABANDONED} refreshes whose client disconnected (${operationId}) did not change the account`,
        expected: "a later aggregation attempt date, as after a refresh without a disconnect",
        actual: `${before.seconds} after ${PATIENCE.limitSeconds} seconds`,
      });
      // One changed answer alone shows no violation, because the refresh is repeated.
      showOccasion(context, DISCONNECT);
    },
  }),
];

/** Judges that each list shows the last refresh as the account alone does. */
const judgeLists = async (context: TrialContext, resources: Resources): Promise<void> => {
  const last = await attemptOf(context, resources);
  for (const { operation, isList } of viewsOf(context.contract, "account")) {
    const { operationId } = operation;
    const attemptIn = (exchange: Exchange) =>
      attemptShown(partAbout(contentOf(exchange), resources.account ?? ""));
    const isDue = (seconds = last.seconds) => seconds < last.seconds;
    if (!isList) continue;
    const list = await readUntil(
      context,
      () => answered(context, operationId, resources),
      (exchange) => !isDue(attemptIn(exchange)),
    );
    if (!isAccepted(list) || attemptIn(list) === undefined) continue;
    recordIfConfirmed(context, ATTEMPT, !isDue(attemptIn(list)), [list, last.exchange], {
      confirmed: isConfirmed(context, operationId),
      named: true,
      message: `${operationId} shows an older aggregation attempt than the account alone`,
      expected: `${last.seconds}`,
      actual: `${attemptIn(list)}`,
    });
  }
};

/** Judges that linked accounts of a new customer are listed, if the target links accounts. */
const concludeLinked = async (context: TrialContext): Promise<void> => {
  if (!context.capabilities.has("linked-accounts")) return;
  const customer = await context.arrange.exclusive().need("customer");
  const isLinked = (one: Exchange): boolean => itemsIn(context, one).length > 0;
  const exchange = await readUntil(
    context,
    () => accepted(context, "GetCustomerAccounts", { customer }),
    isLinked,
  );
  judgeThat(context, AGGREGATION, isLinked(exchange), [exchange], {
    message: "no linked account is listed",
    expected: "the linked accounts",
    actual: "none",
  });
};

/** Sends the refresh and waits until the account shows it. @throws NotTried when it is refused */
const refreshed = async (
  context: TrialContext,
  operationId: string,
  resources: Resources,
  patience: Patience,
): Promise<Exchange> => {
  const { exchange, before, after } = await refresh(context, operationId, resources, patience);
  if (!isAccepted(exchange)) {
    // Only the partner knows which version belongs to its Data Access Tier (gaps: Data Access Tiers).
    throw new NotTried(
      `${operationId} answered ${statusOf(exchange)}: the partner may be in another Data Access Tier`,
    );
  }
  const finding = {
    message: `after ${operationId} the account shows no later aggregation attempt date`,
    expected: "a later date after the refresh has completed",
    actual: `${before} before and after`,
  };
  const exchanges = [after?.exchange ?? exchange, exchange];
  judgeThat(context, ATTEMPT, after !== undefined, exchanges, finding);
  if (after === undefined && isConfirmed(context, operationId)) {
    judgeThat(context, AGGREGATION, false, exchanges, finding);
  }
  return exchange;
};

/** Sends a refresh. Returns its answer, and the later aggregation attempt if the refresh was accepted. */
const refresh = async (
  context: TrialContext,
  operationId: string,
  resources: Resources,
  patience?: Patience,
) => {
  const { seconds: before } = await attemptOf(context, resources);
  await context.clock.pass(1);
  const exchange = await answered(context, operationId, resources);
  const after = isAccepted(exchange) ? await laterAttempt(context, resources, before, patience) : undefined;
  return { exchange, before, after };
};

/** @throws NotTried when the refresh takes longer than the run waits in real time */
const laterAttempt = async (
  context: TrialContext,
  resources: Resources,
  before: number,
  patience: Patience = canMove(context) ? PATIENCE : SHORT,
) => {
  const readLater = async () => {
    const now = await attemptOf(context, resources);
    return now.seconds > before ? now : undefined;
  };
  const late =
    (await waitUntil(context.clock, readLater, AT_ONCE)) ??
    (await waitUntil(context.clock, readLater, patience));
  if (late === undefined && patience.limitSeconds < PATIENCE.limitSeconds)
    throw new NotTried("needs clock: the refresh takes longer than the run waits");
  return late;
};

const canMove = ({ capabilities }: TrialContext): boolean => capabilities.has("clock");

/** @throws NotTried when no refresh changes the account, because an abandoned refresh then proves nothing */
const firstEffectiveRefresh = async (
  context: TrialContext,
  resources: Resources,
): Promise<{ readonly attempt: Exchange; readonly operationId: string }> => {
  for (const operationId of ["RefreshCustomerAccounts", "RefreshCustomerAccountsV2"]) {
    const { exchange, after } = await refresh(context, operationId, resources);
    if (after !== undefined) return { attempt: exchange, operationId };
  }
  throw new NotTried("no refresh changed the aggregation attempt date while the run waited");
};
