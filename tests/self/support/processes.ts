/** Finds the processes that a run has started, and whether they have ended. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect } from "@playwright/test";

export interface Started {
  readonly pid: number;
  readonly command: string;
}

/** Returns the children of a process and their descendants. */
export const below = (pid: number): Started[] => {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
  const children = rows.filter(([, , parent]) => Number(parent) === pid);
  return children.flatMap(([, child, , command = ""]) => [
    { pid: Number(child), command },
    ...below(Number(child)),
  ]);
};

/** Returns the processes whose environment has the text, even if the process that started them has ended. */
export const withEnvironment = (text: string): Started[] =>
  (existsSync("/proc") ? readdirSync("/proc") : []).flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [environment = "", command = ""] = ["environ", "cmdline"].map((file) =>
        readFileSync(`/proc/${name}/${file}`, "utf8").replaceAll("\0", " "),
      );
      return environment.includes(text) ? [{ pid: Number(name), command }] : [];
    } catch {
      // It has ended, or belongs to somebody else.
      return [];
    }
  });

/** @param timeout in milliseconds. A process group is the negative id of its leader. */
export const expectGone = async (
  processes: readonly { readonly pid: number }[],
  timeout = 60_000,
): Promise<void> => {
  await expect.poll(() => processes.filter(({ pid }) => isAlive(pid)), { timeout }).toEqual([]);
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
