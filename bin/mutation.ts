/** `npm run mutation`: runs the suite against every fault of the sandbox, to show that its checks can fail. */
import { type Command, Option } from "commander";
import { commandWith } from "../helpers/contract/code.ts";
import type { Contract } from "../helpers/contract/contract.ts";
import { trialOrder } from "../helpers/run/trial-order.ts";
import { readSituations } from "../helpers/situations/file.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import { NAMED_SETS, UnknownDifferenceError } from "../mocks/engine/differences/differences.ts";
import { UnknownFaultError } from "../mocks/engine/faults/faults.ts";
import { finishFaults, runFaults } from "../mutation/fault-command.ts";
import { cleanTask, FAILED, type Flags, isOwn } from "../mutation/flags.ts";
import { finishInnocent, runInnocent } from "../mutation/innocence-command.ts";
import type { CleanTask } from "../mutation/messages.ts";
import { readShards } from "../mutation/shards.ts";
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
import { falseAlarmsOf } from "../reports/mutation.ts";
import { cleanPath, proofOf, writeCleanRuns } from "../reports/mutation-file.ts";
import { renderClean } from "../reports/mutation-terminal.ts";
import { claimFolder } from "../reports/out-folder.ts";
import { isColored, print } from "../reports/print.ts";
import { createCommand } from "../runner/command/command.ts";
import { loadContracts } from "../runner/command/contracts.ts";
import { showCount } from "../runner/command/count.ts";
import {
  contractOption,
  parseList,
  parseShard,
  parseWhole,
  serviceOption,
} from "../runner/command/options.ts";
import { runCommand } from "../runner/command/run-command.ts";

const main = async (): Promise<number> => {
  const flags = commandLine().parse().opts<Flags>();
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  if (flags.curve) {
    print(renderCurve(trialOrder(flags.service), proofOf(flags.service)?.faults ?? 0));
    return 0;
  }
  claimFolder(flags.out);
  if (flags.situations !== undefined) {
    if (!flags.plain) throw new ConfigurationError("--situations: give --plain as well.");
    readSituations(flags.situations);
  }
  if (flags.half !== undefined) return runHalf(flags, flags.half);
  if (flags.merge !== undefined) return runMerge(flags, flags.merge);
  if (flags.clean !== undefined) return runClean(flags, flags.clean);
  if (flags.innocent) return runInnocent(flags);
  const code = await runFaults(flags);
  return flags.changed === undefined ? code : Math.max(code, await runInnocent(flags));
};

const commandLine = (): Command =>
  createCommand("mutation")
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
    .addOption(
      new Option(
        "--changed [revision]",
        "only faults and differences that the files changed since a revision (HEAD by default) can touch: those that the files name, and a sample of the others",
      ).preset("HEAD"),
    )
    .addOption(
      new Option("--shard <i/n>", "run one part of n; merge the parts with --merge")
        .argParser(parseShard)
        .conflicts(["changed", "clean", "curve", "half", "merge"]),
    )
    .option("--merge <dir,…>", "join the results of shards: the folders given to --out", parseList)
    .option("--plain", "run the faults on a sandbox without an admin interface")
    .option("--situations <file>", `with --plain: a situations file (see ${commandWith("mock")} --help)`)
    .addOption(
      new Option(
        "--half <half>",
        "instead of faults: right and wrong callers, or listeners, which the checks of that half must tell apart",
      ).choices(["caller", "listener"]),
    )
    .option("--seed <n>", "first seed of --clean", parseWhole(0, 2 ** 31 - 1), 1)
    .option("--out <dir>", "folder for the results", "reports/out")
    .exitOverride();

/** Joins the results of shards. */
const runMerge = (flags: Flags, folders: readonly string[]): number | Promise<number> => {
  const results = readShards(folders);
  const { kind, services } = results.run;
  const whole = { ...flags, service: services };
  return kind === "innocent" ? finishInnocent(whole, results) : finishFaults(whole, results);
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
  print(renderClean(runs, { color: isColored(), path: cleanPath(out) }));
  return runs.every((run) => falseAlarmsOf(run).length === 0) ? 0 : FAILED;
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
  print(renderHalves(scores, runs, { color: isColored(), path: halfMatrixPath(out, half) }));
  return isHalfProof(scores) ? 0 : FAILED;
};

await runCommand(main, [UnknownFaultError, UnknownDifferenceError]);
