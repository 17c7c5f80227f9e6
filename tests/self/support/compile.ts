/** Compiles the code of a process that a test starts. Without a loader for TypeScript, the process starts much faster. */
import { createRequire } from "node:module";
import { build, type Plugin } from "esbuild";
import { ROOT } from "./command.ts";

interface Compiler {
  /** Returns the folder with the compiled code of the product. */
  compiledFolder(): Promise<string | undefined>;
  /** The product finds its data by the addresses of its sources. */
  readonly keepsAddress: Plugin;
}

const { compiledFolder, keepsAddress }: Compiler = createRequire(import.meta.url)(
  "../../../bin/compiled.cjs",
);

/** Writes code in TypeScript, which imports code of the product by its path from there, to a file in JavaScript. */
export const compile = async (contents: string, outfile: string): Promise<void> => {
  await build({
    stdin: { contents, resolveDir: ROOT, loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    define: { COMPILED_FOLDER: JSON.stringify(await compiledFolder()) },
    logLevel: "silent",
    plugins: [keepsAddress],
  });
};

/** Environment variables for a test runner that loads only compiled code. */
export const COMPILED = { PW_DISABLE_TS_ESM: "1" };
