/** Refreshes: with each version of the operation, automatically once a day, and after the client has disconnected. */
import { attemptShown, isActive } from "../../../fixtures/financial-data/linked-accounts.ts";
import { DAY, OF_CUSTOMER } from "../../../fixtures/financial-data/listed-transactions.ts";
import { scenariosIn, type T } from "../../../fixtures/financial-data/trial.ts";
import type { Parameter } from "../../../helpers/contract/contract.ts";
import { viewsOf } from "../../../helpers/contract/views.ts";
import { contentOf, type Exchange, isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { type Patience, waitUntil } from "../../../helpers/flows/wait-until.ts";
import { fieldOf, NotTried, type Resources, TargetLost } from "../../../helpers/trials/kit/language.ts";
import { partAbout } from "../../../helpers/trials/relations/resources.ts";

const scenario = scenariosIn("Accounts");
const LIST = "GetCustomerAccounts";
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
export const awaitedRefreshScenarios = [
  scenario("accounts/aggregation", {
    title: "accounts and transactions of a linked institution are aggregated and can be refreshed",
    section: "What the service does",
    operations: [LIST, "GetAllCustomerTransactions", ...REFRESHES],
    requirements: [AGGREGATION, ATTEMPT],
    async run(t) {
      await concludeLinked(t);
      const { resources } = await t.ownAccount();
      const shown: Exchange[] = [];
      const end = t.clock.now() + PATIENCE.limitSeconds * 1000 + EARLIER_MS;
      for (const operationId of REFRESHES) {
        await t.attempt([AGGREGATION, ATTEMPT], async () => {
          // In real time, the refreshes together wait no longer than one of them may take.
          const left = canMove(t) ? PATIENCE.limitSeconds : (end - t.clock.now()) / 1000;
          shown.push(await refreshed(t, operationId, resources, { ...PATIENCE, limitSeconds: left }));
        });
      }
      const [refresh] = shown;
      if (refresh === undefined) return;
      await t.attempt(ATTEMPT, () => judgeLists(t, resources));
      const halfYear = t.lastDays(180);
      const { items, exchange } = await t.readUntil(
        () => t.listTransactions(OF_CUSTOMER, resources, halfYear),
        (listed) => listed.items.length > 0,
      );
      // A customer that the user configured may have no transactions.
      t.recordIfConfirmed(AGGREGATION, items.length > 0, [exchange, refresh], {
        message: "no transaction of a linked account is listed",
        expected: "at least one transaction",
        actual: "none",
      });
    },
  }),
];

export const accountRefreshScenarios = [
  scenario("accounts/refresh-dates", {
    title: "a refresh of a login accepts a from date and a to date",
    operations: [V1_OF_LOGIN],
    requirements: [DATES],
    async run(t) {
      const { resources } = await t.ownAccount();
      const both = t.lastDays(30);
      for (const [name, other] of [
        ["fromDate", "toDate"],
        ["toDate", "fromDate"],
      ] as const) {
        const alone = { operationId: V1_OF_LOGIN, name, value: both[name] };
        if ((await t.tryParameter(DATES, alone, resources)) === undefined) return;
        const base = { parameters: { [other]: both[other] } };
        await t.tryParameter(DATES, { ...alone, base }, resources);
      }
    },
  }),

  scenario("accounts/refresh-daily", {
    title: "accounts are refreshed automatically once a day",
    operations: [LIST, "GetCustomerAccount"],
    requirements: [DAILY],
    async run(t) {
      t.needClock("a day has to pass");
      const { resources } = await t.ownAccount();
      const before = await t.lastAttempt(resources);
      await t.clock.pass(DAY + 3600);
      const after = await t.readUntil(
        () => t.lastAttempt(resources),
        ({ seconds }) => seconds > before.seconds,
      );
      const holds = after.seconds > before.seconds;
      t.judgeThat(DAILY, holds, [after.exchange, before.exchange], {
        message: "after a day the account still shows the aggregation attempt of the day before",
        expected: "an attempt within the day that passed",
        actual: `${before.seconds} before, ${after.seconds} after`,
      });
    },
  }),

  scenario("accounts/refresh-left-alone", {
    title: "a refresh completes after the client disconnects",
    operations: ["RefreshCustomerAccounts", "RefreshCustomerAccountsV2"],
    requirements: [DISCONNECT],
    async run(t) {
      const usual = await t.ownAccount();
      const { attempt: control, operationId } = await firstEffectiveRefresh(t, usual.resources);
      // The client disconnects before a slow institution can answer.
      const slow = (await t.situationIfOffered("slow-institution")) ?? usual.resources;
      const before = await t.lastAttempt(slow);
      let after: Awaited<ReturnType<typeof laterAttempt>>;
      // A limit of requests may have refused an abandoned request, because its answer is not seen.
      for (let sent = 0; sent < ABANDONED && after === undefined; sent += 1) {
        await t.clock.pass(1);
        const call = await t.validCall(operationId, slow, { judged: false });
        const { failure } = await t.send({ ...call, abandon: true });
        if (failure?.kind !== "abandoned")
          throw new TargetLost("unanswered", failure?.message ?? "the target answered before");
        after = await laterAttempt(t, slow, before.seconds);
      }
      t.judgeThat(DISCONNECT, after !== undefined, [after?.exchange ?? before.exchange, control], {
        message: `${ABANDONED} refreshes whose client disconnected (${operationId}) did not change the account`,
        expected: "a later aggregation attempt date, as after a refresh without a disconnect",
        actual: `${before.seconds} after ${PATIENCE.limitSeconds} seconds`,
      });
      // One changed answer alone shows no violation, because the refresh is repeated.
      t.showOccasion(DISCONNECT);
    },
  }),
];

/** Judges that each list shows the last refresh as the account alone does. */
const judgeLists = async (t: T, resources: Resources): Promise<void> => {
  const last = await t.lastAttempt(resources);
  for (const { operation, isList } of viewsOf(t.contract, "account")) {
    const { operationId } = operation;
    const attemptIn = (exchange: Exchange) =>
      attemptShown(partAbout(contentOf(exchange), resources.account ?? ""));
    const isDue = (seconds = last.seconds) => seconds < last.seconds;
    if (!isList) continue;
    const list = await t.readUntil(
      () => t.answered(operationId, resources),
      (exchange) => !isDue(attemptIn(exchange)),
    );
    if (!isAccepted(list) || attemptIn(list) === undefined) continue;
    t.recordIfConfirmed(ATTEMPT, !isDue(attemptIn(list)), [list, last.exchange], {
      confirmed: t.isConfirmed(operationId),
      named: true,
      message: `${operationId} shows an older aggregation attempt than the account alone`,
      expected: `${last.seconds}`,
      actual: `${attemptIn(list)}`,
    });
  }
};

/** Judges that linked accounts of a new customer are listed, if the target links accounts. */
const concludeLinked = async (t: T): Promise<void> => {
  if (!t.capabilities.has("linked-accounts")) return;
  const customer = await t.arrange.exclusive().need("customer");
  const isLinked = (one: Exchange): boolean => t.itemsIn(one).length > 0;
  const exchange = await t.readUntil(() => t.accepted(LIST, { customer }), isLinked);
  t.judgeThat(AGGREGATION, isLinked(exchange), [exchange], {
    message: "no linked account is listed",
    expected: "the linked accounts",
    actual: "none",
  });
};

/** Sends the refresh and waits until the account shows it. @throws NotTried when it is refused */
const refreshed = async (
  t: T,
  operationId: string,
  resources: Resources,
  patience: Patience,
): Promise<Exchange> => {
  const list = () => t.answered(LIST, resources);
  const others = attemptsIn(t, await list());
  const { exchange, before, after } = await refresh(t, operationId, resources, patience);
  if (!isAccepted(exchange)) {
    // Only the partner knows which version belongs to its Data Access Tier (gaps: Data Access Tiers).
    throw new NotTried("answered", operationId, `${statusOf(exchange)}, as in another Data Access Tier`);
  }
  const finding = {
    message: `after ${operationId} the account shows no later aggregation attempt date`,
    expected: "a later date after the refresh has completed",
    actual: `${before} before and after`,
  };
  const exchanges = [after?.exchange ?? exchange, exchange];
  t.judgeThat(ATTEMPT, after !== undefined, exchanges, finding);
  if (after === undefined && t.isConfirmed(operationId)) {
    t.judgeThat(AGGREGATION, false, exchanges, finding);
  }
  if (after === undefined || t.operationOf(operationId).parameters.some(isOfLogin)) return exchange;
  const staleIn = (listed: Exchange): string[] =>
    [...attemptsIn(t, listed)].flatMap(([id, seconds]) => (seconds === others.get(id) ? [id] : []));
  const listed = await t.readUntil(list, (one) => isAccepted(one) && staleIn(one).length === 0);
  t.recordIfConfirmed(ATTEMPT, staleIn(listed).length === 0, [listed, exchange], {
    message: `after ${operationId} only some accounts show a later aggregation attempt date`,
    expected: "a later date of each active account without an error",
    actual: `the date from before of ${staleIn(listed).join(", ")}`,
  });
  return exchange;
};

/** Returns the last attempt for each account of a list that is active and has no error. */
const attemptsIn = (t: T, list: Exchange): ReadonlyMap<string, number> =>
  new Map(
    t.itemsIn(list).flatMap((item) => {
      const [id, seconds] = [t.idOf(LIST, "account", item), attemptShown(item)];
      const hasError = Number(fieldOf(item, "aggregationStatusCode") ?? 0) !== 0;
      return id === undefined || seconds === undefined || hasError || !isActive({ fields: item })
        ? []
        : [[id, seconds] as const];
    }),
  );

const isOfLogin = ({ resource }: Parameter): boolean => resource === "institution-login";

/** Sends a refresh. Returns its answer, and the later aggregation attempt if the refresh was accepted. */
const refresh = async (t: T, operationId: string, resources: Resources, patience?: Patience) => {
  const { seconds: before } = await t.lastAttempt(resources);
  await t.clock.pass(1);
  const exchange = await t.answered(operationId, resources);
  const after = isAccepted(exchange) ? await laterAttempt(t, resources, before, patience) : undefined;
  return { exchange, before, after };
};

/** @throws NotTried when the refresh takes longer than the run waits in real time */
const laterAttempt = async (
  t: T,
  resources: Resources,
  before: number,
  patience: Patience = canMove(t) ? PATIENCE : SHORT,
) => {
  const readLater = async () => {
    const now = await t.lastAttempt(resources);
    return now.seconds > before ? now : undefined;
  };
  const late =
    (await waitUntil(t.clock, readLater, AT_ONCE)) ?? (await waitUntil(t.clock, readLater, patience));
  if (late === undefined && patience.limitSeconds < PATIENCE.limitSeconds)
    throw new NotTried("lacks-clock", "the refresh takes longer than the run waits");
  return late;
};

const canMove = ({ capabilities }: T): boolean => capabilities.has("clock");

/** @throws NotTried when no refresh changes the account, because an abandoned refresh then proves nothing */
const firstEffectiveRefresh = async (
  t: T,
  resources: Resources,
): Promise<{ readonly attempt: Exchange; readonly operationId: string }> => {
  for (const operationId of ["RefreshCustomerAccounts", "RefreshCustomerAccountsV2"]) {
    const { exchange, after } = await refresh(t, operationId, resources);
    if (after !== undefined) return { attempt: exchange, operationId };
  }
  throw new NotTried("not-shown", "no refresh changed the aggregation attempt date while the run waited");
};
