/** Runs the suite against subjects of one kind: who violates a requirement must be found, who violates none acquitted. */
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { missing } from "../helpers/contract/extension.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import type { RunInfo } from "../helpers/trials/run-info.ts";
import { catalogueDigest, faultsIn } from "../mocks/engine/deviations/catalogue.ts";
import { listDeviations } from "../mocks/engine/services.ts";
import { buildMatrix, type Catalogue, isProof, type MatrixRow } from "../reports/certificate/matrix.ts";
import { keepScores } from "../reports/certificate/scores.ts";
import { keepOrder, matrixPath, writeMatrix } from "../reports/folder/matrix-file.ts";
import { isColored, print } from "../reports/print.ts";
import { renderMatrix } from "../reports/render/matrix-terminal.ts";
import { loadContracts } from "../runner/command/contracts.ts";
import { showCount } from "../runner/command/count.ts";
import { partAt } from "../runner/extensions.ts";
import { classOf } from "./classes.ts";
import { type Flags, isOwn, sandboxWords } from "./flags.ts";
import { tasksAlone, tasksInPairs } from "./innocence.ts";
import type { Task } from "./messages.ts";
import { partOf, type RunKind, resultsOf, type ShardResults, writeShard } from "./shards.ts";
import { chooseDifferences, cleanTasks, faultTasks } from "./subjects.ts";
import { type Done, perform } from "./workers.ts";

/** The exit code of a run that found something wrong. */
const FAILED = 1;

/** @returns the exit code */
export const runMatrix = async (kinds: readonly RunKind[], flags: Flags): Promise<number> => {
  const { service: services, contract: files, shard, out } = flags;
  const contracts = await loadContracts(services, files);
  const startedAt = new Date();
  const run = { kinds, services, isWhole: isWhole(kinds, flags), sandbox: sandboxOf(kinds, flags) };
  const done: Done = { rows: [], cpuMs: 0 };
  for (const kind of kinds) add(await RUNS[kind](flags, contracts, run.isWhole), done);
  const results = resultsOf({ run, shard, startedAt }, done);
  if (shard === undefined) return finish(flags, results);
  writeShard(out, results);
  return report(flags, results, contracts);
};

/** Reports a run, and with `--keep` stores what is committed of a whole run. @returns the exit code */
export const finish = async (flags: Flags, results: ShardResults): Promise<number> => {
  const contracts = await loadContracts(results.run.services, flags.contract);
  if (flags.keep && results.run.isWhole && isOwn(flags.contract)) {
    keepScores((await matrixOf(results, contracts)).scores);
    for (const { service, requests, depth } of results.rows) {
      const contract = contracts.find((one) => one.service === service);
      if (!requests || depth !== "quick" || contract === undefined) continue;
      keepOrder(service, results.rows, requests, await classesIn(contract));
    }
  }
  return report(flags, results, contracts);
};

const report = async (
  { out }: Flags,
  results: ShardResults,
  contracts: readonly Contract[],
): Promise<number> => {
  const matrix = await matrixOf(results, contracts);
  writeMatrix(out, matrix);
  const { sandbox } = results.run;
  print(renderMatrix(matrix, { color: isColored(), path: matrixPath(out) }, sandbox));
  // The share of the faults that another sandbox shows is a measurement.
  return sandbox !== null || isProof(matrix) ? 0 : FAILED;
};

/** A part of the faults leaves requirements without one, so only a whole run shows which passes are unproved. */
const matrixOf = async (results: ShardResults, contracts: readonly Contract[]) => {
  const catalogues = new Map<Service, Catalogue>();
  for (const contract of results.run.kinds.includes("faults") ? contracts : []) {
    const clean = results.rows.find(
      ({ kind, service, depth }) => kind === "clean" && service === contract.service && depth !== "quick",
    );
    const isComplete = results.run.isWhole && results.shard.total === 1;
    catalogues.set(contract.service, {
      digest: catalogueDigest(await listDeviations([contract]), contract),
      classes: new Set((await classesIn(contract)).values()).size,
      passed: isComplete ? (clean?.passed ?? []) : [],
    });
  }
  return buildMatrix(results, results.rows, catalogues);
};

