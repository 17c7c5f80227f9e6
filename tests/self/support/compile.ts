/** Compiles the code of a process that a test starts. Without a loader for TypeScript, the process starts much faster. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { ROOT } from "./command.ts";

interface Compiler {
  /** Returns the folder with the compiled code of the product. */
  compiledFolder(): Promise<string | undefined>;
}
const { compiledFolder }: Compiler = createRequire(import.meta.url)("../../../bin/compiled.cjs");

/** The product finds its data by the addresses of its sources. */
const keepsAddresses: Plugin = {
  name: "keeps-addresses",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const address = JSON.stringify(pathToFileURL(path).href);
      const contents = (await readFile(path, "utf8")).replaceAll("import.meta.url", address);
      return { contents, loader: "ts" };
    });
  },
};

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
    plugins: [keepsAddresses],
  });
};

/** Environment variables for a test runner that loads only compiled code. */
export const COMPILED = { PW_DISABLE_TS_ESM: "1" };
