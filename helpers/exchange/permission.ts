/** Blocks billable, destructive and locking calls unless the user allowed them. */
import { because, type Reason, sentenceOf } from "../reasons/reason.ts";
import type { Permissions } from "../target/target.ts";
import type { Allowance } from "./allowance.ts";
import { type Draft, exchangeOf, type Interceptor } from "./draft.ts";
import { type Exchange, isAccepted, statusOf } from "./exchange.ts";

export const enforcePermissions =
  (permissions: Permissions, allowance: Allowance): Interceptor =>
  (next) =>
  async (draft) => {
    const { hazards = [], operationId } = draft.source;
    if (permissions.excluded?.includes(operationId)) return notAllowed(draft, "--exclude names it");
    if (hazards.includes("destructive") && !permissions.destructive) {
      return notAllowed(draft, "it is destructive; ALLOW_DESTRUCTIVE allows it");
    }
    if (hazards.includes("changes") && !permissions.destructive) {
      return notAllowed(draft, "it changes what the run did not create; ALLOW_DESTRUCTIVE allows it");
    }
    if (hazards.includes("locks-account") && !permissions.locking) {
      return notAllowed(draft, "it can lock an account; ALLOW_LOCKING allows it");
    }
    if (hazards.includes("billable") && !(await allowance.bill())) {
      return notAllowed(draft, usedUp(permissions.billableCalls));
    }
    return await withinAttempts(draft, allowance, next);
  };

/** Sends nothing when the budget of the run is used up. */
export const keepBudget =
  ({ spend }: Allowance): Interceptor =>
  (next) =>
  async (draft) =>
    (await spend(draft.source.service)) ? await next(draft) : refused(draft, because("left-out-by-budget"));

/** The statuses 429 and 503, with which the server did not check the credentials. */
const UNHEARD = [429, 503];

/** Limits what may do harm: failed log-ins, and accepted requests that should be refused. */
const withinAttempts = async (
  draft: Draft,
  allowance: Allowance,
  next: (draft: Draft) => Promise<Exchange>,
): Promise<Exchange> => {
  const { risk } = draft.source;
  if (risk === undefined) return await next(draft);
  const isLogIn = "account" in risk;
  if (!(await allowance.attempt(risk)))
    return isLogIn
      ? notAllowed(draft, MIGHT_LOCK)
      : refused(draft, because("would-last", draft.source.operationId));
  let harm = true;
  try {
    const exchange = await next(draft);
    // A missing response to a log-in counts as a failure.
    harm = isLogIn ? !isAccepted(exchange) && !UNHEARD.includes(statusOf(exchange)) : isAccepted(exchange);
    return exchange;
  } finally {
    allowance.attempted(risk, harm);
  }
};

const MIGHT_LOCK = "one more failed log-in could lock the account, which is not disposable";

const usedUp = (calls: number): string =>
  calls === 0
    ? "it is billable; MAX_BILLABLE_CALLS allows it"
    : `the run's ${calls} billable calls are used up; MAX_BILLABLE_CALLS allows more`;

const notAllowed = (draft: Draft, why: string): Exchange =>
  refused(draft, because("lacks-permission", `${draft.source.operationId} was not sent: ${why}`));

const refused = (draft: Draft, reason: Reason): Exchange =>
  exchangeOf(draft, {
    failure: { kind: "not-allowed", message: sentenceOf(reason), reason },
    startedAt: new Date(),
    durationMs: 0,
  });
