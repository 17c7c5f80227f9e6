/** Measures what developers of the product wait for: its own tests, and the runs that prove its checks. */
import { execFileSync } from "node:child_process";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type MutationMatrix, shareAtQuick } from "../reports/mutation.ts";
import { matrixPath } from "../reports/mutation-file.ts";
import { inCopy } from "./checkout.ts";
import { type Measured, measured } from "./commands.ts";
import { inRounds, showRounds } from "./tools.ts";

/** All trials use this file, so a change of it concerns all faults and differences. */
const CHANGED = "helpers/checks/refusal.ts";

export const benchLanes = async (rounds: number): Promise<void> => {
  process.stdout.write("\nWhat developers wait for\n\n");
  await measureLane("npm test -- --project quick", 45, rounds, [
    "test",
    "--silent",
    "--",
    "--project",
    "quick",
  ]);
  await inCopy((root) => measureMutation(root, rounds));
  await measureLane("npm test", 480, rounds, ["test", "--silent"]);
};

const measureLane = async (
  what: string,
  most: number,
  rounds: number,
  args: readonly string[],
): Promise<void> => {
  const runs = await inRounds(rounds, () => progress(what, () => measured(args)));
  showRounds(what, runs.map(secondsOf), { most, unit: "s" });
};

/** @param root a copy of the checkout, because whole runs store their scores */
const measureMutation = async (root: string, rounds: number): Promise<void> => {
  await makeRepository(root);
  await appendFile(join(root, CHANGED), "// A change.\n");
  const run = (...flags: readonly string[]): Promise<Measured> =>
    progress(["npm run mutation", ...flags].join(" "), () =>
      measured(["run", "--silent", "mutation", "--", ...flags], root),
    );
  const changed = await inRounds(rounds, () => run("--changed"));
  showRounds("faults and differences that a change can touch", changed.map(secondsOf), {
    most: 60,
    unit: "s",
  });
  const found: number[] = [];
  const all = await inRounds(rounds, async () => {
    const faults = await run();
    found.push(await shareFound(root));
    const differences = await run("--innocent");
    return [faults, differences].map(secondsOf);
  });
  showRounds(
    "all faults",
    all.map(([faults = 0]) => faults),
    { unit: "s" },
  );
  showRounds(
    "all permitted differences",
    all.map(([, differences = 0]) => differences),
    { unit: "s" },
  );
  showRounds(
    "both",
    all.map(([faults = 0, differences = 0]) => faults + differences),
    { most: 360, unit: "s" },
  );
  showRounds("faults found at quick depth", found, { least: 97, unit: "%" });
};

const secondsOf = ({ seconds }: Measured): number => seconds;

/** Returns the share of the faults that are found at quick depth, in percent. */
const shareFound = async (root: string): Promise<number> => {
  const path = matrixPath(join(root, "reports", "out"));
  return shareAtQuick(JSON.parse(await readFile(path, "utf8")) as MutationMatrix);
};

/** Makes a repository with one commit of all files. */
const makeRepository = async (root: string): Promise<void> => {
  const author = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com"];
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", [...author, ...args], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Copy the checkout");
};

/** Says what is measured now: a round can take several minutes. */
const progress = (what: string, measure: () => Promise<Measured>): Promise<Measured> => {
  process.stderr.write(`  ${what} …\n`);
  return measure();
};
