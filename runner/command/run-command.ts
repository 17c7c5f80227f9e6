/** Runs a command, sets its exit code and prints its error. */
import { CommanderError } from "commander";
import { ContractError } from "../../helpers/contract/source-file.ts";
import { fileSentence } from "../../helpers/run/file-problem.ts";
import { isUnwritable, keepFilesPrivate } from "../../helpers/run/files.ts";
import { ConfigurationError, settingsRead } from "../../helpers/target/load-target.ts";
import { BAD_ARGUMENTS } from "../../reports/exit-code.ts";
import { note } from "../../reports/print.ts";

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
  // A reader that closes the pipe early, such as `head`, does not cause an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  keepFilesPrivate();
  try {
    const code = await main();
    if (typeof code === "number") process.exitCode = code;
  } catch (error) {
    process.exitCode = BAD_ARGUMENTS;
    // Commander has already printed its message.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : BAD_ARGUMENTS;
    else {
      const { message, stack } = error as Error;
      const isPlain =
        isUnwritable(error) ||
        [ContractError, ConfigurationError, ...further].some((known) => error instanceof known);
      note(`${await redacted(fileSentence(error) ?? (isPlain ? message : (stack ?? message)))}
`);
    }
  }
};

/** Removes secrets from a message, which may quote a setting. */
const redacted = async (text: string): Promise<string> => {
  // Loaded only here, because most commands don't fail.
  const { createRedactor } = await import("../../helpers/exchange/redact.ts");
  try {
    return createRedactor(settingsRead()).text(text);
  } catch {
    // The settings can't be read, and the message says why.
    return text;
  }
};
