/** Recognises a service of which little was tried, because its answers did not give the token or the resources for it. */
import type { Service } from "../../helpers/contract/contract.ts";
import type { TrialResult } from "../../helpers/trials/ledger.ts";
import { grouped, largestFirst } from "../order.ts";
import { counted } from "../text.ts";

/**
 * Returns the problem of a run in which more than half of the tried operations of a service got no call. What lacks a
 * setting or a permission was not tried.
 */
export const unarrangedOf = (service: Service, trialResults: readonly TrialResult[]): string | undefined => {
  const results = trialResults.filter((result) => result.service === service);
  const called = new Set(
    results.flatMap(({ operations }) =>
      operations.filter(({ status }) => status !== 0).map(({ operationId }) => operationId),
    ),
  );
  const stopped = results.flatMap(({ unarranged }) => unarranged ?? []);
  const without = new Set(stopped.flatMap(({ operations }) => operations).filter((one) => !called.has(one)));
  if (without.size <= called.size) return undefined;
  const [most] = grouped(stopped, ({ reason }) => reason).sort(largestFirst);
  const tried = counted(without.size + called.size, "tried operation");
  return `${without.size} of ${tried} of ${service} got no call, because the target's answers did not give what they need: ${most?.title}.`;
};
