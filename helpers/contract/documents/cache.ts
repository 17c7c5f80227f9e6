/** Caches parsed documents between runs, by the content of the documents and of the code that reads them. */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../code.ts";
import { digestOf } from "./source-file.ts";

const CODE = fileURLToPath(new URL("../", import.meta.url));
const SCHEMAS = fileURLToPath(new URL("../../../schemas/", import.meta.url));
const CACHE = cacheFolder();

/** @param digests digests of the documents @returns the value that is known, and how another one is kept */
export const cached = <Value>(name: string, digests: readonly string[]) => {
  codeDigest ??= digestOf([...textsBelow(CODE), ...KINDS.map(schemaText)]);
  const parts = [...digests, codeDigest].map((digest) => digest.slice(7, 23));
  const path = join(CACHE, `${[name, ...parts].join("-")}.json`);
  return { known: read<Value>(path), keep: (value: Value): void => write(path, JSON.stringify(value)) };
};

let codeDigest: string | undefined;

/** The kinds of files in the folder of a service. Each has a JSON Schema. */
export const KINDS = [
  ...["gaps", "half", "openapi", "relations"],
  ...["requirement-set", "requirements", "service", "situation-rows"],
] as const;

/** Returns the JSON Schema of a kind of files. */
export const schemaText = (kind: string): string =>
  readFileSync(join(SCHEMAS, `${kind}.schema.json`), "utf8");

/** Returns the texts of all matching files below a folder, sorted by path. */
export const textsBelow = (folder: string, passes: (name: string) => boolean = () => true): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && passes(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => readFileSync(path, "utf8"));

const read = <Value>(path: string): Value | undefined => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Value;
  } catch {
    return undefined;
  }
};

/**
 * Writes a temporary file and renames it, because workers may load at the same time. Ignores a cache that can't be
 * written.
 */
const write = (path: string, text: string): void => {
  try {
    mkdirSync(CACHE, { recursive: true });
    const aside = `${path}.${process.pid}`;
    writeFileSync(aside, text);
    renameSync(aside, path);
  } catch {
    return;
  }
};
