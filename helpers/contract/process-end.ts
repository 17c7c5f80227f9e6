/** The end of a process: the signals that end it, and folders for temporary files, which are gone then. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
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
  // A signal that comes at once finds the listeners.
  if (folders.length === 0) removeAtEnd();
  const folder = mkdtempSync(join(parent, `assay-${name}-${PLACE}-${process.pid}-`));
  if (folders.length === 0) removeAbandoned(parent);
  folders.push(folder);
  return folder;
};

const folders: string[] = [];

/** Another machine or container, which may share the folder, has other processes. */
const PLACE =
  `${hostname()}${statSync("/proc/self/ns/pid", { throwIfNoEntry: false })?.ino ?? ""}`.replaceAll(/\W/g, "");

const removeAbandoned = (parent: string): void => {
  for (const name of readdirSync(parent)) {
    const [, place, pid] = /^assay-\w+-(\w+)-(\d+)-\w{6}$/.exec(name) ?? [];
    try {
      if (place === PLACE) process.kill(Number(pid), 0);
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === "ESRCH";
      if (isGone) rmSync(join(parent, name), { recursive: true, force: true });
    }
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
