/** With one seed, a trial sends the same requests and reaches the same verdicts, even after other trials. */
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { ALLOWED, onSandbox, runAll } from "../support/in-process.ts";
import { isInSample, LONG, PROOF, sizeInLane } from "../support/lanes.ts";
import { createWitness } from "./own-requests.ts";

/** One in this many trials runs again. */
const STRIDE = { sample: 72, full: 1 };

for (const [index, service] of services().entries()) {
  test(
    `a run of ${service} observes every status, and its trials behave the same in other sessions`,
    isInSample(index, services().length) ? PROOF : LONG,
    async () => {
      const stride = sizeInLane(STRIDE);
      const contract = await loadContract(service);
      const trials = await trialsOf(contract);
      const whole = await runOf(contract, trials);
      expect(
        whole.flatMap(({ verdicts }) => verdicts.filter((one) => !/ (passed|not-tried) /.test(one))),
      ).toEqual([]);
      expect(unobserved(contract, whole)).toEqual([]);
      const again = trials.filter((_, place) => place % stride === 0);
      const others = (await Promise.all(dealt(again).map((some) => runOf(contract, some)))).flat();
      expect(others.length).toBe(again.length);
      expect(others.flatMap((one) => differences(one, whole))).toEqual([]);
      expect(others.flatMap(({ requests }) => requests).length).toBeGreaterThan(again.length);
    },
  );
}

/** Returns the documented statuses that no exchange had. */
const unobserved = ({ operations }: Contract, runs: readonly TrialRun[]): string[] => {
  const seen = new Set(runs.flatMap(({ statuses }) => statuses.map((one) => one.split(" × ")[1])));
  return operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses)
      .map((status) => `${operationId} ${status}`)
      .filter((pair) => !seen.has(pair)),
  );
};

/** Divides the trials between two sessions, in order; trials that share resources stay together, as in every run. */
const dealt = (trials: readonly Trial[]): readonly Trial[][] => {
  const hands: [Trial[], Trial[]] = [trials.filter(({ sharing }) => sharing !== undefined), []];
  const others = trials.filter(({ sharing }) => sharing === undefined);
  for (const [index, trial] of others.entries()) hands[index % 2 === 0 ? 0 : 1].push(trial);
  return hands;
};

/** A pass that rests on what other trials asked for: an operation must have been asked for two resources. */
const RESTS_ON_OTHERS = /\.own-resource passed /;

/** Describes the requests, statuses and verdicts that only one of the two runs had. */
const differences = (one: TrialRun, others: readonly TrialRun[]): string[] => {
  const other = others.find(({ trial }) => trial === one.trial);
  if (other === undefined) return [`${one.trial} did not run among all`];
  return (["requests", "statuses", "verdicts"] as const).flatMap((what) => [
    ...without(one[what], other[what]).map((line) => `${one.trial}, not among all: ${line}`),
    ...without(other[what], one[what]).map((line) => `${one.trial}, among all only: ${line}`),
  ]);
};

const without = (lines: readonly string[], others: readonly string[]): string[] => {
  const left = [...others];
  return lines.filter((line) => {
    if (RESTS_ON_OTHERS.test(line)) return false;
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};

interface TrialRun {
  readonly trial: string;
  readonly requests: readonly string[];
  readonly statuses: readonly string[];
  readonly verdicts: readonly string[];
}

const runOf = async (contract: Contract, trials: readonly Trial[]): Promise<TrialRun[]> => {
  const witness = createWitness(contract);
  const paged = new Set(
    contract.operations.filter(({ paging }) => paging !== undefined).map(({ operationId }) => operationId),
  );
  // A session with fewer trials gives fewer occasions.
  const setting = { contract, seed: 11, occasions: false, values: ALLOWED, onExchange: witness.see };
  const pages = await onSandbox(setting, (session) => runAll(session, trials.map(witness.watch)));
  return pages.map(({ trial, operations, entries }) => ({
    trial,
    requests: witness.requests.get(trial) ?? [],
    statuses: operations.map(
      ({ operationId, status, observed }) =>
        `${paged.has(operationId) ? "some" : observed} × ${operationId} ${status}`,
    ),
    verdicts: entries.map(
      ({ requirement, verdict, failure }) => `${requirement} ${verdict} ${failure?.message ?? ""}`,
    ),
  }));
};
