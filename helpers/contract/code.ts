/** Where the code of the product is: in a checkout, also compiled there, or in the installed package. */
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the compiled code, which `bin/compiled.cjs` writes into it; not defined elsewhere. */
declare const COMPILED_FOLDER: string | undefined;
const compiledFolder = typeof COMPILED_FOLDER === "undefined" ? undefined : COMPILED_FOLDER;

export const IS_PACKAGED = import.meta.url.endsWith(".js");

/** Whether this code is JavaScript, so that other processes need no loader for TypeScript. */
export const IS_JAVASCRIPT = IS_PACKAGED || compiledFolder !== undefined;

/** Returns the path of a TypeScript file of the product as it is here: `kinds.js` for `kinds.ts` in the package. */
export const codeFile = (path: string): string => (IS_PACKAGED ? path.replace(/\.ts$/, ".js") : path);

/**
 * Returns the absolute path of code that another process loads, or of a folder with such code.
 * @param path in the product, of TypeScript
 */
export const loadedCode = (path: string): string =>
  compiledFolder === undefined
    ? fileURLToPath(new URL(`../../${codeFile(path)}`, import.meta.url))
    : join(compiledFolder, path.replace(/\.ts$/, ".js"));

/** Returns how a user writes a command: `npm run merge` in a checkout, `npx assay merge` with the package. */
export const commandName = (command: string): string => `${IS_PACKAGED ? "npx assay" : "npm run"} ${command}`;

/** Returns the start of a command line to which arguments are added. */
export const commandWith = (command: string): string => `${commandName(command)}${IS_PACKAGED ? "" : " --"}`;

/** Returns the folder for data between runs. The package writes nothing to its own folder. */
export const cacheFolder = (): string => {
  if (!IS_PACKAGED) return fileURLToPath(new URL("../../node_modules/.cache/assay/", import.meta.url));
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  return join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), ".cache"), "assay");
};
