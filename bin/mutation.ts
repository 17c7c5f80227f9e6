/** `npm run mutation`: runs the suite against every fault of the sandbox, to show that its checks can fail. */
import { Command, Option } from "commander";
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { trialOrder } from "../helpers/run/trial-order.ts";
import { readSituations } from "../helpers/situations/file.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import type { Difference } from "../mocks/engine/differences/difference.ts";
import {
  differencesNamed,
  listDifferences,
  NAMED_SETS,
  UnknownDifferenceError,
} from "../mocks/engine/differences/differences.ts";
import { catalogueDigest, faultsById, listFaults, UnknownFaultError } from "../mocks/engine/faults/faults.ts";
import { tasksAlone, tasksInPairs } from "../mutation/innocence.ts";
import type { CleanTask, DifferenceTask, OtherSandbox, Task } from "../mutation/messages.ts";
import { perform } from "../mutation/workers.ts";
import { renderCurve } from "../reports/curve-terminal.ts";
import {
  type Half,
  type HalfRun,
  halfMatrixPath,
  halfScoreOf,
  isHalfProof,
  keepHalfScores,
  renderHalves,
  writeHalfMatrix,
} from "../reports/half-matrix.ts";
import { buildInnocence, type DifferenceRun, isInnocent } from "../reports/innocence.ts";
import { innocencePath, keepInnocence, writeInnocence } from "../reports/innocence-file.ts";
import { renderInnocence } from "../reports/innocence-terminal.ts";
import { buildMatrix, type FaultRuns, falseAlarmsOf, isProof } from "../reports/mutation.ts";
import {
  cleanPath,
  keepOrder,
  keepScores,
  matrixPath,
  proofOf,
  writeCleanRuns,
  writeMatrix,
} from "../reports/mutation-file.ts";
import { renderClean, renderMutation, renderShare } from "../reports/mutation-terminal.ts";
import { claimFolder } from "../reports/out-folder.ts";
import { loadContracts, type ProviderFiles } from "../runner/command/contracts.ts";
import { showCount } from "../runner/command/count.ts";
import { contractOption, parseList, parseWhole, serviceOption } from "../runner/command/options.ts";
import { runCommand } from "../runner/command/run-command.ts";

interface Flags {
  readonly service: readonly Service[];
  readonly contract: ProviderFiles;
  readonly fault?: readonly string[];
  readonly clean?: number;
  readonly innocent?: true;
  readonly half?: Half;
  readonly difference?: readonly string[];
  readonly plain?: true;
  readonly situations?: string;
  readonly curve?: true;
  readonly seed: number;
  readonly out: string;
}

const FAILED = 1;

const main = async (): Promise<number> => {
  const flags = commandLine().parse().opts<Flags>();
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  if (flags.curve) {
    process.stdout.write(renderCurve(trialOrder(flags.service), proofOf(flags.service)?.faults ?? 0));
    return 0;
  }
  claimFolder(flags.out);
  if (flags.situations !== undefined) {
    if (!flags.plain) throw new ConfigurationError("--situations: give --plain as well.");
    readSituations(flags.situations);
  }
  if (flags.half !== undefined) return runHalf(flags, flags.half);
  if (flags.innocent) return runInnocent(flags);
  return flags.clean === undefined ? runFault(flags) : runClean(flags, flags.clean);
};

