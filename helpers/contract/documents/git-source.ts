/** Documents in a git repository: `git:REVISION:path`, with the path from the root of the repository. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

const IN_GIT = /^git:([^:]+):(.+)$/;

export const isInGit = (path: string): boolean => path.startsWith("git:");

/** Returns the absolute path of a file, or the address of a file in git. */
export const locationOf = (path: string): string => (isInGit(path) ? path : resolve(path));

/** Returns the revision and the path in the repository. @throws Error when the text is not `git:REVISION:path` */
export const gitPlaceOf = (location: string) => {
  const [, revision, path] = IN_GIT.exec(location) ?? [];
  if (revision === undefined || path === undefined || revision.startsWith("-"))
    throw new Error("it is not of the form git:REVISION:path");
  return { revision, path };
};

/** @throws Error with the first line of git's message when there is no such file, or when it is too large */
export const readFromGit = (location: string, mostBytes: number): string => {
  const { revision, path } = gitPlaceOf(location);
  try {
    return execFileSync("git", ["cat-file", "blob", `${revision}:${path}`], {
      encoding: "utf8",
      maxBuffer: mostBytes,
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { readonly stderr?: string };
    if (code === "ENOBUFS") throw new Error(`it has more than ${mostBytes / 2 ** 20} MB`);
    const [said = ""] = (stderr ?? "").split("\n");
    throw new Error(said === "" ? "git did not start" : said.replace(/^fatal: /, "git: "));
  }
};
