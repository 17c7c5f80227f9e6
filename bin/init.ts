/** `npm run init`: writes the settings of a target, and says how many requirements each of them unlocks. */
import { type Command, InvalidArgumentError } from "commander";
import { commandWith } from "../helpers/contract/code.ts";
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { loadContract } from "../helpers/contract/load.ts";
import { didYouMean, misspelled } from "../helpers/contract/nearest.ts";
import { ConfigurationError, checkSetting, externalTarget } from "../helpers/target/load-target.ts";
import { baseUrlName, configuration } from "../helpers/target/names.ts";
import { print } from "../reports/print.ts";
import { counted } from "../reports/text.ts";
import { createCommand } from "../runner/command/command.ts";
import { serviceOption } from "../runner/command/options.ts";
import { runCommand } from "../runner/command/run-command.ts";
import { readSettings } from "../runner/command/settings.ts";
import { askForSettings, type Values } from "../runner/init/ask.ts";
import { refuseExisting, type SettingLine, writeEnvFile } from "../runner/init/env-file.ts";
import { isCommittable } from "../runner/init/git-ignore.ts";
import { type Unlocked, unlockedBy, unlockedByPermission, unlockedText } from "../runner/init/unlocks.ts";

interface Flags {
  readonly service: readonly Service[];
  readonly set: Readonly<Record<string, string>>;
  readonly force?: true;
}

const main = async (): Promise<void> => {
  const command = commandLine().parse();
  const [name = ""] = command.args;
  const flags = command.opts<Flags>();
  const path = `.env.${name}`;
  if (!flags.force) refuseExisting(path);
  const contracts = await Promise.all(flags.service.map((service) => loadContract(service)));
  const isAsking = Object.keys(flags.set).length === 0;
  if (isAsking && !process.stdin.isTTY) {
    throw new ConfigurationError("There is no terminal to ask on: give the settings with --set NAME=VALUE.");
  }
  const values: Values = isAsking ? await askForSettings(path, contracts) : { ...flags.set };
  requireAddress(name, values, contracts);
  for (const [setting, value] of Object.entries(values)) checkSetting(setting, value);
  const used = contracts.filter(({ service }) => values[baseUrlName(service)] !== undefined);
  await readSettings(externalTarget(name, values), used);
  writeEnvFile(path, rowsOf(values, contracts, used), flags.force === true);
  print(
    `${[`${path} has ${counted(Object.keys(values).length, "setting")}.`, ...missing(values, used)].join("\n")}\n`,
  );
  if (isCommittable(path)) print(`\nAdd ${path} to .gitignore, because it has secrets.\n`);
  print(`\nNext: ${commandWith("doctor", "--target", name)}\n`);
};

/** @throws ConfigurationError */
const requireAddress = (name: string, values: Values, contracts: readonly Contract[]): void => {
  const { baseUrls } = externalTarget(name, values);
  if (contracts.some(({ service }) => baseUrls[service] !== undefined)) return;
  const names = contracts.map(({ service }) => baseUrlName(service)).join(", ");
  throw new ConfigurationError(`A target needs an address: set at least one of ${names}.`);
};

/** Returns the settings with a value, and those left out that would unlock something. */
const rowsOf = (values: Values, contracts: readonly Contract[], used: readonly Contract[]): SettingLine[] => {
  const unlocked = [
    ...contracts.flatMap((contract) => worthSetting(contract, used)),
    ...unlockedByPermission(used),
  ];
  return configuration().flatMap(({ name, meaning }) => {
    const value = values[name];
    const found = unlocked.find((one) => one.name === name && one.requirements > 0);
    if (value === undefined && found === undefined) return [];
    const comment = found === undefined ? meaning : `${meaning}; ${unlockedText(found)}`;
    return [{ name, ...(value !== undefined && { value }), comment }];
  });
};

/** Without its address, no other setting of a service unlocks anything. */
const worthSetting = (contract: Contract, used: readonly Contract[]): Unlocked[] => {
  const [address, ...others] = unlockedBy(contract);
  return address === undefined ? [] : [address, ...(used.includes(contract) ? others : [])];
};

/** Lists the settings that are left out, those that unlock most first. */
const missing = (values: Values, contracts: readonly Contract[]): string[] => {
  const all = [...contracts.flatMap(unlockedBy), ...unlockedByPermission(contracts)];
  const left = all.filter(({ name, requirements }) => values[name] === undefined && requirements > 0);
  if (left.length === 0) return [];
  const width = Math.max(...left.map(({ name }) => name.length));
  const rows = left
    .sort((a, b) => b.requirements - a.requirements)
    .map((one) => `  ${one.name.padEnd(width)}  ${unlockedText(one)}: ${one.meaning}`);
  return ["", "Left out:", ...rows];
};

const addSetting = (text: string, others: Values): Values => {
  const [, name = "", given] = /^([A-Z][A-Z0-9_]*)(?:=(.*))?$/s.exec(text) ?? [];
  const known = configuration().map((one) => one.name);
  const wanted = name || (text.split("=")[0] ?? "");
  if (!known.includes(wanted)) {
    throw new InvalidArgumentError(
      `There is no setting "${wanted}".${didYouMean(wanted, misspelled(wanted, known))} .env.example lists all.`,
    );
  }
  const value = (given ?? process.env[name] ?? "").trim();
  if (value === "") throw new InvalidArgumentError(`${name} has no value, here or in the environment.`);
  return { ...others, [name]: value };
};

const parseName = (name: string): string => {
  if (/^[\w.-]+$/.test(name) && name !== "example") return name;
  throw new InvalidArgumentError("Use letters, digits, dots and hyphens, and another name than example.");
};

const commandLine = (): Command =>
  createCommand("init")
    .description(
      "Writes the settings of a target to .env.NAME, and says how many requirements each setting unlocks.\n" +
        "Without --set, it asks for them on the terminal.",
    )
    .argument("<name>", "name of the target", parseName)
    .addOption(serviceOption("services to ask about", "tests"))
    .option(
      "--set <NAME=VALUE>",
      "a setting; with NAME only, its value is taken from the environment, where nobody else sees it; repeatable",
      addSetting,
      {},
    )
    .option("--force", "replace an existing file")
    .exitOverride();

await runCommand(main);
