/**
 * Finds the source of compiled code. Node.js can do the same, but it reads the maps of all files at each start, which
 * takes long; this reads the map of a file when it is first asked for.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { getOrInsert } from "../contract/memoize.ts";
import type { CodeLocation } from "./trial.ts";

/** Maps by file; `null` for a file without a map. */
const maps = new Map<string, TraceMap | null>();

/** @returns the location in the source; `undefined` if the file has no map */
export const sourceOf = ({ file, line, column }: CodeLocation): CodeLocation | undefined => {
  const path = file.startsWith("file:") ? fileURLToPath(file) : file;
  if (!path.endsWith(".js")) return undefined;
  const map = getOrInsert(maps, path, () => mapOf(path));
  if (map === null) return undefined;
  // Its columns count from 0.
  const found = originalPositionFor(map, { line, column: column - 1 });
  if (found.source === null) return undefined;
  return { file: resolve(dirname(path), found.source), line: found.line, column: found.column + 1 };
};

const mapOf = (path: string): TraceMap | null => {
  const map = `${path}.map`;
  return existsSync(map) ? new TraceMap(readFileSync(map, "utf8")) : null;
};

/** Shows the sources in all stack traces of this process. */
export const showSources = (): void => {
  Error.prepareStackTrace = (error, frames) => [error, ...frames.map(lineOf)].join("\n");
};

/** Returns a line of a trace, with the location in the source if the file has a map. */
const lineOf = (frame: NodeJS.CallSite): string => {
  const file = frame.getFileName() ?? "";
  const location = { file, line: frame.getLineNumber() || 1, column: frame.getColumnNumber() || 1 };
  const source = sourceOf(location);
  return `    at ${source === undefined ? frame : String(frame).replace(written(location), written(source))}`;
};

const written = ({ file, line, column }: CodeLocation): string => `${file}:${line}:${column}`;
