/** Hostile modes: texts that a terminal, a build server, a page or a file could take for more than text. */
import { always, JSON_TYPE, type Mode, VIOLATIONS } from "./mode.ts";

/** The texts, by what could obey them. The spec of the renderings uses them too. */
export const HOSTILE_TEXTS = {
  "control characters": "a\u0007b\u0008c\u000bd\u007f",
  "ANSI colours and a cleared screen": "\u001b[2J\u001b[31mred\u001b[0m",
  "a title and a link of the terminal":
    "\u001b]0;owned\u0007\u001b]8;;http://example.com\u0007link\u001b]8;;\u0007",
  "C1 control characters": "\u009b31mred\u009d0;owned\u009c",
  "bidirectional marks": "abc\u202edef\u2066ghi\u2069\u200f",
  "invisible characters": "a\u200bb\ufeffc\u2060d\u00ade",
  NUL: "a\u0000b",
  "a carriage return": "passed\rfailed",
  "line separators": "a\u2028b\u2029c\u0085d",
  "a workflow command": "x\n::error::owned\n::add-mask::1",
  "an indented workflow command": "x\n   ::set-output name=a::b",
  "an old workflow command": "x ##[error]owned ##[group]a",
  "commands of other build servers": "##vso[task.setvariable variable=a]b\n##teamcity[buildStop]",
  Markdown: "# head\n| a | b |\n```\n[x](javascript:alert(1)) ![y](http://example.com/z)",
  HTML: "<script>alert(1)</script><img src=x onerror=alert(2)>\"'</style>",
  "a comment of XML and CDATA": "]]><!-- --><?xml?>&lt;&#0;",
  "characters that XML forbids": "\u0001\ufffe\uffff\ud800",
  "a line of JUnit": '</failure><testcase name="owned"/>',
  "shell quotes": "'; rm -rf ~; echo '`id`$(id)",
  "a long line": "x".repeat(50_000),
  "many lines": "y\n".repeat(5_000),
} as const satisfies Readonly<Record<string, string>>;

/** Characters that a reader obeys, or does not see. Line feeds and tabs are part of the renderings. */
export const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]|\p{Surrogate}/u;

/** The commands of build servers. */
export const COMMAND = /^\s*::|##\[|##vso\[|##teamcity\[/m;

/** A server whose errors and successes say the text everywhere. */
const saying = (text: string): Mode["misbehave"] =>
  always(
    200,
    JSON.stringify({
      srcCorrelationId: text,
      [text.slice(0, 1_000)]: text,
      maskedCard: text,
      code: text,
      message: text,
    }),
    JSON_TYPE,
  );

export const TEXT_MODES: readonly Mode[] = Object.entries(HOSTILE_TEXTS).map(([about, text]) => ({
  about: `a server that says ${about}`,
  flow: "cards",
  misbehave: saying(text),
  ends: VIOLATIONS,
  passesNothing: true,
}));
