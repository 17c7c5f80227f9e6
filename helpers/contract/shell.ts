/** Builds the commands that we print, for a POSIX shell. Each word is quoted here, however it reads. */

/** A word: its text, or parts of which some are variables. The shell puts in their values. */
export type ShellWord = string | readonly (string | { readonly variable: string })[];

export const shellLine = (...words: readonly ShellWord[]): string =>
  words.map((word) => (typeof word === "string" ? quoted(word) : word.map(quotedPart).join(""))).join(" ");

const quotedPart = (part: string | { readonly variable: string }): string =>
  typeof part === "string" ? part && quoted(part) : `"$${part.variable}"`;

const quoted = (text: string): string =>
  /^[\w.,:=@%+/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
