/** Says in words why the operating system refused something, in place of its error code. */
import { dirname } from "node:path";

const MANY_FILES = "too many files are open; raise the limit, for example with ulimit -n 1024";

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "you have no permission for it",
  EAGAIN: "the system can start no more processes",
  EDQUOT: "your share of the disk is used up",
  EFBIG: "it would exceed the limit for the size of a file",
  EIO: "the disk failed",
  EISDIR: "it is a folder, and a file is needed",
  EMFILE: MANY_FILES,
  ENAMETOOLONG: "its name is too long",
  ENFILE: MANY_FILES,
  ENOENT: "there is no such file or folder",
  ENOMEM: "the memory is used up",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is not a folder",
  EPERM: "you have no permission for it",
  EROFS: "the disk can't be written to",
};

/** Returns the words for an error of the file system; the message of another error. */
export const fileProblem = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return WORDS[code ?? ""] ?? message;
};

/**
 * Returns a sentence for an error of the operating system that names its file, or what was tried; `undefined` for another
 * error.
 */
export const systemSentence = (error: unknown): string | undefined => {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const words = WORDS[code ?? ""];
  if (words === undefined || syscall === undefined) return undefined;
  if (syscall === "mkdtemp") {
    const folder = dirname(path ?? "");
    return `TMPDIR: no folder can be made in ${folder}: ${words}. Set it to a folder that can be written.`;
  }
  return path === undefined ? `${syscall} failed: ${words}.` : `${path} can't be used: ${words}.`;
};

/** Whether a limit of the machine prevented something, and not a setting. */
export const isMachineLimit = (error: unknown): boolean =>
  /^(EAGAIN|EMFILE|ENFILE|ENOMEM)$/.test((error as NodeJS.ErrnoException).code ?? "");
