/** Compiles the code of a process that a test starts. Without a loader for TypeScript, the process starts much faster. */
import { fork } from "node:child_process";
import { join } from "node:path";
import { build } from "esbuild";
import { compiler, ROOT } from "./command.ts";

/** Writes code in TypeScript, which imports code of the product by its path from there, to a file in JavaScript. */
export const compile = async (contents: string, outfile: string): Promise<void> => {
  await build({
    ...compiler.inCheckout(await compiler.compiledFolder()),
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
