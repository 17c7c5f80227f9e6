/** Opens the judge of callers, with what the folders of the services say about them. */
import { hasCode } from "../../../helpers/contract/code.ts";
import type { Contract, Service } from "../../../helpers/contract/contract.ts";
import type { Recorder } from "../../../helpers/exchange/recorder.ts";
import type { CallerPolicy } from "../judging/check.ts";
import { type CallerJudge, type CallerJudgeOptions, createCallerJudge } from "../judging/judge.ts";
import { policyOfAny } from "../judging/of-any-contract.ts";
import { withHalfRows } from "./half-rows.ts";

/**
 * Opens a judge of the callers of all services that have a base URL.
 * @returns it with the contracts of these services, with the requirements of callers
 */
export const openCallerJudge = async (
  given: readonly Contract[],
  baseUrls: Readonly<Record<Service, string>>,
  recorder: Recorder,
  onFinding?: CallerJudgeOptions["onFinding"],
): Promise<{ readonly judge: CallerJudge; readonly contracts: readonly Contract[] }> => {
  const contracts = given
    .filter(({ service }) => baseUrls[service] !== undefined)
    .map((contract) => withHalfRows(contract, "caller"));
  const policies = await callerPolicies(contracts);
  return { contracts, judge: createCallerJudge({ contracts, policies, recorder, onFinding }) };
};

/** Returns the policy of each service: its own one, or the one for any contract. */
export const callerPolicies = (contracts: readonly Contract[]): Promise<CallerPolicy[]> =>
  Promise.all(
    contracts.map(async ({ service }) => {
      const own = await load<{ callerPolicy: CallerPolicy }>(service, "policy.ts");
      return own?.callerPolicy ?? policyOfAny(service);
    }),
  );

/** Loads a file of `services/SERVICE/caller`; `undefined` when the service has no such file. */
export const load = async <Module>(service: Service, file: string): Promise<Module | undefined> =>
  hasCode(`extensions/client/services/${service}/caller/${file}`)
    ? ((await import(`../services/${service}/caller/${file}`)) as Module)
    : undefined;
