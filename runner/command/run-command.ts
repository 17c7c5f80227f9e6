/** Runs a command, sets its exit code and prints its error. */
import { CommanderError } from "commander";
import { systemProblem } from "../../helpers/contract/documents/file-problem.ts";
import { ContractError } from "../../helpers/contract/documents/source-file.ts";
import { UnsendableError } from "../../helpers/exchange/failure.ts";
import { ignoreClosedPipes } from "../../helpers/run/closed-pipes.ts";
import { keepFilesPrivate } from "../../helpers/run/files.ts";
import { ConfigurationError, settingsRead } from "../../helpers/target/load-target.ts";
import { BAD_ARGUMENTS } from "../../reports/certificate/exit-code.ts";
import { note } from "../../reports/print.ts";
import { endWithNpm } from "./end-with-npm.ts";

type ErrorClass = abstract new (...args: never[]) => Error;

/**
 * @param main returns the exit code, or sets it itself
 * @param further errors whose message is enough for the user, in addition to errors of documents and settings; all other errors
 * are printed with their stack
 */
export const runCommand = async (
  main: () => Promise<unknown>,
  further: readonly ErrorClass[] = [],
): Promise<void> => {
  ignoreClosedPipes();
  endWithNpm();
  keepFilesPrivate();
  // A server that was started already would keep the process alive.
  const end = async (error: unknown): Promise<never> => process.exit(await report(error, further));
  process.once("uncaughtException", end);
  try {
    const code = await main();
    if (typeof code === "number") process.exitCode = code;
  } catch (error) {
    await end(error);
  }
};

/** Prints an error. @returns the exit code, which never means violations, because there is no verdict */
const report = async (error: unknown, further: readonly ErrorClass[]): Promise<number> => {
  // Commander has already printed its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : BAD_ARGUMENTS;
  const { message, stack } = error as Error;
  const isPlain = [ContractError, ConfigurationError, UnsendableError, ...further].some(
    (known) => error instanceof known,
  );
  const problem = isPlain ? undefined : systemProblem(error);
  note(`${await redacted(problem?.sentence ?? (isPlain ? message : (stack ?? message)))}\n`);
  return problem?.exitCode ?? BAD_ARGUMENTS;
};

/** Removes secrets from a message, which may quote a setting. */
const redacted = async (text: string): Promise<string> => {
  // Loaded only here, because most commands don't fail.
  const { createRedactor } = await import("../../helpers/exchange/redact.ts");
  try {
    return createRedactor(settingsRead(), []).text(text);
  } catch {
    // The settings can't be read, and the message says why.
    return text;
  }
};
