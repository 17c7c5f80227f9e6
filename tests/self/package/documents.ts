/** Reads the commands of the documents for users, and the output that they show. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/command.ts";

export interface ShownCommand {
  /** The line of the document, counted from 1. */
  readonly line: number;
  readonly command: string;
  /** The output as shown. `…` stands for any text, and alone on a line for any lines. */
  readonly output: readonly string[];
}

/** README.md and the pages of `docs/`, in the order in which README.md names them. */
export const documents = (): string[] => {
  const readme = textOf("README.md");
  const pages = readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`);
  return ["README.md", ...pages.sort((a, b) => readme.indexOf(`(${a})`) - readme.indexOf(`(${b})`))];
};

export const textOf = (document: string): string => readFileSync(join(ROOT, document), "utf8");

/** Returns the commands in the `console` blocks: each line that starts with `$`, with the lines below it. */
export const commandsIn = (document: string): ShownCommand[] => {
  const found: { line: number; command: string; output: string[] }[] = [];
  let isOpen = false;
  for (const [index, line] of textOf(document).split("\n").entries()) {
    if (line.startsWith("```")) isOpen = line === "```console";
    else if (isOpen && line.startsWith("$ "))
      found.push({ line: index + 1, command: line.slice(2), output: [] });
    else if (isOpen) found.at(-1)?.output.push(line);
  }
  return found;
};

/** Returns the blocks of a document in one language, for example `ts`. */
export const blocksIn = (document: string, language: string): string[] =>
  [...textOf(document).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, found, text = ""]) =>
    found === language ? [text] : [],
  );

/** What differs from run to run: times, speeds, ports, keys. */
const CHANGING: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\d+(?:\.\d+)? (?:s|min|ms)\b/g, "N s"],
  [/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT"],
  [/\d{8}T\d{9}Z/g, "TIME"],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME"],
];

const steady = (text: string): string =>
  CHANGING.reduce((sofar, [pattern, instead]) => sofar.replaceAll(pattern, instead), text.trimEnd());

const quoted = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Returns the pattern of an output as shown. A command without output in the document may print anything. */
export const patternOf = (output: readonly string[]): RegExp => {
  const shown = output.join("\n").trim();
  if (shown === "") return /^/;
  const lines = shown
    .split("\n")
    .map((line) => (line.trim() === "…" ? "(?:.*\n)*?" : `${quoted(steady(line)).replaceAll("…", ".*")}\n`));
  return new RegExp(`^${lines.join("")}$`);
};

/** Returns an actual output in the form that `patternOf` matches. */
export const comparable = (actual: string): string => `${actual.split("\n").map(steady).join("\n").trim()}\n`;
