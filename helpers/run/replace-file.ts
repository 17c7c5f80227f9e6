/** Writes a file such that nobody ever reads half of it. */
import { renameSync, writeFileSync } from "node:fs";

/** Written aside and renamed. Synchronous, so that a process that is being ended still completes it. */
export const replaceFile = (path: string, text: string): void => {
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, text);
  renameSync(aside, path);
};
