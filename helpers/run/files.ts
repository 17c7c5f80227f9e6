/** Files of JSON that may be absent, and files of which nobody ever reads half. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/**
 * @returns `undefined` when there is no such file
 * @throws SyntaxError when it holds no JSON
 */
export const readJson = <Value>(path: string): Value | undefined =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Value) : undefined;

/** Written aside and renamed. Synchronous, so that a process that is being ended still completes it. */
export const replaceFile = (path: string, text: string): void => {
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, text);
  renameSync(aside, path);
};
