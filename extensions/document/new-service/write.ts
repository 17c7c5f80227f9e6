/** Writes the files of a service, or updates them from the next version of its document. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigurationError } from "../../../helpers/target/load-target.ts";
import type { filesOf } from "./folders.ts";
import { updated } from "./update.ts";

/**
 * @param root the folder in which the paths start
 * @returns the paths of the files, and the places that a person and the document both changed
 * @throws ConfigurationError when a folder exists whose files this command did not write
 */
export const writeService = (
  root: string,
  { texts, written }: ReturnType<typeof filesOf>,
): { readonly files: string[]; readonly kept: string[] } => {
  const before = textsBefore(root, texts, written);
  const kept: string[] = [];
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(texts)) {
    const base = before[path];
    const own = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
    // A file that a person removed stays away.
    if (base !== undefined && own === undefined) continue;
    if (base === undefined || own === undefined) write(path, text);
    else write(path, updated(path, { base, own, next: text }, kept));
  }
  write(written, JSON.stringify(texts));
  return { files: [...Object.keys(texts), written], kept };
};

/** Returns the texts that the command wrote before. A new service has none. */
const textsBefore = (
  root: string,
  texts: Readonly<Record<string, string>>,
  written: string,
): Readonly<Record<string, string>> => {
  if (existsSync(join(root, written)))
    return JSON.parse(readFileSync(join(root, written), "utf8")) as Record<string, string>;
  const existing = Object.keys(texts)
    .map(dirname)
    .find((folder) => existsSync(join(root, folder)));
  if (existing === undefined) return {};
  throw new ConfigurationError(`${existing} exists. Choose another name, or remove it.`);
};
