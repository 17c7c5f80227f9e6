/** Renders a diff as Markdown, for a pull request or a release note. */
import type { Diff, Entry, EntryClass } from "../helpers/diff/entry.ts";
import {
  acceptedBy,
  acceptListLines,
  messageOf,
  reachOf,
  refusalOf,
  summaryOf,
  whatOf,
  whereOf,
} from "./diff-words.ts";

const HEADINGS: Readonly<Record<EntryClass, string>> = {
  breaking: "Breaking",
  undecided: "Undecided",
  compatible: "Compatible",
};

/** Ends with a line feed. */
export const renderDiffMarkdown = (diff: Diff): string => {
  const sections = (Object.keys(HEADINGS) as EntryClass[]).flatMap((wanted) => {
    const entries = diff.entries.filter((entry) => entry.class === wanted);
    return entries.length === 0
      ? []
      : [`## ${HEADINGS[wanted]}`, entries.map((entry) => entryText(entry, diff)).join("\n")];
  });
  const list = acceptListLines(diff);
  const tail = list.length > 0 ? ["## Accept list", list.map((line) => `- ${plain(line)}`).join("\n")] : [];
  return `${[`# ${plain(diff.old.version)} → ${plain(diff.new.version)}`, `${summaryOf(diff)}.`, ...sections, ...tail].join("\n\n")}\n`;
};

const entryText = (entry: Entry, diff: Diff): string => {
  const details = entry.judged.flatMap((judged) => [
    `  Reaches ${plain(reachOf(judged))}.`,
    ...(judged.reason === undefined ? [] : [`  Open: ${plain(judged.reason)}.`]),
    ...(judged.witness === undefined
      ? []
      : [
          "",
          "  ```http",
          ...messageOf(judged.witness.message).map((line) => `  ${line}`),
          "  ```",
          "",
          `  ${plain(refusalOf(judged, diff))}.`,
        ]),
  ]);
  return [
    `- **${plain(whereOf(entry))}**: ${plain(whatOf(entry))} (\`${entry.fingerprint}\`)`,
    ...(entry.accepted === undefined ? [] : [`  Accepted ${plain(acceptedBy(entry))}.`]),
    ...details,
  ].join("\n");
};

/** What a document says is text, whatever Markdown would make of it. */
const plain = (text: string): string => text.replaceAll(/[\\`*_[\]<>|]/g, "\\$&").replaceAll(/\s+/g, " ");
