/** Compiles the code of a process that a test starts. Without a loader for TypeScript, the process starts much faster. */
import { fork } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
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

/**
 * Runs a module in a process of its own, because a process reads its services once.
 * @param folder gets the compiled module
 * @returns the messages that it sends
 */
export const messagesOf = async <Message>(
  module: string,
  folder: string,
  ...args: readonly string[]
): Promise<Message[]> => {
  const script = join(folder, "process.mjs");
  await compile(`import "./${module}";`, script);
  return new Promise((resolve, reject) => {
    const messages: Message[] = [];
    const child = fork(script, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    child.on("message", (one: Message) => void messages.push(one));
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve(messages) : reject(new Error(`The process ended with ${code}.`)),
    );
  });
};

/** Environment variables for a test runner that loads only compiled code. */
export const COMPILED = { PW_DISABLE_TS_ESM: "1" };
