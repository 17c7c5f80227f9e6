/** `--events FILE|-`: writes the events of a run as JSON lines. */
import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import type { Readable } from "node:stream";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import { certificatePath, readCertificate } from "../reports/folder/certificate-file.ts";
import { EVENTS_DESCRIPTOR, eventLine } from "../reports/folder/events.ts";

/**
 * @param destination a file, or `-` for standard output. All other output then goes to standard error
 * @throws ConfigurationError when the file can't be written
 */
export const openEvents = (destination: string) => {
  const { write, close } = destination === "-" ? toStandardOutput() : toFile(destination);
  let followed: Promise<void> = Promise.resolve();
  return {
    /** Passes on the events of a test runner. */
    follow(runner: ChildProcess): void {
      const stream = runner.stdio[EVENTS_DESCRIPTOR] as Readable;
      stream.setEncoding("utf8").on("data", (text: string) => write(text));
      followed = new Promise((resolve) => void stream.once("close", resolve));
    },
    /** Writes the last event. @param out the folder with the results */
    async end(out: string, exitCode: number): Promise<void> {
      await followed;
      const found = readCertificate(out);
      const { outcome = null, summary = null, problems = [] } = found ?? {};
      const certificate = found === undefined ? null : certificatePath(out);
      write(eventLine("run-ended", { exitCode, outcome, summary, problems, certificate }, new Date()));
      close();
    },
  };
};

/** @throws ConfigurationError when the flags start no run of trials */
export const refuseEvents = (flags: { readonly [name: string]: unknown }): void => {
  const other = ["plan", "listener"].find((name) => flags[name] !== undefined);
  if (flags.events === undefined || other === undefined) return;
  throw new ConfigurationError(`--events reports a run against a service: leave --${other} out.`);
};

const toStandardOutput = () => {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  // Programs read standard output line by line, so that the texts for people must not be there.
  stdout.write = stderr.write.bind(stderr);
  return { write, close: () => {} };
};

const toFile = (path: string) => {
  try {
    const file = openSync(path, "w");
    return { write: (text: string) => void writeSync(file, text), close: () => closeSync(file) };
  } catch (error) {
    throw new ConfigurationError(`--events: ${path} can't be written: ${(error as Error).message}`);
  }
};
