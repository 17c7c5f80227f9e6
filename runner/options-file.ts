/** Reads `assay.config.yaml`: the options that every run of a target repeats. */
import { existsSync } from "node:fs";
import type { Option } from "commander";
import { yaml } from "../helpers/contract/documents/yaml.ts";
import { isObject } from "../helpers/contract/json.ts";
import { ConfigurationError, readGiven } from "../helpers/target/load-target.ts";
import { note } from "../reports/print.ts";

export const FILE = "assay.config.yaml";

/** What only the file gives, because every run of a target repeats it. */
const KEYS = ["accept", "allure", "effect", "issuer", "root", "sign", "token-from"];

export const isKey = (option: Option): boolean => KEYS.includes(option.name());

/**
 * Puts the options of the file before the arguments of this process, without those that the arguments have.
 * @param options the options of the command
 * @param isForAll whether the file may have these options only; another command takes those that it knows
 * @throws ConfigurationError
 */
export const addFileOptions = (options: readonly Option[], isForAll: boolean): void => {
  const key = options.find((option) => isKey(option) && isGiven(`--${option.name()}`))?.name();
  if (key !== undefined)
    throw new ConfigurationError(`--${key} is a key of ${FILE}: write "${key}: …" in that file.`);
  if (!existsSync(FILE)) return;
  const isKnown = (name: string): boolean => isForAll || options.some((option) => option.name() === name);
  const given = Object.entries(contentOf()).filter(([name]) => isKnown(name) && !isGiven(`--${name}`));
  if (given.length > 0) note(`${FILE}: ${given.map(([name]) => name).join(", ")}\n`);
  process.argv.splice(2, 0, ...given.flatMap(([name, value]) => argumentsOf(`--${name}`, value)));
};

/** Returns the arguments of a value: a list and an object repeat the option. */
const argumentsOf = (option: string, value: unknown): string[] => {
  if (typeof value === "boolean") return value ? [option] : [];
  if (Array.isArray(value)) return value.flatMap((one) => argumentsOf(option, one));
  if (!isObject(value)) return [`${option}=${value}`];
  return Object.entries(value).map(([name, one]) => `${option}=${name}=${one}`);
};

const contentOf = (): Readonly<Record<string, unknown>> => {
  const text = readGiven("The options", FILE);
  try {
    const content: unknown = yaml().parse(text) ?? {};
    if (isObject(content)) return content;
  } catch (error) {
    throw new ConfigurationError(`${FILE}: ${(error as Error).message}`);
  }
  throw new ConfigurationError(`${FILE}: write each option as "name: value", on a line of its own.`);
};

/** Whether the arguments have an option. What comes after `--` are arguments of another command. */
export const isGiven = (option: string): boolean => {
  const end = process.argv.indexOf("--");
  const own = end < 0 ? process.argv : process.argv.slice(0, end);
  return own.some((argument) => argument === option || argument.startsWith(`${option}=`));
};
