/** Reads optional JSON files, and replaces files atomically. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * @returns `undefined` when there is no such file
 * @throws SyntaxError when the file is not JSON
 */
export const readJson = <Value>(path: string): Value | undefined =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Value) : undefined;

/** Whether the disk, a limit or a permission prevented writing. @param error of the file system */
export const isUnwritable = (error: unknown): error is NodeJS.ErrnoException =>
  /^(ENOSPC|EFBIG|EDQUOT|EROFS|EIO|EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? "");

/** Writes a temporary file and renames it. This is synchronous, so that it completes in a process that is ending. */
export const replaceFile = (path: string, text: string): void => {
  const aside = `${path}.${process.pid}`;
  try {
    writeFileSync(aside, text);
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
};

let usersMask: number | undefined;

/** Only the owner can read what this process and its children write from now on: results may contain traffic. */
export const keepFilesPrivate = (): void => {
  const mask = process.umask(0o077);
  usersMask ??= mask;
};

/** Starts a program of the user, whose files have the permissions that the user wants. */
export const withUsersMask = <Started>(start: () => Started): Started => {
  const own = process.umask(usersMask ?? process.umask());
  try {
    return start();
  } finally {
    process.umask(own);
  }
};
