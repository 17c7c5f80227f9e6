/** Measures the start of the sandbox. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { LAUNCHER } from "./recording.ts";
import { ANY_PORT, type Goal, goalLine } from "./tools.ts";

/** The least of several measurements: single ones vary on a shared machine. */
const REPEATS = 5;

const START: Goal = { most: 0.5, unit: "s" };

export const benchSandbox = async (): Promise<void> => {
  const seconds = goalLine(`ready after the start, best of ${REPEATS}`, await start(), START);
  process.stdout.write(`\nThe sandbox\n\n${seconds}\n`);
};

/** Returns the seconds from the command to its first line. */
const start = async (): Promise<number> => {
  const seconds: number[] = [];
  for (let round = 0; round < REPEATS; round++) {
    const started = performance.now();
    const child = spawn(process.execPath, [LAUNCHER, "mock", "--port", String(ANY_PORT)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    seconds.push((performance.now() - started) / 1000);
    child.kill();
    await once(child, "close");
  }
  return Math.min(...seconds);
};
