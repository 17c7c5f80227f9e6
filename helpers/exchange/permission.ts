/** Blocks billable, destructive and locking calls unless the user allowed them. */
import type { Permissions } from "../target/target.ts";
import type { Allowance } from "./allowance.ts";
import { type Draft, exchangeOf, type Interceptor } from "./draft.ts";
import { type Exchange, isAccepted, statusOf } from "./exchange.ts";

export const enforcePermissions =
  (permissions: Permissions, allowance: Allowance): Interceptor =>
  (next) =>
  async (draft) => {
    const hazards = draft.source.hazards ?? [];
    if (hazards.includes("destructive") && !permissions.destructive) {
      return refused(draft, "it is destructive; ALLOW_DESTRUCTIVE allows it");
    }
    if (hazards.includes("locks-account") && !permissions.locking) {
      return refused(draft, "it can lock an account; ALLOW_LOCKING allows it");
    }
    if (hazards.includes("billable") && !(await allowance.bill())) {
      return refused(draft, usedUp(permissions.billableCalls));
    }
    return await withinLogIns(draft, allowance, next);
  };

/** The reason for what a run leaves out because its budget is used up. */
export const BUDGET_SPENT = "left out by the budget";

/** Sends nothing when the budget of the run is used up. */
export const keepBudget =
  ({ spend }: Allowance): Interceptor =>
  (next) =>
  async (draft) =>
    (await spend(draft.source.service)) ? await next(draft) : refused(draft, BUDGET_SPENT);

/** The statuses 429 and 503, with which the server did not check the credentials. */
const UNHEARD = [429, 503];

/** Limits failed log-ins. A missing response counts as a failure. */
const withinLogIns = async (
  draft: Draft,
  allowance: Allowance,
  next: (draft: Draft) => Promise<Exchange>,
): Promise<Exchange> => {
  const { account } = draft.source;
  if (account === undefined) return await next(draft);
  if (!(await allowance.logIn(account))) {
    return refused(draft, "one more failed log-in could lock the account, which is not disposable");
  }
  let failed = true;
  try {
    const exchange = await next(draft);
    failed = !isAccepted(exchange) && !UNHEARD.includes(statusOf(exchange));
    return exchange;
  } finally {
    allowance.loggedIn(account, failed);
  }
};

const usedUp = (calls: number): string =>
  `the run's ${calls} billable calls are used up; MAX_BILLABLE_CALLS allows more`;

const refused = (draft: Draft, reason: string): Exchange =>
  exchangeOf(draft, {
    failure: { kind: "not-allowed", message: `${draft.source.operationId} was not sent: ${reason}` },
    startedAt: new Date(),
    durationMs: 0,
  });