const commandLine = (): Command =>
  new Command("mutation")
    .description(
      "Runs the suite against each fault of the sandbox: each must be found by the requirement that it violates.\n" +
        "With --innocent, against sandboxes that differ where the documents permit it: nothing may fail there.",
    )
    .addOption(serviceOption("services whose faults are run", "tests"))
    .addOption(contractOption())
    .option("--fault <id,…>", "only these faults; repeatable", parseList)
    .option(
      "--clean <n>",
      "instead of faults: n seeds on the clean sandbox at quick depth, and one at standard depth on each of its variants",
      parseWhole(1, 10_000),
    )
    .option(
      "--innocent",
      "instead of faults: each permitted difference alone, and the switches among them in pairwise combinations",
    )
    .option(
      "--difference <id,…|all>",
      "run the faults on a sandbox with these permitted differences; with --innocent: only these differences",
      parseList,
    )
    .option("--curve", "only print the share of the faults that a run with a budget finds, by its requests")
    .option("--plain", "run the faults on a sandbox without an admin interface")
    .option("--situations <file>", "with --plain: a situations file (see npm run mock -- --help)")
    .addOption(
      new Option(
        "--half <half>",
        "instead of faults: right and wrong callers, or listeners, which the checks of that half must tell apart",
      ).choices(["caller", "listener"]),
    )
    .option("--seed <n>", "first seed of --clean", parseWhole(0, 2 ** 31 - 1), 1)
    .option("--out <dir>", "folder for the results", "reports/out")
    .exitOverride();

const runFault = async (flags: Flags): Promise<number> => {
  const contracts = await loadContracts(flags.service, flags.contract);
  const listed = await listFaults(contracts);
  const chosen = flags.fault === undefined ? listed : faultsById(listed, flags.fault);
  const words = sandboxWords(flags);
  const sandboxOf = await otherSandbox(flags, contracts);
  const whole = flags.fault === undefined && words === undefined;
  const tasks: Task[] = [
    // The clean run shows which requirements pass, and is the longest task.
    ...(whole ? contracts.flatMap(({ service }) => [cleanTask(service, 1), thriftyTask(service)]) : []),
    ...chosen.map(
      ({ id, service }): Task => ({
        kind: "runFault",
        service,
        fault: id,
        ...(words !== undefined && { sandbox: sandboxOf(service) }),
      }),
    ),
  ];
  const startedAt = new Date();
  const count = showCount(tasks.length, process.stdout);
  const { faultRuns, clean, cpuMs } = await perform(tasks, flags.contract, (result) => {
    if ("status" in result) count.ended(result.status.startsWith("by-") ? "killed" : result.status);
    else count.ended();
  });
  count.stop();
  const services = await Promise.all(
    contracts.map(
      async (contract): Promise<FaultRuns> => ({
        service: contract.service,
        catalogue: await catalogueDigest(contract),
        faults: faultRuns.filter(({ service }) => service === contract.service),
        passed:
          clean.find(({ service, isThrifty }) => service === contract.service && !isThrifty)?.passed ?? [],
      }),
    ),
  );
  const matrix = buildMatrix(
    {
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      cpuMs: Math.round(cpuMs),
    },
    services.filter(({ faults }) => faults.length > 0),
  );
  writeMatrix(flags.out, matrix);
  if (whole && isOwn(flags.contract)) {
    keepScores(matrix.services);
    keepOrder(services, clean);
  }
  const options = { color: colored(), path: matrixPath(flags.out) };
  if (words !== undefined) {
    process.stdout.write(renderShare(matrix, words, options));
    return 0;
  }
  process.stdout.write(renderMutation(matrix, options));
  return isProof(matrix) ? 0 : FAILED;
};

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

/** Runs the clean suite with several seeds at quick depth, and each variant once at standard depth. */
const runClean = async ({ service, contract: files, seed, out }: Flags, seeds: number): Promise<number> => {
  const contracts: Contract[] = await loadContracts(service, files);
  const names = contracts.map((contract) => contract.service);
  const tasks: CleanTask[] = [
    ...names.flatMap((name) =>
      NAMED_SETS.map((variant) => ({ ...cleanTask(name, seed), variant: variant.name })),
    ),
    ...Array.from({ length: seeds }, (_, index) => seed + index).flatMap((one) =>
      names.map((name): CleanTask => ({ ...cleanTask(name, one), depth: "quick" })),
    ),
  ];
  const count = showCount(tasks.length, process.stdout);
  const { clean: runs } = await perform(tasks, files, (result) => {
    if ("alarms" in result) count.ended(...falseAlarmsOf(result).map(() => "false alarms"));
  });
  count.stop();
  writeCleanRuns(out, runs);
  process.stdout.write(renderClean(runs, { color: colored(), path: cleanPath(out) }));
  return runs.every((run) => falseAlarmsOf(run).length === 0) ? 0 : FAILED;
};

