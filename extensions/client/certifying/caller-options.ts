/** The flags that the commands share which judge callers. */
import type { Command } from "commander";
import type { Contract, Service } from "../../../helpers/contract/contract.ts";
import { loadTarget } from "../../../helpers/target/load-target.ts";
import type { Target } from "../../../helpers/target/target.ts";
import {
  addBaselineOptions,
  BASELINE_HELP,
  type BaselineFlags,
  type BaselineOptions,
  readBaselineOptions,
} from "../../../runner/command/baseline-options.ts";
import { loadContracts, providerFiles } from "../../../runner/command/contracts.ts";
import { contractOption, serviceOption } from "../../../runner/command/options.ts";
import { givenSettings } from "../../../runner/extensions.ts";

export interface CallerFlags extends BaselineFlags {
  readonly target?: string;
  readonly service: readonly string[];
  readonly contract: Readonly<Record<Service, string>>;
  readonly out: string;
}

/** Adds the shared options and the help about the exit code. @param texts their descriptions */
export const addCallerOptions = (
  command: Command,
  texts: Readonly<Record<"target" | "service" | "out", string>>,
): Command =>
  addBaselineOptions(command)
    .option("--target <name>", texts.target)
    .addOption(serviceOption(texts.service, "tests"))
    .addOption(contractOption())
    .option("--out <dir>", texts.out, "reports/out")
    .option("--accept <file>", "findings that are known and accepted, by fingerprint")
    .addHelpText(
      "after",
      `${BASELINE_HELP}\n\nExit code: 0 certified, 1 violations, 2 bad arguments or configuration, 3 nothing was judged.`,
    )
    .exitOverride();

/** The meaning of the shared flags. */
export interface CallerOptions {
  readonly contracts: readonly Contract[];
  /** The target that was named, if any. */
  readonly target: Target | undefined;
  readonly out: string;
  readonly baseline: BaselineOptions;
}

/** @throws ConfigurationError, ContractError */
export const readCallerOptions = async (flags: CallerFlags): Promise<CallerOptions> => {
  const baseline = await readBaselineOptions(flags);
  const target = flags.target === undefined ? undefined : loadTarget(flags.target, givenSettings());
  const values = target?.values ?? givenSettings();
  const files = providerFiles(flags.service, flags.contract, values);
  const contracts = await loadContracts(flags.service, files, { bindings: values.BINDINGS });
  return { contracts, target, out: flags.out, baseline };
};
