/** Chooses the faults and differences that a change of the code can touch. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { grouped } from "../helpers/contract/once.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import type { Fault } from "../mocks/engine/faults/fault.ts";
import { operationsOf } from "./concerned.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** A changed file: its path from the root of the checkout, and its text, which is empty if it was removed. */
export interface ChangedFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the files that differ from a revision, and the new ones.
 * @throws ConfigurationError with git's message
 */
export const changedSince = (revision: string): ChangedFile[] => {
  if (revision.startsWith("-")) throw new ConfigurationError(`--changed: "${revision}" is not a revision.`);
  const git = (...args: string[]): string[] =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
      .split("\n")
      .filter((line) => line !== "");
  try {
    const paths = [
      ...git("diff", "--name-only", "--relative", revision, "--"),
      ...git("ls-files", "--others", "--exclude-standard"),
    ];
    return paths.map((path) => ({ path, text: textOf(join(ROOT, path)) }));
  } catch (error) {
    const { stderr = "" } = error as { readonly stderr?: string };
    throw new ConfigurationError(`--changed: ${stderr.split("\n")[0] || "git did not start"}`);
  }
};

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** Folders of which the code runs while a fault is tried. */
const TRIED = /^(?:fixtures|helpers|mocks|schemas|tests)\//;
const NOT_TRIED = /^(?:tests\/self|tests\/callers|mutation\/order)\//;

/** The most items of which only a part is run. A run of them takes less than a minute on two processors. */
const SAMPLE = { faults: 600, differences: 24 } as const;

export interface Touched<Item> {
  /** Items that the changed files name, or whose operation they name. */
  readonly named: readonly Item[];
  /** A sample of the others, of all kinds, if a changed file concerns them all. */
  readonly sample: readonly Item[];
}

/** Returns the faults that the files can touch. */
export const touchedFaults = (
  files: readonly ChangedFile[],
  faults: readonly Fault[],
  contracts: readonly Contract[],
): Touched<Fault> => {
  const tried = files.filter(isTried);
  const byService = new Map(contracts.map((contract) => [contract.service, contract]));
  const isNamed = (fault: Fault): boolean => {
    const contract = byService.get(fault.service);
    if (contract === undefined) return false;
    const names = [...operationsOf(fault, contract), fault.id.split(".").at(-1) ?? "", fault.violates];
    return tried.some(
      ({ path, text }) => serviceOf(path, byService) === fault.service && hasOne(text, names),
    );
  };
  return chosen(faults, isNamed, { tried, byService, most: SAMPLE.faults });
};

/** Returns the differences that the files can touch. */
export const touchedDifferences = <Item extends { readonly id: string; readonly service: Service }>(
  files: readonly ChangedFile[],
  differences: readonly Item[],
  contracts: readonly Contract[],
): Touched<Item> => {
  const tried = files.filter(isTried);
  const byService = new Map(contracts.map((contract) => [contract.service, contract]));
  const isNamed = ({ id, service }: Item): boolean =>
    tried.some(
      ({ path, text }) =>
        serviceOf(path, byService) === service && hasOne(text, [id.split(".").at(-1) ?? ""]),
    );
  return chosen(differences, isNamed, { tried, byService, most: SAMPLE.differences });
};

const isTried = ({ path }: ChangedFile): boolean => TRIED.test(path) && !NOT_TRIED.test(path);

/** Returns the service to whose folder a path belongs; `undefined` if all services use the file. */
const serviceOf = (path: string, services: ReadonlyMap<Service, unknown>): Service | undefined =>
  path.split("/").find((segment) => services.has(segment));

/** Whether a text has one of the names as a whole word. */
const hasOne = (text: string, names: readonly string[]): boolean =>
  names.some((name) => {
    const at = name === "" ? -1 : text.indexOf(name);
    return at >= 0 && !/[\w-]/.test(`${text[at - 1] ?? ""}${text[at + name.length] ?? ""}`);
  });

interface Scope {
  readonly tried: readonly ChangedFile[];
  readonly byService: ReadonlyMap<Service, Contract>;
  readonly most: number;
}

const chosen = <Item extends { readonly id: string; readonly service: Service }>(
  items: readonly Item[],
  isNamed: (item: Item) => boolean,
  { tried, byService, most }: Scope,
): Touched<Item> => {
  const named = items.filter(isNamed);
  const services = new Set(tried.map(({ path }) => serviceOf(path, byService)));
  const isShared = services.has(undefined);
  const others = items.filter((item) => !named.includes(item) && (isShared || services.has(item.service)));
  return { named: spread(named, most), sample: spread(others, Math.max(0, most - named.length)) };
};

/** Returns at most so many items, with the same number of each kind as far as possible. */
const spread = <Item extends { readonly id: string; readonly service: Service }>(
  items: readonly Item[],
  most: number,
): Item[] => {
  const all = [...grouped(items, ({ id, service }) => `${service} ${id.split(".").at(-1)}`).values()];
  // If there are more kinds than items, the kinds are taken at equal distances, so that each service has some.
  const step = Math.max(1, all.length / Math.max(1, most));
  const kinds = all.filter((_, index) => index % step < 1);
  const taken = new Set<Item>();
  const longest = Math.max(0, ...kinds.map(({ length }) => length));
  for (let turn = 0; turn < longest; turn += 1) {
    for (const kind of kinds) {
      const item = kind[turn];
      if (item !== undefined && taken.size < most) taken.add(item);
    }
  }
  return items.filter((item) => taken.has(item));
};
