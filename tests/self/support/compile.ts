/** Compiles the code of a process that a test starts. Without a loader for TypeScript, the process starts much faster. */
import { createRequire } from "node:module";
import { type BuildOptions, build } from "esbuild";
import { ROOT } from "./command.ts";

interface Compiler {
  /** Returns the folder with the compiled code of the product. */
  compiledFolder(): Promise<string | undefined>;
  /** Returns options for code that finds the product, with its compiled code in a folder. */
  inCheckout(folder: string | undefined): BuildOptions;
}

const { compiledFolder, inCheckout }: Compiler = createRequire(import.meta.url)("../../../bin/compiled.cjs");

/** Writes code in TypeScript, which imports code of the product by its path from there, to a file in JavaScript. */
export const compile = async (contents: string, outfile: string): Promise<void> => {
  await build({
    ...inCheckout(await compiledFolder()),
    stdin: { contents, resolveDir: ROOT, loader: "ts" },
    outfile,
    bundle: true,
    packages: "external",
  });
};

/** Environment variables for a test runner that loads only compiled code. */
export const COMPILED = { PW_DISABLE_TS_ESM: "1" };
