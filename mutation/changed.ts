/** Chooses the faults and differences that a change of the code can touch. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { groupBy } from "../helpers/contract/memoize.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import type { Fault } from "../mocks/engine/deviations/deviation.ts";
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
const NOT_TRIED = /^(?:tests\/self|mutation\/order)\//;

/** The most items of which only a part is run. A run of them takes less than a minute on two processors. */
const SAMPLE = { faults: 600, differences: 24 } as const;

/** A fault or a difference. */
interface Item {
  readonly id: string;
  readonly service: Service;
}

export interface Touched<Kind> {
  /** Items that the changed files name, or whose operation they name. */
  readonly named: readonly Kind[];
  /** A sample of the others, of all kinds, if a changed file concerns them all. */
  readonly sample: readonly Kind[];
}

/** Returns the faults that the files can touch. */
export const touchedFaults = (
  files: readonly ChangedFile[],
  faults: readonly Fault[],
  contracts: readonly Contract[],
): Touched<Fault> => {
  const byService = new Map(contracts.map((contract) => [contract.service, contract]));
  const namesOf = (fault: Fault): string[] => {
    const contract = byService.get(fault.service);
    return [...(contract ? operationsOf(fault, contract) : []), kindOf(fault), fault.violates];
  };
  return touched(files, faults, { namesOf, services: new Set(byService.keys()), most: SAMPLE.faults });
};

/** Returns the differences that the files can touch. */
export const touchedDifferences = <Difference extends Item>(
  files: readonly ChangedFile[],
  differences: readonly Difference[],
  contracts: readonly Contract[],
): Touched<Difference> =>
  touched(files, differences, {
    namesOf: (difference) => [kindOf(difference)],
    services: new Set(contracts.map(({ service }) => service)),
    most: SAMPLE.differences,
  });

const kindOf = ({ id }: Item): string => id.split(".").at(-1) ?? "";

const touched = <Kind extends Item>(
  files: readonly ChangedFile[],
  items: readonly Kind[],
  {
    namesOf,
    services,
    most,
  }: {
    /** Returns the words that name an item in code. */
    readonly namesOf: (item: Kind) => readonly string[];
    readonly services: ReadonlySet<Service>;
    readonly most: number;
  },
): Touched<Kind> => {
  const tried = groupBy(files.filter(isTried), ({ path }) => serviceOf(path, services));
  const words = new Map([...tried].map(([service, own]) => [service, wordsIn(own)]));
  const isNamed = (item: Kind): boolean =>
    namesOf(item).some((name) => words.get(item.service)?.has(name) === true);
  const named = items.filter(isNamed);
  const isConcerned = ({ service }: Item): boolean => tried.has(undefined) || tried.has(service);
  const others = items.filter((item) => isConcerned(item) && !isNamed(item));
  return { named: spread(named, most), sample: spread(others, Math.max(0, most - named.length)) };
};

const isTried = ({ path }: ChangedFile): boolean => TRIED.test(path) && !NOT_TRIED.test(path);

/** Returns the service to whose folder a path belongs; `undefined` if all services use the file. */
const serviceOf = (path: string, services: ReadonlySet<Service>): Service | undefined =>
  path.split("/").find((segment) => services.has(segment));

/** Returns the words in the texts of files, and the ids, which contain dots. */
const wordsIn = (files: readonly ChangedFile[]): ReadonlySet<string> =>
  new Set(files.flatMap(({ text }) => [...(text.match(/[\w-]+/g) ?? []), ...(text.match(/[\w.-]+/g) ?? [])]));

/** Returns at most so many items, with the same number of each kind as far as possible. */
const spread = <Kind extends Item>(items: readonly Kind[], most: number): Kind[] => {
  const all = [...groupBy(items, (item) => `${item.service} ${kindOf(item)}`).values()];
  // If there are more kinds than items, the kinds are taken at equal distances, so that each service has some.
  const step = Math.max(1, all.length / Math.max(1, most));
  const kinds = all.filter((_, index) => index % step < 1);
  const taken = new Set<Kind>();
  const longest = Math.max(0, ...kinds.map(({ length }) => length));
  for (let turn = 0; turn < longest; turn += 1) {
    for (const kind of kinds) {
      const item = kind[turn];
      if (item !== undefined && taken.size < most) taken.add(item);
    }
  }
  return items.filter((item) => taken.has(item));
};
