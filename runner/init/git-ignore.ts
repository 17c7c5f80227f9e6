/** Keeps a file with secrets out of git. */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";

const IGNORED = ".gitignore";

/** Whether git would commit the file; false without a repository, or without git. */
export const isCommittable = (path: string): boolean =>
  // The exit code is 1 only for a path in a repository that no rule ignores.
  spawnSync("git", ["check-ignore", "--quiet", path]).status === 1;

export const ignoreFile = (path: string): void => {
  const text = existsSync(IGNORED) ? readFileSync(IGNORED, "utf8") : "";
  appendFileSync(IGNORED, `${text === "" || text.endsWith("\n") ? "" : "\n"}${path}\n`);
};
