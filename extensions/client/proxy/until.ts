/** Waits for the end of a recording: an interruption, a time without requests, or the end of a command. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { ENDING_SIGNALS } from "../../../helpers/contract/process-end.ts";
import { withUsersMask } from "../../../helpers/run/files.ts";
import type { Ending } from "../../../helpers/traffic/seen.ts";
import type { RecordingProxy } from "./proxy.ts";

/**
 * @param command the command that contains the client, and its arguments
 * @param idleSeconds seconds without a request after which the recording ends
 * @param isRunAgain whether the command is run again after a run
 */
export const ended = async (
  proxy: RecordingProxy,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  idleSeconds: number | undefined,
  isRunAgain: (ending: Ending) => Promise<boolean>,
): Promise<Ending> => {
  const ends: Promise<Ending>[] = [interrupted()];
  if (idleSeconds !== undefined) ends.push(idle(proxy, idleSeconds * 1000));
  const [name, ...args] = command;
  const run = async (): Promise<Ending> => {
    const ending = await ran(`${name}`, args, environment);
    return (await isRunAgain(ending)) ? run() : ending;
  };
  if (name !== undefined) ends.push(run());
  return Promise.race(ends);
};

/** Resolves at the first signal that ends a process. */
export const interrupted = (): Promise<Ending> =>
  new Promise((resolve) => {
    for (const signal of ENDING_SIGNALS) process.once(signal, () => resolve({}));
  });

/** Counts from the start, so that a recording without any request ends too. A recording that ended otherwise does not wait. */
const idle = (proxy: RecordingProxy, milliseconds: number): Promise<Ending> =>
  new Promise((resolve) => {
    const started = performance.now();
    const check = (): void => {
      const quiet = performance.now() - (proxy.lastActivity() ?? started);
      if (proxy.underWay() === 0 && quiet >= milliseconds) resolve({});
      else setTimeout(check, Math.max(50, milliseconds - quiet)).unref();
    };
    check();
  });

/** @throws Error when the command can't be started */
const ran = (
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ending> => {
  // The first line of standard output is for programs, so the command must not write before it: it starts later.
  const child = withUsersMask(() =>
    spawn(name, args, { stdio: "inherit", env: { ...process.env, ...environment } }),
  );
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of ENDING_SIGNALS) process.on(signal, pass);
  child.once("exit", () => {
    for (const signal of ENDING_SIGNALS) process.off(signal, pass);
  });
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new Error(`${name} can't be started: ${error.message}`)));
    child.once("exit", (code, signal) =>
      resolve({ exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) }),
    );
  });
};
