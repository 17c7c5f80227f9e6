/** Runs a command to its end: its exit code, and what is said where it came to none. */
import { CommanderError } from "commander";
import { BAD_ARGUMENTS } from "../../reports/exit-code.ts";

type ErrorClass = abstract new (...args: never[]) => Error;

/**
 * @param main gives the exit code, or sets it itself
 * @param expected errors that their message tells all about: others are ours, and come with their stack
 */
export const runCommand = async (
  main: () => Promise<unknown>,
  expected: readonly ErrorClass[],
): Promise<void> => {
  // A reader that has seen enough, such as `head`, is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  try {
    const code = await main();
    if (typeof code === "number") process.exitCode = code;
  } catch (error) {
    process.exitCode = BAD_ARGUMENTS;
    // What commander has to say it has said.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : BAD_ARGUMENTS;
    else {
      const { message, stack } = error as Error;
      process.stderr.write(`${expected.some((known) => error instanceof known) ? message : stack}\n`);
    }
  }
};
