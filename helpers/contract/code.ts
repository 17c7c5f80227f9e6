/** Whether this code runs as TypeScript from a checkout, or as JavaScript from the installed package. */
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const IS_PACKAGED = import.meta.url.endsWith(".js");

/** Returns the path of a TypeScript file of the product as it is here: `kinds.js` for `kinds.ts` in the package. */
export const codeFile = (path: string): string => (IS_PACKAGED ? path.replace(/\.ts$/, ".js") : path);

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
