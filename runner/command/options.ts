/** Flags that several commands share. */
import { existsSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import type { Service } from "../../helpers/contract/contract.ts";
import { hasOnlyContract, services } from "../../helpers/contract/services.ts";
import { DEPTHS } from "../../helpers/trials/trial.ts";

/**
 * `--service a,b`: all services by default.
 * @param folder lists the services to choose from: `tests` has a folder for each service with trials
 */
export const serviceOption = (what: string, folder: "tests" | "mocks"): Option => {
  const isKnown = (name: Service): boolean =>
    hasOnlyContract(name) || existsSync(new URL(`../../${folder}/${name}`, import.meta.url));
  const known = services().filter(isKnown);
  const list = `${what} (${known.join(", ")})`;
  return new Option("--service <a,b>", list).argParser((text) => parseServices(text, known)).default(known);
};

/** Parses `a,b` to services without duplicates. */
export const parseServices = (list: string, known: readonly Service[] = services()): Service[] => [
  ...new Set(list.split(",").map((name) => parseService(name, known))),
];

export const parseService = (name: string, known: readonly Service[] = services()): Service => {
  const service = name.trim();
  if (known.includes(service)) return service;
  throw new InvalidArgumentError(`There is no service "${service}". Choose from: ${known.join(", ")}.`);
};

export const parseList = (list: string, before: readonly string[] = []): string[] => [
  ...before,
  ...list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
];

export const parseWhole =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };

/** Returns the option `--contract SERVICE=FILE`, which is repeatable. */
export const contractOption = (): Option =>
  new Option("--contract <SERVICE=FILE>", "the provider's own OpenAPI document of a service; repeatable")
    .argParser(addContract)
    .default({});

const addContract = (
  text: string,
  others: Readonly<Record<Service, string>>,
): Readonly<Record<Service, string>> => {
  const [, name = "", file = ""] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (file === "") throw new InvalidArgumentError("Write it as SERVICE=FILE.");
  return { ...others, [parseService(name)]: file };
};

/** Returns the option `--depth`. Its default depends on the target (`planOf`). */
export const depthOption = (): Option =>
  new Option(
    "--depth <depth>",
    "how thoroughly to test; standard by default, quick for an external target",
  ).choices(DEPTHS);

export interface Shard {
  readonly index: number;
  readonly total: number;
}

/** Parses `1/2`. */
export const parseShard = (text: string): Shard => {
  const [, index = 0, total = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= total) return { index, total };
  throw new InvalidArgumentError(
    "Write it as 1/2: the number of the shard, counted from 1, and the number of shards.",
  );
};
