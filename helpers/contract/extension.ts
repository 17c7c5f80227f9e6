/** The extensions: the folders of `extensions/`, each of which may be missing. `runner/extensions.ts` declares what they give. */
import { existsSync, readdirSync } from "node:fs";
import { loadedCode } from "./code.ts";
import { ContractError } from "./documents/source-file.ts";

/** Returns what each extension gives, by its name. A part is loaded when it is called. */
export const extensions = async <Given>(): Promise<ReadonlyMap<string, Given>> => {
  const folder = loadedCode("extensions");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const loaded = names.map(async (name) => {
    const module = (await import(`../../extensions/${name}/index.ts`)) as { readonly extension: Given };
    return [name, module.extension] as const;
  });
  return new Map(await Promise.all(loaded));
};

/** Returns a part that one extension gives. @returns `undefined` if this extension is missing */
export const givenPart = async <Part>(point: string): Promise<Part | undefined> => {
  const all = await extensions<Readonly<Record<string, () => Promise<Part>>>>();
  return [...all.values()].find((one) => one[point] !== undefined)?.[point]?.();
};

/** @param what what needs the extension */
export const missing = (what: string, extension = "document"): ContractError =>
  new ContractError(`${what}: the folder extensions/${extension} is missing.`);
