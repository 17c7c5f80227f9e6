/** Renders a diff as Markdown for a pull request or a release note. */
import { groupByTitle } from "../../../reports/order.ts";
import { fenced } from "../../../reports/render/markdown.ts";
import { inBlocks } from "../../../reports/text.ts";
import type { Diff } from "../entry.ts";
import { diffReportOf, type ReportedChange } from "./report.ts";

/** Returns Markdown that ends with a line feed, with each message in full. */
export const renderDiffMarkdown = (diff: Diff): string => {
  const { summary, changes, acceptList } = diffReportOf(diff);
  const sections = [
    ...groupByTitle(changes, ({ heading }) => heading).map(
      ({ title, items }) => [title, items.flatMap(changeText)] as const,
    ),
    ["Accept list", (acceptList?.lines ?? []).map((line) => `- ${plain(line)}`)] as const,
  ];
  return inBlocks([
    [`# ${plain(diff.old.version)} → ${plain(diff.new.version)}`],
    [`${summary}.`],
    ...sections.flatMap(([title, lines]) => (lines.length > 0 ? [[`## ${title}`], lines] : [])),
  ]);
};

const changeText = ({ entry, where, what, accepted, effects }: ReportedChange): string[] => [
  `- **${plain(where)}**: ${plain(what)} (\`${entry.fingerprint}\`)`,
  ...(accepted === undefined ? [] : [`  Accepted ${plain(accepted)}.`]),
  ...effects.flatMap(({ reaches, reason, refusals, witness }) => [
    `  Reaches ${plain(reaches)}.`,
    ...(reason === undefined ? [] : [`  Open: ${plain(reason)}.`]),
    ...refusals.flatMap((refusal) => [
      "",
      fenced(witness.join("\n"), "http").replaceAll(/^/gm, "  "),
      "",
      `  ${plain(refusal)}.`,
    ]),
  ]),
];

/** Escapes text of a document, so that Markdown does not interpret it. */
export const plain = (text: string): string =>
  text.replaceAll(/[\\`*_[\]<>|]/g, "\\$&").replaceAll(/\s+/g, " ");