/** Runs each permitted difference alone, then the switches of each service in pairwise combinations. */
const runInnocent = async ({ service, contract: files, difference, out }: Flags): Promise<number> => {
  const contracts = await loadContracts(service, files);
  const listed = await listDifferences(contracts);
  const chosen = difference === undefined ? listed : differencesNamed(listed, difference);
  const whole = difference === undefined;
  const startedAt = new Date();
  const combining = (differences: readonly Difference[]): DifferenceTask[] =>
    whole ? contracts.flatMap((one) => tasksInPairs(one.service, differences)) : [];
  // Only the runs alone show which choices the provider's document leaves.
  const alone = isOwn(files) ? [] : await counted(tasksAlone(chosen), files);
  const settled = new Set(alone.filter(({ status }) => status === "settled").map((run) => run.difference));
  const combinations = combining(chosen.filter(({ id }) => !settled.has(id)));
  const together = new Set(combinations.map(({ name }) => name));
  // Combinations run all trials, so they are the longest tasks.
  const tasks = [...combinations, ...(isOwn(files) ? tasksAlone(chosen) : [])];
  const innocence = [...alone, ...(await counted(tasks, files))];
  const run = { startedAt: startedAt.toISOString(), durationMs: Date.now() - startedAt.getTime() };
  const matrix = buildInnocence(run, innocence, (one) => together.has(one.difference));
  writeInnocence(out, matrix);
  if (whole && isOwn(files)) keepInnocence(matrix.services);
  process.stdout.write(renderInnocence(matrix, { color: colored(), path: innocencePath(out) }));
  return isInnocent(matrix) ? 0 : FAILED;
};

const counted = async (tasks: readonly DifferenceTask[], files: ProviderFiles): Promise<DifferenceRun[]> => {
  const count = showCount(tasks.length, process.stdout);
  const { innocence } = await perform(tasks, files, (result) => {
    if ("difference" in result) count.ended(result.status.replace("-", " "));
  });
  count.stop();
  return innocence;
};

/** Runs each right and each wrong subject of a half. */
const runHalf = async ({ service, contract: files, out }: Flags, half: Half): Promise<number> => {
  const contracts = await loadContracts(service, files);
  const { runSubjects } = await import("../mutation/halves.ts");
  const runs: HalfRun[] = [];
  for (const contract of contracts) runs.push(...(await runSubjects(half, contract)));
  const known = contracts.filter((contract) => runs.some((run) => run.service === contract.service));
  const scores = known.map((contract) => halfScoreOf(half, contract.service, runs));
  writeHalfMatrix(out, half, runs);
  if (isOwn(files)) keepHalfScores(scores);
  process.stdout.write(renderHalves(scores, runs, { color: colored(), path: halfMatrixPath(out, half) }));
  return isHalfProof(scores) ? 0 : FAILED;
};

/** Whether all contracts are built in. Only their scores are kept. */
const isOwn = (files: ProviderFiles): boolean => Object.keys(files).length === 0;

const cleanTask = (service: Service, seed: number): CleanTask => ({
  kind: "clean",
  service,
  seed,
  depth: "standard",
});

/** Counts the requests of each trial in a run with a budget. */
const thriftyTask = (service: Service): CleanTask => ({
  ...cleanTask(service, 1),
  depth: "quick",
  isThrifty: true,
});

const colored = (): boolean => process.stdout.isTTY === true && !process.env.NO_COLOR;

await runCommand(main, [UnknownFaultError, UnknownDifferenceError]);
