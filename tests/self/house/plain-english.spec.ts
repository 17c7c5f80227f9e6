/** Checks that comments are plain English and reports each violation with file and line. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import advice from "../../../reports/render/advice.json" with { type: "json" };
import { filesIn, PRODUCT, ROOT } from "./files.ts";
import { longSentences } from "./sentences.ts";

/** The folders and files whose comments are checked, from the root of the checkout. */
const FOLDERS = [...PRODUCT, "bench", "playwright.config.ts", "tests"];

interface Rule {
  readonly rule: string;
  /** Matches the words that break the rule, in the text of one comment. */
  readonly pattern: RegExp;
  /** Source text in which only the last line breaks the rule. */
  readonly example: string;
  readonly hint: string;
}

const OPENINGS = [
  "Whatever|Whoever|Whichever|Nobody|Somebody|Who|Whose|Of|But|Those|That|As|Once|Lest",
  "Nothing but|What is|What comes|What stands",
];

const PRIVATE_WORDS = [
  "twins?|twist(s|ed)?|bends?|bent|letterheads?|shelf|shelves|strangers?|rehears(e|ed|als?)",
  "furnish(es|ed)?|happenings|mend(ed|ing)?|silent|spots?",
];

const OLD_WORDS = [
  "whatever|whichever|whoever|whomever|whereby|wherein|thereof|therein|upon|hence|thus|lest",
  "whilst|nowhere",
];

const RULES: readonly Rule[] = [
  {
    rule: "no comment begins with a clause instead of a sentence",
    pattern: new RegExp(`^(${OPENINGS.join("|")})\\b`, "gi"),
    example: "/** Offers `a`. */\n// Officers only.\n/**\n * What is sent. */",
    hint: "begin a function's comment with a verb, and that of a value or type with a noun",
  },
  {
    rule: "no comment contains a private word",
    pattern: new RegExp(`\\b(${PRIVATE_WORDS.join("|")})\\b`, "gi"),
    example: 'const twin = "// `twin`";\n/** Sends `shelf()`. */\n// Sends\n// the twins.',
    hint: "use the words of the field: HTTP, OpenAPI, JSON Schema, testing",
  },
  {
    rule: "no comment contains an old-fashioned word",
    pattern: new RegExp(`\\b(${OLD_WORDS.join("|")})\\b`, "gi"),
    example: "// Sends `whatever`.\n// Sends whatever is left.",
    hint: "use the everyday word, for example: any, which, on, so",
  },
  {
    rule: "no comment replaces a noun by that or those",
    pattern: /\b(that|those) of\b/gi,
    example: "// Uses the ids that often change.\n// Uses the ids and those of the parents.",
    hint: "repeat the noun: the ids of the parents",
  },
  {
    rule: "no comment says where for if",
    pattern: /\bwhere (there (is|are)|no|none|nothing|one|only|any|both|such)\b/gi,
    example: "// Shows where the time is spent.\n// Empty where there is none.",
    hint: "write if for a condition; where is for a location",
  },
  {
    rule: "no comment says is no for is not",
    pattern: /(?<!\bthere )\b(is|are|was|were) no (?!longer\b)/gi,
    example: "// There is no body, or it is no longer valid.\n// The body is no JSON.",
    hint: "write: is not JSON",
  },
  {
    rule: "no comment begins a clause with else or none",
    pattern: /(?<=[,;]\s)(else|none)\b/g,
    example: "// The own name, or else the name of the parent.\n// The own name; else the parent's.",
    hint: "write: or else, otherwise, an empty list if",
  },
];

/** Matches a block comment or adjacent line comments, each at the start of a line. */
const COMMENT = /^[ \t]*\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+/gm;

/** Replaces code quotes and removes the marks of a comment; each word stays on its line. */
const wordsOf = (comment: string): string =>
  comment.replaceAll(/`[^`]*`/g, codeQuote).replaceAll(/^[ \t]*(\/\*+|\*+(?!\/)|\/\/)|\*\/$/gm, "");

const codeQuote = (quote: string): string => quote.replaceAll(/\S/g, "`");

const violations = (text: string, pattern: RegExp): number[] =>
  [...text.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
    const words = wordsOf(comment).trimEnd();
    const start = words.length - words.trimStart().length;
    const before = (at: number): string => text.slice(0, index) + words.slice(0, start + at);
    return [...words.trimStart().matchAll(pattern)].map(({ index: at }) => before(at).split("\n").length);
  });

for (const { rule, pattern, example, hint } of RULES) {
  test(rule, () => {
    expect(violations(example, pattern)).toEqual([example.split("\n").length]);
    const found = FOLDERS.flatMap(filesIn).flatMap((path) => {
      const text = readFileSync(join(ROOT, path), "utf8");
      const lines = text.split("\n");
      return violations(text, pattern).map((line) => `${path}:${line}: ${lines[line - 1]?.trim()}`);
    });
    expect(found, hint).toEqual([]);
  });
}

const read = (page: string): string => readFileSync(join(ROOT, page), "utf8");
const PAGES = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"],
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).flatMap((name) =>
    name.endsWith(".md") ? [`docs/${name}`] : [],
  ),
].map((page) => [page, read(page)] as const);
for (const [page, text] of [
  ...PAGES,
  [
    "the advice",
    Object.values(advice)
      .map(({ says }) => says)
      .join("\n\n"),
  ] as const,
])
  test(`no sentence of ${page} is longer than 30 words`, () => {
    expect(longSentences(text)).toEqual([]);
    expect(longSentences(`${text}\n\nOne${" and one".repeat(15)}.`)).toHaveLength(1);
  });
