/** Builds the commands that we print, for a POSIX shell. Each word is quoted here, however it reads. */

/** A word: its text, or parts of which some are variables. The shell puts in their values. */
export type ShellWord = string | readonly (string | { readonly variable: string })[];

export const shellLine = (...words: readonly ShellWord[]): string =>
  words.map((word) => (typeof word === "string" ? quoted(word) : withVariables(word))).join(" ");

const quoted = (text: string): string =>
  /^[\w.,:=@%+/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Returns one pair of double quotes if no text needs other ones. */
const withVariables = (parts: Exclude<ShellWord, string>): string => {
  const isPlain = parts.every((part) => typeof part !== "string" || !/["$`\\!]/.test(part));
  if (isPlain) {
    const texts = parts.map((part, index) => {
      if (typeof part === "string") return part;
      const next = parts[index + 1];
      return typeof next === "string" && /^\w/.test(next) ? `\${${part.variable}}` : `$${part.variable}`;
    });
    return `"${texts.join("")}"`;
  }
  return parts
    .map((part) => (typeof part === "string" ? part && quoted(part) : `"$${part.variable}"`))
    .join("");
};
