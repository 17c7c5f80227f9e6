/** Where the code of the product is: in a checkout, also compiled there, or in the installed package. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { shellLine } from "./shell.ts";

/**
 * `bin/compiled.cjs` writes these addresses into compiled code: of its folder, and of the folder where the sources are,
 * or would be in the installed package. Sources do not define them.
 */
declare const ASSAY_CODE: string | undefined;
declare const ASSAY_SOURCES: string | undefined;

/** Whether this code is JavaScript, so that other processes need no loader for TypeScript. */
export const IS_JAVASCRIPT = typeof ASSAY_CODE !== "undefined";

export const IS_PACKAGED = IS_JAVASCRIPT && ASSAY_CODE === ASSAY_SOURCES;

/**
 * Returns the absolute path of code that another process loads, or of a folder with such code.
 * @param path in the product, of TypeScript
 */
export const loadedCode = (path: string): string =>
  fileURLToPath(
    IS_JAVASCRIPT
      ? new URL(path.replace(/\.ts$/, ".js"), ASSAY_CODE)
      : new URL(`../../${path}`, import.meta.url),
  );

/** Whether the product has code that a service may have. */
export const hasCode = (path: string): boolean => existsSync(loadedCode(path));

/** Returns how a user writes a command: `npm run merge` in a checkout, `npx assay merge` with the package. */
export const commandName = (command: string): string => `${IS_PACKAGED ? "npx assay" : "npm run"} ${command}`;

/** Returns a command line with arguments. */
export const commandWith = (command: string, ...words: readonly string[]): string =>
  shellLine(...commandName(command).split(" "), ...(IS_PACKAGED ? [] : ["--"]), ...words);

/** Returns the folder for data between runs. The package writes nothing to its own folder. */
export const cacheFolder = (): string => {
  if (!IS_PACKAGED) return fileURLToPath(new URL("../../node_modules/.cache/assay/", import.meta.url));
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  return join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), ".cache"), "assay");
};
