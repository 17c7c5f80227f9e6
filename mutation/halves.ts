/** Runs the right and the wrong subjects of a half: callers, or listeners. */
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { STRENGTH, type TrialResult, type Verdict } from "../helpers/trials/ledger.ts";
import type { Half, HalfRun } from "../reports/half-matrix.ts";
import { callersOf, openCallerBench } from "./callers.ts";
import { listenerSubjects } from "./listeners.ts";

/** Returns the strongest verdict of each requirement. */
const verdictsIn = (results: readonly TrialResult[]): ReadonlyMap<string, Verdict> => {
  const verdicts = new Map<string, Verdict>();
  for (const { requirement, verdict } of results.flatMap(({ entries }) => entries)) {
    const known = verdicts.get(requirement) ?? "not-tried";
    verdicts.set(requirement, STRENGTH.indexOf(verdict) > STRENGTH.indexOf(known) ? verdict : known);
  }
  return verdicts;
};

const isViolated = (verdict: Verdict | undefined): boolean => verdict === "failed" || verdict === "advisory";

/** @param requirement the full id of the requirement that a wrong subject violates; `null` for a right subject */
const halfRun = (
  service: Service,
  name: string,
  requirement: string | null,
  results: readonly TrialResult[],
): HalfRun => {
  const verdicts = verdictsIn(results);
  const violated = [...verdicts].flatMap(([id, verdict]) => (isViolated(verdict) ? [id] : [])).sort();
  const shown = [...verdicts].flatMap(([id, verdict]) => (verdict === "not-tried" ? [] : [id])).sort();
  const status =
    requirement === null
      ? violated.length === 0
        ? "acquitted"
        : "convicted"
      : violated.includes(requirement)
        ? "found"
        : violated.length > 0
          ? "found-by-another"
          : "missed";
  return { service, name, requirement, status, violated, shown };
};

/**
 * Returns no runs for a service without subjects.
 * @param isSample whether only one of five wrong callers is run, and wrong listeners get only the probe that finds them
 */
export const runSubjects = (half: Half, contract: Contract, isSample = false): Promise<HalfRun[]> =>
  half === "caller" ? runCallers(contract, isSample) : runListeners(contract, isSample);

/** Runs all listeners of a service. */
const runListeners = async (contract: Contract, isSample: boolean): Promise<HalfRun[]> => {
  const runs: HalfRun[] = [];
  for (const { name, requirement, run } of await listenerSubjects(contract)) {
    runs.push(halfRun(contract.service, name, requirement, await run(isSample)));
  }
  return runs;
};

const SAMPLED = 5;

/** Runs the callers of a service, each on a sandbox of its own; right ones with all exercises. */
const runCallers = async (contract: Contract, isSample: boolean): Promise<HalfRun[]> => {
  const { service } = contract;
  const { right, wrong } = await callersOf(service);
  const bench = await openCallerBench(contract);
  const runs: HalfRun[] = [];
  try {
    for (const client of right) {
      const { results } = await bench.run(client, client.exercises ?? ["all"]);
      runs.push(halfRun(service, client.name, null, results));
    }
    for (const client of isSample ? wrong.filter((_, index) => index % SAMPLED === 0) : wrong) {
      const { results } = await bench.run(client, client.exercises ?? []);
      runs.push(halfRun(service, client.name, `${service}.${client.requirement}`, results));
    }
  } finally {
    await bench.close();
  }
  return runs;
};
