/** Says in words why a file can't be used, in place of the operating system's error code. */

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "you have no permission for it",
  EDQUOT: "your share of the disk is used up",
  EFBIG: "it would exceed the limit for the size of a file",
  EIO: "the disk failed",
  EISDIR: "it is a folder, and a file is needed",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "there is no such file or folder",
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

/** Returns a sentence for an error of the file system that names its file; `undefined` for another error. */
export const fileSentence = (error: unknown): string | undefined => {
  const { code, path } = error as NodeJS.ErrnoException;
  const words = WORDS[code ?? ""];
  return words === undefined || path === undefined ? undefined : `${path} can't be used: ${words}.`;
};
