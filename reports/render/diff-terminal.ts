/** Renders a diff as text for the terminal. */
import type { Diff } from "../../helpers/diff/entry.ts";
import { colored, inBlocks, paint } from "../text.ts";
import { diffReportOf, type ReportedChange } from "./diff-report.ts";

/** Returns text that ends with a line feed. */
export const renderDiffText = (diff: Diff, { color }: { readonly color: boolean }): string => {
  const { summary, changes, acceptList } = diffReportOf(diff);
  const title = `${diff.old.version} (${diff.old.file}) → ${diff.new.version} (${diff.new.file})`;
  const text = inBlocks([
    [paint("bold", title), summary],
    ...changes.map(changeLines),
    acceptList === undefined ? [] : [paint("bold", acceptList.title), ...acceptList.lines],
  ]);
  return colored(text, color);
};

const classOf = ({ class: severity, readAs }: ReportedChange["effects"][number]): string =>
  readAs === undefined ? severity : `${severity} for whoever reads it as ${readAs}`;

const changeLines = ({ entry, sign, style, head, effects, accepted }: ReportedChange): string[] => [
  `${paint(style, `${sign} ${entry.class}`)}  ${head}  ${paint("dim", entry.fingerprint)}`,
  ...effects.flatMap((effect) => [
    ...effect.messages.map((message, index) => `    ${index === 0 ? "reaches" : "       "}  ${message}`),
    ...(effects.length > 1 || effect.readAs !== undefined ? [`    class    ${classOf(effect)}`] : []),
    ...(effect.reason === undefined ? [] : [`    open     ${effect.reason}`]),
    ...effect.brief.map((line, index) => `    ${index === 0 ? "witness" : "       "}  ${line}`),
    ...effect.refusals.map((line) => `    ${line}`),
  ]),
  ...(accepted === undefined ? [] : [`    accepted ${accepted}`]),
];
