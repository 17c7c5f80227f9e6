/** Says in words why the operating system refused something, in place of its error code. */
import { dirname } from "node:path";

const MANY_FILES = "too many files are open; raise the limit, for example with ulimit -n 1024";

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "you have no permission for it",
  EADDRINUSE: "the port is in use; choose another, or 0 for a free one",
  EADDRNOTAVAIL: "this machine has no such address",
  EAGAIN: "the system can start no more processes",
  EDQUOT: "your share of the disk is used up",
  EFBIG: "it would exceed the limit for the size of a file",
  EIO: "the disk or the terminal failed",
  EISDIR: "it is a folder, and a file is needed",
  EMFILE: MANY_FILES,
  ENAMETOOLONG: "its name is too long",
  ENETUNREACH: "this machine has no network for it; loopback has to be up",
  ENFILE: MANY_FILES,
  ENOENT: "there is no such file or folder",
  ENOMEM: "the memory is used up",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is not a folder",
  EPERM: "you have no permission for it",
  EROFS: "the disk can't be written to",
};

/** The machine gives no more, so that nothing can be concluded. All others are about what was given. */
const OF_THE_MACHINE = /^(EAGAIN|EDQUOT|EFBIG|EIO|EMFILE|ENETUNREACH|ENFILE|ENOMEM|ENOSPC)$/;

/** V8 gives no code when the memory is used up. */
const codeOf = (error: unknown): string => {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return error instanceof RangeError && /\bmemory\b|allocation failed/i.test(message) ? "ENOMEM" : code;
};

/** Returns the words for an error of the file system; the message of another error. */
export const fileProblem = (error: unknown): string => WORDS[codeOf(error)] ?? (error as Error).message;

/**
 * Returns a sentence for an error of the operating system that names its file, or what was tried, and the exit code of a
 * command that it ends; `undefined` for another error.
 */
export const systemProblem = (
  error: unknown,
): { readonly sentence: string; readonly exitCode: number } | undefined => {
  const words = WORDS[codeOf(error)];
  if (words === undefined) return undefined;
  const exitCode = OF_THE_MACHINE.test(codeOf(error)) ? 3 : 2;
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
