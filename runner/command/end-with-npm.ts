/**
 * Ends a command when the npm or npx that started it has ended. Between npm and a command, there may be a shell that does
 * not pass signals on, so that `kill` of npm would leave the command running.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** A process as the system shows it. */
export interface SystemProcess {
  readonly parent: number;
  /** Its command line, or the title that it gave itself. */
  readonly title: string;
  /** Whether it was started to outlive its terminal or its script (`nohup`, `setsid` and `&` of a script). */
  readonly isDetached: boolean;
}

/** Milliseconds. */
const INTERVAL = 500;

export const endWithNpm = (): void => {
  if (process.env.npm_execpath === undefined || process.platform === "win32") return;
  const waiting = waitingParents(process.pid, look);
  if (waiting.length === 0) return;
  const timer = setInterval(() => {
    if (!isOrphan(waiting)) return;
    clearInterval(timer);
    // The commands handle this signal: they clean up.
    process.kill(process.pid, "SIGTERM");
  }, INTERVAL);
  timer.unref();
};

/**
 * Returns the parents that wait for the command: npm, or a shell and npm. A parent that does not wait may end before the
 * command; then there is none. Process 1 does not end before its children.
 */
export const waitingParents = (pid: number, lookUp: typeof look): readonly number[] => {
  const own = lookUp(pid);
  if (own === undefined || own.isDetached) return [];
  const parent = lookUp(own.parent);
  if (own.parent <= 1 || parent === undefined) return [];
  if (isNpm(parent)) return [own.parent];
  if (!isShell(parent) || parent.parent <= 1) return [];
  const next = lookUp(parent.parent);
  return next !== undefined && isNpm(next) ? [own.parent, parent.parent] : [];
};

/** The system gives the child of a process that ended another parent. */
const isOrphan = ([parent, next]: readonly number[]): boolean =>
  process.ppid !== parent || (next !== undefined && look(parent)?.parent !== next);

const isNpm = ({ title: command }: SystemProcess): boolean => /^np[mx]\b/.test(command);

const isShell = ({ title: command }: SystemProcess): boolean =>
  /^-?(?:\S*\/)?(?:a|ba|da|k|z)?sh\b/.test(command);

/** @returns `undefined` when there is no such process, or the system does not show it */
const look = (pid: number): SystemProcess | undefined => {
  try {
    return existsSync("/proc/self/stat") ? lookInProc(pid) : lookWithPs(pid);
  } catch {
    return undefined;
  }
};

const lookInProc = (pid: number): SystemProcess => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may contain anything. After it come the state, the parent, the group and the session.
  const [, parent, , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const title = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  const ignored = BigInt(
    `0x${/^SigIgn:\s*([\da-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]}`,
  );
  const isDetached = Number(session) === pid || (ignored & HANG_UP_OR_INTERRUPT) !== 0n;
  return { parent: Number(parent), title, isDetached };
};

/** SIGHUP and SIGINT: `nohup` ignores the first, and a script ignores the second for what it starts with `&`. */
const HANG_UP_OR_INTERRUPT = 0b11n;

/** Without `/proc`, ignored signals are not shown. The shell there becomes the command, so that npm is its parent. */
const lookWithPs = (pid: number): SystemProcess => {
  const row = execFileSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" });
  const [, parent, title = ""] = /^\s*(\d+)\s+(.*)$/m.exec(row) ?? [];
  return { parent: Number(parent), title, isDetached: false };
};
