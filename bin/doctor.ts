/** `npm run doctor`: shows the first step of a run, the examination of the target, and says what to change. */
import type { Command } from "commander";
import { commandWith } from "../helpers/contract/code.ts";
import type { Service } from "../helpers/contract/contract.ts";
import { ConfigurationError, loadTarget } from "../helpers/target/load-target.ts";
import { print } from "../reports/print.ts";
import { createCommand } from "../runner/command/command.ts";
import { loadContracts, providerFiles } from "../runner/command/contracts.ts";
import { contractOption, serviceOption } from "../runner/command/options.ts";
import { runCommand } from "../runner/command/run-command.ts";
import { readSettings } from "../runner/command/settings.ts";
import { examine, exitCodeFor } from "../runner/doctor/doctor.ts";
import { renderDiagnosis } from "../runner/doctor/render.ts";
import { openReceiver } from "../runner/run-receiver.ts";

interface Flags {
  readonly target?: string;
  readonly service: readonly Service[];
  readonly contract: Readonly<Record<Service, string>>;
}

const main = async (): Promise<number> => {
  const flags = commandLine().parse().opts<Flags>();
  const { target: name } = flags;
  if (name === undefined) throw new ConfigurationError("Which target? Name it with --target NAME.");
  const target = loadTarget(name, process.env);
  const tested = flags.service.filter((one) => target.baseUrls[one] !== undefined);
  const files = providerFiles(tested, flags.contract, target.values);
  const contracts = await loadContracts(tested, files, { bindings: target.values.BINDINGS });
  await readSettings(target, contracts);
  const receiver = await openReceiver(target, tested);
  try {
    const diagnosis = await examine(target, contracts, receiver);
    print(renderDiagnosis(name, diagnosis));
    return exitCodeFor(diagnosis);
  } finally {
    await receiver?.close();
  }
};

const commandLine = (): Command =>
  createCommand("doctor")
    .description(
      "Examines a target before a run, with at most 12 calls and at most one log-in for each account.\n" +
        "It examines the connection, the path prefix, the credentials, the clock, and whether deliveries reach our receiver.",
    )
    .option("--target <name>", "the server configured in .env.<name> and the environment")
    .addOption(serviceOption("services to examine", "tests"))
    .addOption(contractOption())
    .addHelpText(
      "after",
      `\nA run (${commandWith("certify", "--target", "NAME")}) starts with the same examination.\n` +
        "\nExit code: 0 nothing is wrong, 2 the configuration is wrong, 3 a service cannot be reached.",
    )
    .exitOverride();

await runCommand(main);
