/** Keeps a folder for one process: a second one that writes to it is refused. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { ConfigurationError } from "../helpers/target/load-target.ts";

/**
 * @param path of the lock file, which holds the id of the process
 * @returns what gives the folder free
 * @throws ConfigurationError when a process that is alive holds it
 */
export const lockFolder = (dir: string, path: string): (() => void) => {
  while (!tryLock(path)) {
    const holder = readFileSync(path, "utf8");
    if (!isAlive(Number(holder))) takeAway(path, holder);
    else {
      throw new ConfigurationError(
        `--out ${dir}: process ${holder} is writing to this folder. Wait for its end, or choose another folder. ` +
          `If that process is none of ours, remove ${path}.`,
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

/** Process 0 stands for a lock that is being written. */
const isAlive = (pid: number): boolean => {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

/** A dead process's lock; one that another process has put in its place meanwhile is put back. */
const takeAway = (path: string, holder: string): void => {
  const aside = `${path}.${process.pid}`;
  renameSync(path, aside);
  if (readFileSync(aside, "utf8") === holder) rmSync(aside);
  else renameSync(aside, path);
};
