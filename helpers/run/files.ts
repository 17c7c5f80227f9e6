/** Reads optional JSON files, and replaces files atomically. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/**
 * @returns `undefined` when there is no such file
 * @throws SyntaxError when the file is not JSON
 */
export const readJson = <Value>(path: string): Value | undefined =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Value) : undefined;

/** Writes a temporary file and renames it. This is synchronous, so that it completes in a process that is ending. */
export const replaceFile = (path: string, text: string): void => {
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, text);
  renameSync(aside, path);
};
