/** Flags that several commands share. */
import { existsSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import type { Service } from "../../helpers/contract/contract.ts";
import { services } from "../../helpers/contract/services.ts";

/** Services that there are trials for. */
export const testedServices = (): Service[] =>
  services().filter((name) => existsSync(new URL(`../../tests/${name}/trials.ts`, import.meta.url)));

/** `a,b` -> the services, each once. */
export const parseServices = (list: string): Service[] => [
  ...new Set(list.split(",").map((name) => parseService(name.trim()))),
];

const parseService = (name: string): Service => {
  const service = testedServices().find((candidate) => candidate === name);
  if (service !== undefined) return service;
  throw new InvalidArgumentError(`There is no service "${name}"; there is ${testedServices().join(", ")}.`);
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

/** `SERVICE=FILE`, repeatable. */
export const addContract = (
  text: string,
  others: Readonly<Record<Service, string>>,
): Record<Service, string> => {
  const [, name = "", file = ""] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (file === "") throw new InvalidArgumentError("Write it as SERVICE=FILE.");
  return { ...others, [parseService(name)]: file };
};
