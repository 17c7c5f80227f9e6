/**
 * Manages the output folder of a command. It must be new, empty, or have a manifest from an earlier command.
 * Only files that the manifest lists are ever removed.
 */
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileProblem } from "../../helpers/contract/documents/file-problem.ts";
import { readJson, replaceFile } from "../../helpers/run/files.ts";
import { ConfigurationError } from "../../helpers/target/load-target.ts";
import { lockFolder } from "./folder-lock.ts";

/** The kind of results. New results replace earlier ones of the same kind. */
type Kind = "run" | "mutation" | "leftovers" | "traffic";

/** The files that commands write, by their paths relative to the folder. */
const WRITTEN: readonly (readonly [Kind, RegExp])[] = [
  [
    "run",
    /^(certificate|baseline|upgrade)\.json$|^certificate\.(html|md|jws|sarif)$|^(junit\.xml|bindings\.yaml)$/,
  ],
  ["run", /^allure-results\/[\da-f-]{36}-(result|container|attachment)[\w.]*$/],
  ["run", /^allure-report\/(index\.html|(summary|test-results)\.json|app-\w+\.js(\.LICENSE\.txt)?)$/],
  ["run", /^allure-report\/(data|widgets)\/[\w/-]+\.\w+$/],
  ["run", /^blob\/report[\w-]*\.zip$|^crashes\/[\w.-]+\.txt$|^work\/\.last-run\.json$/],
  ["run", /^(certificate\.(json|html|md)|junit\.xml|\.assay-out\.json)\.\d+$/],
  ["mutation", /^(mutation(-clean|-caller|-listener)?|innocence)\.json$/],
  ["run", /^(service\/)?findings\/f-\d+\.har$/],
  ["leftovers", /^leftovers\.ndjson$/],
  ["traffic", /^traffic-[\dTZ]+\.(ndjson|har)$/],
  ["run", /^service\/(certificate\.(json|html|md|sarif)|junit\.xml)$/],
  // Earlier versions wrote them.
  ["run", /^(service\/)?badge\.svg$|^prediction\.json$/],
];
const SUBFOLDERS = ["allure-results", "allure-report", "blob", "crashes", "work", "service", "findings"];

const MANIFEST = ".assay-out.json";
const LOCK = ".assay-out.lock";
const FORMAT = "assay-out/1";

interface Manifest {
  readonly format: typeof FORMAT;
  /** The files we wrote; `null` while a command is running, and after it was killed. */
  readonly files: readonly string[] | null;
  /** The user's files whose names match ours. */
  readonly foreign: readonly string[];
}

/**
 * Claims the folder until this process ends, and removes the results that the command replaces. Completes the
 * manifest when the process ends.
 * @param replaces kind of the results to remove now; omit it if the command replaces them later
 * @throws ConfigurationError when the folder holds other files, is in use, or can't be written to
 */
export const claimFolder = (dir: string, replaces?: Kind): void => {
  const made: string[] = [];
  let unlock = (): void => {};
  try {
    for (const folder of missingFolders(dir)) {
      mkdirSync(folder);
      made.unshift(folder);
    }
    const found = filesIn(dir);
    const ours = filesOfOurs(dir, found);
    unlock = lockFolder(dir, join(dir, LOCK));
    const foreign = found.filter((file) => kindOf(file) && !ours.has(file));
    writeManifest(dir, { format: FORMAT, files: null, foreign });
    // This ignores files in the manifest that no longer exist or are outside of the folder.
    const old = found.filter((file) => replaces && ours.has(file) && kindOf(file) === replaces);
    remove(dir, old);
    const complete = (): void => {
      recordFiles(dir, foreign);
      unlock();
    };
    completeAtExit(dir, complete);
    abandoning.set(dir, () => {
      completing.delete(dir);
      remove(
        dir,
        filesIn(dir).filter((file) => kindOf(file) && !foreign.includes(file) && !found.includes(file)),
      );
      unlock();
      if (found.length > 0) return;
      rmSync(join(dir, MANIFEST), { force: true });
      for (const folder of made) rmdirSync(folder);
    });
  } catch (error) {
    unlock();
    for (const folder of made) rmdirSync(folder);
    throw error instanceof ConfigurationError
      ? error
      : new ConfigurationError(complaint(dir, error as Error));
  }
};

/** What to do with each claimed folder when this process ends. */
const completing = new Map<string, () => void>();

