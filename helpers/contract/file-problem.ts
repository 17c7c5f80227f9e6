/** Says in words why the operating system refused something, in place of its error code. */
import { dirname } from "node:path";

/** The exit codes: what was given can't be used, or the machine gives no more, so that nothing can be concluded. */
const [GIVEN, MACHINE] = [2, 3];

interface Problem {
  readonly words: string;
  readonly exitCode: number;
}

const given = (words: string): Problem => ({ words, exitCode: GIVEN });
const machine = (words: string): Problem => ({ words, exitCode: MACHINE });

const MANY_FILES = machine("too many files are open; raise the limit, for example with ulimit -n 1024");
const NO_MEMORY = machine("the memory is used up");

const PROBLEMS: Readonly<Record<string, Problem>> = {
  EACCES: given("you have no permission for it"),
  EADDRINUSE: given("the port is in use; choose another, or 0 for a free one"),
  EADDRNOTAVAIL: given("this machine has no such address"),
  EAGAIN: machine("the system can start no more processes"),
  EDQUOT: machine("your share of the disk is used up"),
  EFBIG: machine("it would exceed the limit for the size of a file"),
  EIO: machine("the disk or the terminal failed"),
  EISDIR: given("it is a folder, and a file is needed"),
  EMFILE: MANY_FILES,
  ENAMETOOLONG: given("its name is too long"),
  ENETUNREACH: machine("this machine has no network for it; loopback has to be up"),
  ENFILE: MANY_FILES,
  ENOENT: given("there is no such file or folder"),
  ENOMEM: NO_MEMORY,
  ENOSPC: machine("the disk is full"),
  ENOTDIR: given("a part of its path is not a folder"),
  EPERM: given("you have no permission for it"),
  EROFS: given("the disk can't be written to"),
};

/** V8 gives no code when the memory is used up. */
const problemOf = (error: unknown): Problem | undefined => {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const isMemory = error instanceof RangeError && /\bmemory\b|allocation failed/i.test(message);
  return isMemory || code === "ERR_WORKER_OUT_OF_MEMORY" ? NO_MEMORY : PROBLEMS[code];
};

/** Returns the words for an error of the file system; the message of another error. */
export const fileProblem = (error: unknown): string => problemOf(error)?.words ?? (error as Error).message;

/**
 * Returns a sentence for an error of the operating system that names its file, or what was tried, and the exit code of a
 * command that it ends; `undefined` for another error.
 */
export const systemProblem = (
  error: unknown,
): { readonly sentence: string; readonly exitCode: number } | undefined => {
  const problem = problemOf(error);
  if (problem === undefined) return undefined;
  const { words, exitCode } = problem;
  return { sentence: sentenceOf(error as SystemError, words), exitCode };
};

type SystemError = NodeJS.ErrnoException & { readonly address?: string; readonly port?: number };

const sentenceOf = ({ path, syscall, address, port }: SystemError, words: string): string => {
  if (syscall === "mkdtemp")
    return `TMPDIR: no folder can be made in ${dirname(path ?? "")}: ${words}. Set it to a folder that can be written.`;
  if (path !== undefined) return `${path} can't be used: ${words}.`;
  if (address !== undefined)
    return `${address}${port === undefined ? "" : `:${port}`} can't be used: ${words}.`;
  if (syscall === undefined) return `This can't go on: ${words}.`;
  return syscall === "write" ? `The output can't be written: ${words}.` : `${syscall} failed: ${words}.`;
};
