/**
 * Shows the sources in the stack traces of compiled commands. Node.js can do the same, but it reads the maps of all
 * files at each start, which takes long; this reads the map of a file when a trace first contains it.
 */
const { existsSync, readFileSync } = require("node:fs");
const { SourceMap } = require("node:module");
const { dirname, resolve } = require("node:path");
const { fileURLToPath } = require("node:url");

const maps = new Map();

const mapOf = (file) => {
  const path = `${file}.map`;
  if (!maps.has(file))
    maps.set(file, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, "utf8"))) : undefined);
  return maps.get(file);
};

/** Returns a line of a trace, with the place in the source if the file has a map. */
const lineOf = (frame) => {
  const url = frame.getFileName() ?? "";
  const place = `${url}:${frame.getLineNumber()}:${frame.getColumnNumber()}`;
  const file = url.startsWith("file:") ? fileURLToPath(url) : url;
  const map = file.endsWith(".js") ? mapOf(file) : undefined;
  const { originalSource, originalLine, originalColumn } =
    map?.findEntry(frame.getLineNumber() - 1, frame.getColumnNumber() - 1) ?? {};
  if (originalSource === undefined) return `    at ${frame}`;
  const source = resolve(dirname(file), originalSource);
  return `    at ${String(frame).replace(place, `${source}:${originalLine + 1}:${originalColumn + 1}`)}`;
};

exports.showSources = () => {
  Error.prepareStackTrace = (error, frames) => [error, ...frames.map(lineOf)].join("\n");
};