/** One listener serves all folders, because a process may claim many. */
const completeAtExit = (dir: string, complete: () => void): void => {
  if (!process.listeners("exit").includes(completeAll)) process.once("exit", completeAll);
  completing.set(dir, complete);
};

const completeAll = (): void => {
  for (const complete of completing.values()) complete();
};

/** What to do to give up a claimed folder. */
const abandoning = new Map<string, () => void>();

/**
 * Gives up a claimed folder, and removes what this process wrote.
 * @throws ConfigurationError with the reason why nothing can be written
 */
export const abandonFolder = (dir: string, error: Error): never => {
  abandoning.get(dir)?.();
  throw new ConfigurationError(complaint(dir, error));
};

const missingFolders = (dir: string): string[] => {
  const missing: string[] = [];
  for (let at = resolve(dir); !existsSync(at); at = dirname(at)) missing.unshift(at);
  return missing;
};

/** Lists the regular files in the folder and in our subfolders, by relative path with slashes. */
const filesIn = (dir: string): string[] => {
  const entries = readdirSync(dir, { withFileTypes: true });
  // Symbolic links are not followed: their targets are outside of the folder.
  const folders = entries.filter((entry) => entry.isDirectory() && SUBFOLDERS.includes(entry.name));
  const below = folders.flatMap(({ name }) =>
    readdirSync(join(dir, name), { recursive: true, withFileTypes: true }),
  );
  return [...entries, ...below]
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(dir, join(parentPath, name)).split(sep).join("/"));
};

const kindOf = (file: string): Kind | undefined => WRITTEN.find(([, pattern]) => pattern.test(file))?.[0];

/** @throws ConfigurationError when a command would overwrite a user's file, or when none of the files is ours */
const filesOfOurs = (dir: string, found: readonly string[]): Set<string> => {
  const manifest = readOurs<Manifest>(dir, MANIFEST, FORMAT);
  const names = readdirSync(dir).filter((name) => name !== LOCK);
  if (manifest === undefined) {
    if (names.length === 0 || isOfEarlierVersion(dir, names, found)) return new Set(found);
    throw new ConfigurationError(refusal(dir, names[0]));
  }
  const { files, foreign } = manifest;
  const ours = new Set(files ?? found.filter((file) => kindOf(file) && !foreign.includes(file)));
  const other = found.find((file) => kindOf(file) && !file.includes("/") && !ours.has(file));
  if (other !== undefined) throw new ConfigurationError(refusal(dir, other));
  return ours;
};

const refusal = (dir: string, name: string | undefined): string =>
  `--out ${dir}: the folder is not empty, and we did not write what is in it (${name}, for example). ` +
  "Choose a new or an empty folder.";

/** Whether an earlier version without a manifest wrote the folder; its own tests also wrote a folder `self`. */
const isOfEarlierVersion = (dir: string, names: readonly string[], found: readonly string[]): boolean =>
  found.every(kindOf) &&
  names.every((name) => SUBFOLDERS.includes(name) || name === "self" || kindOf(name)) &&
  readOurs(dir, "certificate.json", "certificate/1") !== undefined;

/** Reads a file; returns `undefined` when it does not exist or is not one of our files. */
const readOurs = <Value extends { readonly format: string }>(
  dir: string,
  file: string,
  format: string,
): Value | undefined => {
  try {
    const value = readJson<Value>(join(dir, file));
    return value?.format === format ? value : undefined;
  } catch {
    return undefined;
  }
};

const remove = (dir: string, files: readonly string[]): void => {
  for (const file of files) rmSync(join(dir, file), { force: true });
  for (const folder of new Set(files.map(dirname))) removeIfEmpty(dir, folder);
};

/** Removes a folder unless it contains other files. */
const removeIfEmpty = (dir: string, folder: string): void => {
  const path = join(dir, folder);
  if (folder === "." || !existsSync(path) || readdirSync(path).length > 0) return;
  rmdirSync(path);
  removeIfEmpty(dir, dirname(folder));
};

const writeManifest = (dir: string, manifest: Manifest): void =>
  replaceFile(join(dir, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`);

const recordFiles = (dir: string, foreign: readonly string[]): void => {
  try {
    const files = filesIn(dir).filter((file) => kindOf(file) && !foreign.includes(file));
    writeManifest(dir, { format: FORMAT, files, foreign });
  } catch {
    // The folder was removed or the disk is full. The manifest still says that a command is running.
  }
};

const complaint = (dir: string, error: Error): string =>
  `--out ${dir}: no results can be written there (${fileProblem(error).split(",", 1)[0]}). Choose another folder.`;
