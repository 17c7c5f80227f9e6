/** Runs the suite against the faults of the sandbox. */
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { differencesNamed, listDifferences } from "../mocks/engine/differences/differences.ts";
import type { Fault } from "../mocks/engine/faults/fault.ts";
import { catalogueDigest, faultsById, listFaults } from "../mocks/engine/faults/faults.ts";
import { buildMatrix, type FaultRuns, isProof } from "../reports/mutation.ts";
import { keepOrder, keepScores, matrixPath, writeMatrix } from "../reports/mutation-file.ts";
import { renderMutation, renderShare } from "../reports/mutation-terminal.ts";
import { isColored, print } from "../reports/print.ts";
import { loadContracts } from "../runner/command/contracts.ts";
import { showCount } from "../runner/command/count.ts";
import { changedSince, touchedFaults } from "./changed.ts";
import { cleanTask, FAILED, type Flags, isOwn, thriftyTask } from "./flags.ts";
import type { OtherSandbox, Task } from "./messages.ts";
import { partOf, resultsOf, type ShardResults, writeShard } from "./shards.ts";
import { perform } from "./workers.ts";

/** @returns the exit code */
export const runFaults = async (flags: Flags): Promise<number> => {
  const contracts = await loadContracts(flags.service, flags.contract);
  const chosen = chooseFaults(flags, await listFaults(contracts), contracts);
  if (chosen.length === 0) {
    print("No changed file can touch a fault.\n");
    return 0;
  }
  const sandboxOf = await otherSandbox(flags, contracts);
  const tasks: Task[] = [
    // The clean run shows which requirements pass, and is the longest task.
    ...(isWhole(flags)
      ? contracts.flatMap(({ service }) => [cleanTask(service, 1), thriftyTask(service)])
      : []),
    ...chosen.map(
      ({ id, service }): Task => ({
        kind: "runFault",
        service,
        fault: id,
        ...(sandboxWords(flags) !== undefined && { sandbox: sandboxOf(service) }),
      }),
    ),
  ];
  const startedAt = new Date();
  const part = partOf(tasks, flags.shard);
  const count = showCount(part.length, process.stdout);
  const done = await perform(part, flags.contract, (result) => {
    if ("status" in result) count.ended(result.status.startsWith("by-") ? "killed" : result.status);
    else count.ended();
  });
  count.stop();
  const { service: services, shard } = flags;
  const sandbox = sandboxWords(flags) ?? null;
  const run = { kind: "faults", services, isWhole: isWhole(flags), sandbox } as const;
  const results = resultsOf({ run, shard, startedAt }, done);
  if (shard === undefined) return finishFaults(flags, results);
  writeShard(flags.out, results);
  return renderFaults(flags, results);
};

/** Keeps the scores of a whole run, and reports it. @returns the exit code */
export const finishFaults = async (flags: Flags, results: ShardResults): Promise<number> => {
  if (results.run.isWhole && isOwn(flags.contract)) {
    const runs = await runsOf(flags, results);
    keepScores(buildMatrix(timesOf(results), runs).services);
    keepOrder(runs, results.clean);
  }
  return renderFaults(flags, results);
};

const renderFaults = async (flags: Flags, results: ShardResults): Promise<number> => {
  const runs = await runsOf(flags, results);
  const matrix = buildMatrix(
    timesOf(results),
    runs.filter(({ faults }) => faults.length > 0),
  );
  writeMatrix(flags.out, matrix);
  const options = { color: isColored(), path: matrixPath(flags.out) };
  if (results.run.sandbox !== null) {
    print(renderShare(matrix, results.run.sandbox, options));
    return 0;
  }
  print(renderMutation(matrix, options));
  return isProof(matrix) ? 0 : FAILED;
};

const timesOf = ({ startedAt, durationMs, cpuMs }: ShardResults) => ({
  startedAt,
  durationMs,
  cpuMs: Math.round(cpuMs),
});

const runsOf = async (
  { service, contract, shard }: Flags,
  { faultRuns, clean }: ShardResults,
): Promise<FaultRuns[]> =>
  Promise.all(
    (await loadContracts(service, contract)).map(async (one) => ({
      service: one.service,
      catalogue: await catalogueDigest(one),
      faults: faultRuns.filter((run) => run.service === one.service),
      // A shard has only a part of the faults, which leaves requirements without one.
      passed:
        shard === undefined
          ? (clean.find((run) => run.service === one.service && !run.isThrifty)?.passed ?? [])
          : [],
    })),
  );

const chooseFaults = (
  { fault, changed }: Flags,
  listed: readonly Fault[],
  contracts: readonly Contract[],
): readonly Fault[] => {
  if (changed === undefined) return fault === undefined ? listed : faultsById(listed, fault);
  const { named, sample } = touchedFaults(changedSince(changed), listed, contracts);
  print(
    `Of ${listed.length} faults, the changed files name ${named.length}. Of the others that they can touch, ${sample.length} are run.\n`,
  );
  return [...named, ...sample];
};

/** Whether all faults are run on the usual sandbox. */
const isWhole = (flags: Flags): boolean =>
  flags.fault === undefined && flags.changed === undefined && sandboxWords(flags) === undefined;

/** Describes the sandbox on which the faults run; `undefined` for the usual one. */
const sandboxWords = ({ plain, situations, difference }: Flags): string | undefined =>
  [
    ...(plain ? ["without an admin interface"] : []),
    ...(situations === undefined ? [] : [`with the situations of ${situations}`]),
    ...(difference === undefined ? [] : [`with the difference ${difference.join(", ")}`]),
  ].join(" and ") || undefined;

const otherSandbox = async (
  { plain, situations, difference }: Flags,
  contracts: readonly Contract[],
): Promise<(service: Service) => OtherSandbox> => {
  const chosen =
    difference === undefined ? [] : differencesNamed(await listDifferences(contracts), difference);
  return (service) => ({
    ...(plain && { plain }),
    ...(situations !== undefined && { situations }),
    differences: chosen.filter((one) => one.service === service).map(({ id }) => id),
  });
};
