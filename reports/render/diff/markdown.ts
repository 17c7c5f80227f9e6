/** Renders a diff as Markdown for a pull request or a release note, with each message in full. */
import type { Diff, Entry } from "../../../helpers/diff/entry.ts";
import { acceptedBy, inBlocks } from "../../text.ts";
import {
  acceptListLines,
  CLASSES,
  reachOf,
  refusalsOf,
  summaryOf,
  whatOf,
  whereOf,
  whole,
  witnessLines,
} from "./words.ts";

/** Returns Markdown that ends with a line feed. */
export const renderDiffMarkdown = (diff: Diff): string => {
  const sections = Object.entries(CLASSES).map(([name, { heading }]) => ({
    heading,
    lines: diff.entries.filter((entry) => entry.class === name).flatMap((entry) => entryText(entry, diff)),
  }));
  const list = { heading: "Accept list", lines: acceptListLines(diff).map((line) => `- ${plain(line)}`) };
  return inBlocks([
    [`# ${plain(diff.old.version)} → ${plain(diff.new.version)}`],
    [`${summaryOf(diff)}.`],
    ...[...sections, list].flatMap(({ heading, lines }) =>
      lines.length > 0 ? [[`## ${heading}`], lines] : [],
    ),
  ]);
};

const entryText = (entry: Entry, diff: Diff): string[] => [
  `- **${plain(whereOf(entry))}**: ${plain(whatOf(entry))} (\`${entry.fingerprint}\`)`,
  ...(entry.accepted === undefined ? [] : [`  Accepted ${plain(acceptedBy(entry.accepted))}.`]),
  ...entry.judged.flatMap((judged) => [
    `  Reaches ${plain(reachOf(judged))}.`,
    ...(judged.reason === undefined ? [] : [`  Open: ${plain(judged.reason)}.`]),
    ...refusalsOf(judged, diff).flatMap((refusal) => [
      "",
      ...fenced(witnessLines(judged, whole)).map((line) => `  ${line}`),
      "",
      `  ${plain(refusal)}.`,
    ]),
  ]),
];

/** Encloses lines in a fence that is longer than any in the lines. */
const fenced = (lines: readonly string[]): string[] => {
  const longest = Math.max(2, ...(lines.join("\n").match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}http`, ...lines, fence];
};

/** Escapes text of a document, so that Markdown does not interpret it. */
const plain = (text: string): string => text.replaceAll(/[\\`*_[\]<>|]/g, "\\$&").replaceAll(/\s+/g, " ");
