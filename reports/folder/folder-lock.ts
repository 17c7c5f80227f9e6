/** Locks a folder, so that only one process writes to it at a time. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { ConfigurationError } from "../../helpers/target/load-target.ts";

/**
 * @param path path of the lock file, which contains the process id
 * @returns a function that releases the lock
 * @throws ConfigurationError when a running process holds the lock
 */
export const lockFolder = (dir: string, path: string): (() => void) => {
  while (!tryLock(path)) {
    const holder = readFileSync(path, "utf8");
    if (!isAlive(Number(holder))) takeAway(path, holder);
    else {
      throw new ConfigurationError(
        `--out ${dir}: process ${holder} is writing to this folder. Wait until it ends, or choose another folder. ` +
          `If that process is not an Assay run, remove ${path}.`,
      );
    }
  }
  return () => rmSync(path, { force: true });
};

const tryLock = (path: string): boolean => {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
};

/** Whether a process is running. Process id 0 means that the lock file is still being written. */
const isAlive = (pid: number): boolean => {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

/** Removes the lock of a process that has ended. If another process has replaced the lock meanwhile, restores it. */
const takeAway = (path: string, holder: string): void => {
  const aside = `${path}.${process.pid}`;
  renameSync(path, aside);
  if (readFileSync(aside, "utf8") === holder) rmSync(aside);
  else renameSync(aside, path);
};
