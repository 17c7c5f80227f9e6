/** The end of a process: the signals that end it, and folders for temporary files, which are gone then. */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

/** Whether the process outlives its terminal (`nohup`), which a listener would change. Without `/proc`, nothing shows it. */
const outlivesTerminal = (): boolean => {
  try {
    const [, ignored] = /^SigIgn:\s*([\da-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return (BigInt(`0x${ignored}`) & HANG_UP) !== 0n;
  } catch {
    return true;
  }
};

/** SIGHUP has the number 1. */
const HANG_UP = 1n;

/** The signals that end a command: from Ctrl-C, `kill` and a closed terminal. */
export const ENDING_SIGNALS: readonly NodeJS.Signals[] = [
  ...(["SIGINT", "SIGTERM"] as const),
  ...(outlivesTerminal() ? [] : (["SIGHUP"] as const)),
];

/** Makes a folder that only this user can read, and removes the folders of killed processes. */
export const temporaryFolder = (name: string, parent = tmpdir()): string => {
  if (folders.length === 0) {
    // A signal that comes at once finds the listeners.
    removeAtEnd();
    removeAbandoned(parent);
  }
  const folder = mkdtempSync(join(parent, `assay-${name}-${PLACE}-${process.pid}-`));
  folders.push(folder);
  return folder;
};

const folders: string[] = [];

/** Where a process id has a meaning: another machine or container may have the same folder for temporary files. */
const placeOfProcess = (): string => {
  try {
    return `${hostname()}${readlinkSync("/proc/self/ns/pid")}`.replaceAll(/\W/g, "");
  } catch {
    return hostname().replaceAll(/\W/g, "");
  }
};

const PLACE = placeOfProcess();

const removeAbandoned = (parent: string): void => {
  for (const name of namesIn(parent)) {
    const [, place, pid] = /^assay-\w+-(\w+)-(\d+)-\w{6}$/.exec(name) ?? [];
    if (place !== PLACE || isRunning(Number(pid))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // It is another user's folder.
    }
  }
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
};

const removeAtEnd = (): void => {
  process.once("exit", removeAll);
  // Without a listener, a signal ends the process without this event.
  for (const signal of ENDING_SIGNALS) process.prependListener(signal, endedBy);
};

const removeAll = (): void => {
  // A process that was started by this one may still write.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
};

const endedBy = (signal: NodeJS.Signals): void => {
  // Another part of the process ends it, after it has finished its own work.
  if (process.listenerCount(signal) > 1) return;
  removeAll();
  process.off(signal, endedBy);
  process.kill(process.pid, signal);
};
