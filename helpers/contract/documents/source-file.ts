/** The text of a document from which a contract is built, and the error when it cannot be used. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { relative } from "node:path";
import { fileProblem } from "./file-problem.ts";
import { isInGit, readFromGit } from "./git-source.ts";

/** A contract that cannot be used; the message names the file, the place and the solution. */
export class ContractError extends Error {
  override readonly name = "ContractError";
}

export interface SourceFile {
  /** Path relative to the working directory, or absolute for files outside it. */
  readonly name: string;
  readonly text: string;
}

/** @param hint the advice when the file can't be read @throws ContractError when it can't be read */
export const readSource = (path: string, hint = DOCUMENT): SourceFile => {
  const near = relative(process.cwd(), path);
  const name = isInGit(path) || near === "" || near.startsWith("..") ? path : near;
  try {
    if (isInGit(path)) return { name, text: readFromGit(path, MOST_BYTES) };
    const stats = statSync(path);
    if (!stats.isFile()) throw new Error("it is not a file");
    if (stats.size > MOST_BYTES)
      throw new Error(
        `it has ${(Math.ceil((stats.size / MEBIBYTE) * 10) / 10).toFixed(1)} MB, and at most 64 MB are read`,
      );
    return { name, text: readFileSync(path, "utf8") };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : fileProblem(error);
    throw new ContractError(`${name}${code === "ENOENT" ? "" : ":1"}: ${reason}. ${hint}`);
  }
};

const MEBIBYTE = 2 ** 20;
const MOST_BYTES = 64 * MEBIBYTE;

const DOCUMENT = "Give the path of an OpenAPI document (YAML or JSON).";

export const digestOf = (texts: readonly string[]): string => {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text).update("\0");
  return `sha256-${hash.digest("hex")}`;
};