/** Returns the class of each fault of a contract, by its id. */
const classesIn = async (contract: Contract): Promise<ReadonlyMap<string, string>> =>
  new Map(faultsIn(await listDeviations([contract])).map((fault) => [fault.id, classOf(contract, fault)]));

/** Whether all subjects are run, as usual. Only then are the scores kept. */
const isWhole = (kinds: readonly RunKind[], flags: Flags): boolean => {
  if (kinds.includes("clean")) return false;
  if (kinds.includes("faults")) return flags.fault === undefined && sandboxWords(flags) === undefined;
  return !kinds.includes("innocent") || flags.difference === undefined;
};

const sandboxOf = (kinds: readonly RunKind[], flags: Flags): string | null =>
  (kinds.includes("faults") && sandboxWords(flags)) || null;

type Run = (flags: Flags, contracts: readonly Contract[], isWhole: boolean) => Promise<Done>;

const RUNS: Readonly<Record<RunKind, Run>> = {
  faults: async (flags, contracts, isWhole) =>
    counted(partOf(await faultTasks(flags, contracts, isWhole), flags.shard), flags),
  innocent: (flags, contracts, isWhole) => runInnocent(flags, contracts, isWhole),
  clean: (flags, contracts) => counted(cleanTasks(flags, contracts), flags),
  caller: (_, contracts) => runHalf("caller", contracts),
  listener: (_, contracts) => runHalf("listener", contracts),
};

/** Runs each permitted difference alone, then the switches of each service in pairwise combinations. */
const runInnocent: Run = async (flags, contracts, isWhole) => {
  const { contract: files, shard } = flags;
  if (shard !== undefined && !isOwn(files))
    throw new ConfigurationError("--shard: with --innocent, it can't be used together with --contract.");
  const chosen = await chooseDifferences(flags, contracts);
  // Only the runs alone show which choices the provider's document leaves.
  const done: Done = { rows: [], cpuMs: 0 };
  if (!isOwn(files)) add(await counted(tasksAlone(chosen), flags), done);
  const settled = new Set(
    done.rows.flatMap(({ status, subject }) => (status === "settled" ? [subject] : [])),
  );
  const free = chosen.filter(({ id }) => !settled.has(id));
  const tasks = [
    // Combinations run all trials, so they are the longest tasks.
    ...(isWhole ? contracts.flatMap(({ service }) => tasksInPairs(service, free)) : []),
    ...(isOwn(files) ? tasksAlone(chosen) : []),
  ];
  add(await counted(partOf(tasks, shard), flags), done);
  return done;
};

const add = ({ rows, cpuMs }: Done, to: Done): void => {
  to.rows.push(...rows);
  to.cpuMs += cpuMs;
};

const runHalf = async (half: NonNullable<RunInfo["half"]>, contracts: readonly Contract[]): Promise<Done> => {
  const subjects = await partAt("subjects");
  if (subjects === undefined) throw missing("--half", "client");
  const rows: MatrixRow[] = [];
  const { user, system } = process.cpuUsage();
  for (const contract of contracts) rows.push(...(await subjects.runSubjects(half, contract)));
  const now = process.cpuUsage();
  return { rows, cpuMs: (now.user - user + now.system - system) / 1000 };
};

/** Performs the tasks, and shows how many have ended. */
const counted = async (tasks: readonly Task[], { contract }: Flags): Promise<Done> => {
  const count = showCount(tasks.length, process.stdout);
  const done = await perform(tasks, contract, ({ status }) =>
    count.ended(status.startsWith("by-") ? "killed" : status.replace("-", " ")),
  );
  count.stop();
  return done;
};
