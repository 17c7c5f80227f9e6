/** Finds the processes that a run has started, and whether they have ended. */
import { execFileSync } from "node:child_process";
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
