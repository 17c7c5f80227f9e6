/** Finds sentences that are too long to be read once. */

/** What a sentence is not: code blocks, and the words of tables, links and lists of code. */
const WITHOUT: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/^```[\s\S]*?^```|^ {4}.*$|<!--[\s\S]*?-->/gm, "\n\n"],
  [/!?\[([^\]]*)\]\([^)]*\)/g, "$1"],
  [/`[^`]*`(?:,\s+`[^`]*`)*/g, "code"],
];

/** Returns the sentences of Markdown or of a help text that have more than 30 words. Colons and semicolons end none. */
export const longSentences = (text: string): string[] =>
  WITHOUT.reduce((sofar, [pattern, instead]) => sofar.replaceAll(pattern, instead), text)
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) |#|\s{2}\S)|\|/)
    .flatMap((block) => block.split(/(?<=[.?!]["”)*_]*)\s+/))
    .filter((sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > 30);
