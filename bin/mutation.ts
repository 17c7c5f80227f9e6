/** `npm run mutation`: runs the suite against every fault of the sandbox, to show that its checks can fail. */
import { type Command, Option } from "commander";
import { commandWith } from "../helpers/contract/code.ts";
import { readSituations } from "../helpers/situations/file.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import { UnknownDeviationError } from "../mocks/engine/deviations/named.ts";
import type { Flags } from "../mutation/flags.ts";
import { finish, runMatrix } from "../mutation/matrix.ts";
import { type RunKind, readShards } from "../mutation/shards.ts";
import { claimFolder } from "../reports/folder/out-folder.ts";
import { createCommand } from "../runner/command/command.ts";
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
  claimFolder(flags.out);
  if (flags.situations !== undefined) {
    if (!flags.plain) throw new ConfigurationError("--situations: give --plain as well.");
    readSituations(flags.situations);
  }
  if (flags.merge !== undefined) return finish(flags, readShards(flags.merge));
  return runMatrix(kindsOf(flags), flags);
};

const kindsOf = ({ half, clean, innocent }: Flags): readonly RunKind[] => {
  if (half !== undefined) return [half];
  if (clean !== undefined) return ["clean"];
  return innocent ? ["innocent"] : ["faults"];
};

const HALF = new Option(
  "--half <half>",
  "instead of faults: right and wrong callers, or listeners, which the checks of that half must tell apart",
);

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
    .option(
      "--keep",
      "after a whole run, keep its scores, which certificates state, and what each trial finds, which orders the trials of a budget",
    )
    .addOption(
      new Option("--shard <i/n>", "run one part of n; merge the parts with --merge")
        .argParser(parseShard)
        .conflicts(["clean", "half", "merge"]),
    )
    .option("--merge <dir,…>", "join the results of shards: the folders given to --out", parseList)
    .option("--plain", "run the faults on a sandbox without an admin interface")
    .option("--situations <file>", `with --plain: a situations file (see ${commandWith("mock", "--help")})`)
    .addOption(HALF.choices(["caller", "listener"]))
    .option("--seed <n>", "first seed of --clean", parseWhole(0, 2 ** 31 - 1), 1)
    .option("--out <dir>", "folder for the results", "reports/out")
    .exitOverride();

await runCommand(main, [UnknownDeviationError, UnknownDeviationError]);
