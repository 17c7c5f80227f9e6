/** Reads `assay.config.yaml`: the options that every run of a target repeats. */
import { existsSync } from "node:fs";
import { yaml } from "../../helpers/contract/documents/yaml.ts";
import { isObject } from "../../helpers/contract/json.ts";
import { ConfigurationError, readGiven } from "../../helpers/target/load-target.ts";
import { note } from "../../reports/print.ts";
import { isGiven } from "../extensions.ts";

const FILE = "assay.config.yaml";

/**
 * Puts the options of the file before the arguments of this process, without those that the arguments have.
 * @throws ConfigurationError
 */
export const addFileOptions = (): void => {
  if (!existsSync(FILE)) return;
  const given = Object.entries(contentOf()).filter(([name]) => !isGiven(`--${name}`));
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
