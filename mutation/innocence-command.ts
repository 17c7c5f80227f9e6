/** Runs the suite against sandboxes that differ where the documents permit it. */
import type { Contract } from "../helpers/contract/contract.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import type { Difference } from "../mocks/engine/differences/difference.ts";
import { differencesNamed, listDifferences } from "../mocks/engine/differences/differences.ts";
import { buildInnocence, isInnocent } from "../reports/innocence.ts";
import { innocencePath, keepInnocence, writeInnocence } from "../reports/innocence-file.ts";
import { renderInnocence } from "../reports/innocence-terminal.ts";
import { isColored, print } from "../reports/print.ts";
import { loadContracts, type ProviderFiles } from "../runner/command/contracts.ts";
import { showCount } from "../runner/command/count.ts";
import { changedSince, touchedDifferences } from "./changed.ts";
import { FAILED, type Flags, isOwn } from "./flags.ts";
import { isCombination, tasksAlone, tasksInPairs } from "./innocence.ts";
import type { DifferenceTask } from "./messages.ts";
import { partOf, resultsOf, type ShardResults, writeShard } from "./shards.ts";
import { type Done, perform } from "./workers.ts";

/** Runs each permitted difference alone, then the switches of each service in pairwise combinations. */
export const runInnocent = async (flags: Flags): Promise<number> => {
  const { contract: files, shard, out } = flags;
  if (shard !== undefined && !isOwn(files))
    throw new ConfigurationError("--shard: with --innocent, it can't be used together with --contract.");
  const contracts = await loadContracts(flags.service, files);
  const chosen = chooseDifferences(flags, await listDifferences(contracts), contracts);
  if (chosen.length === 0) {
    print("No changed file can touch a permitted difference.\n");
    return 0;
  }
  const startedAt = new Date();
  const combining = (differences: readonly Difference[]): DifferenceTask[] =>
    isWhole(flags) ? contracts.flatMap((one) => tasksInPairs(one.service, differences)) : [];
  // Only the runs alone show which choices the provider's document leaves.
  const alone = isOwn(files) ? undefined : await counted(tasksAlone(chosen), files);
  const settled = new Set(
    alone?.innocence.filter(({ status }) => status === "settled").map((run) => run.difference),
  );
  const combinations = combining(chosen.filter(({ id }) => !settled.has(id)));
  // Combinations run all trials, so they are the longest tasks.
  const tasks = [...combinations, ...(alone === undefined ? tasksAlone(chosen) : [])];
  const together = await counted(partOf(tasks, shard), files);
  const run = { kind: "innocent", services: flags.service, isWhole: isWhole(flags), sandbox: null } as const;
  const innocence = [...(alone?.innocence ?? []), ...together.innocence];
  const results = resultsOf({ run, shard, startedAt }, { ...together, innocence });
  if (shard === undefined) return finishInnocent(flags, results);
  writeShard(out, results);
  return renderRuns(flags, results);
};

/** Keeps the scores of a whole run, and reports it. @returns the exit code */
export const finishInnocent = (flags: Flags, results: ShardResults): number => {
  if (results.run.isWhole && isOwn(flags.contract)) keepInnocence(matrixOf(results).services);
  return renderRuns(flags, results);
};

const renderRuns = ({ out }: Flags, results: ShardResults): number => {
  const matrix = matrixOf(results);
  writeInnocence(out, matrix);
  print(renderInnocence(matrix, { color: isColored(), path: innocencePath(out) }));
  return isInnocent(matrix) ? 0 : FAILED;
};

const matrixOf = ({ startedAt, durationMs, innocence }: ShardResults) =>
  buildInnocence({ startedAt, durationMs }, innocence, ({ difference }) => isCombination(difference));

const chooseDifferences = (
  { difference, changed }: Flags,
  listed: readonly Difference[],
  contracts: readonly Contract[],
): readonly Difference[] => {
  if (changed === undefined) return difference === undefined ? listed : differencesNamed(listed, difference);
  const { named, sample } = touchedDifferences(changedSince(changed), listed, contracts);
  print(
    `Of ${listed.length} differences, the changed files name ${named.length}. Of the others that they can touch, ${sample.length} are run.\n`,
  );
  return [...named, ...sample];
};

const isWhole = ({ difference, changed }: Flags): boolean =>
  difference === undefined && changed === undefined;

const counted = async (tasks: readonly DifferenceTask[], files: ProviderFiles): Promise<Done> => {
  const count = showCount(tasks.length, process.stdout);
  const done = await perform(tasks, files, (result) => {
    if ("difference" in result) count.ended(result.status.replace("-", " "));
  });
  count.stop();
  return done;
};
