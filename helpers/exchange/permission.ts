/** Keeps calls that cost money, destroy or lock from being sent unless the user allowed them. */
import type { Hazard } from "../contract/contract.ts";
import type { Permissions } from "../target/target.ts";
import { exchangeOf, type Interceptor } from "./draft.ts";

interface PermissionKeeper {
  readonly interceptor: Interceptor;
  /** Billable calls let through so far. */
  billableCalls(): number;
}

export function enforcePermissions(permissions: Permissions): PermissionKeeper {
  let billable = 0;
  return {
    billableCalls: () => billable,
    interceptor: (next) => async (draft) => {
      const hazards = draft.source.hazards ?? [];
      const reason = refusal(hazards, permissions, billable);
      if (reason !== undefined) {
        const message = `${draft.source.operationId} was not sent: ${reason}`;
        return exchangeOf(draft, {
          failure: { kind: "not-allowed", message },
          startedAt: new Date(),
          durationMs: 0,
        });
      }
      if (hazards.includes("billable")) billable += 1;
      return await next(draft);
    },
  };
}

function refusal(hazards: readonly Hazard[], permissions: Permissions, billable: number): string | undefined {
  if (hazards.includes("destructive") && !permissions.destructive) {
    return "it is destructive; ALLOW_DESTRUCTIVE allows it";
  }
  if (hazards.includes("locks-account") && !permissions.locking) {
    return "it can lock an account; ALLOW_LOCKING allows it";
  }
  if (hazards.includes("billable") && billable >= permissions.billableCalls) {
    return `the run's ${permissions.billableCalls} billable calls are used up; MAX_BILLABLE_CALLS allows more`;
  }
  return undefined;
}
