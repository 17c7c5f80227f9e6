/** Renders a diff as text for the terminal. */
import { groupByTitle } from "../../../reports/order.ts";
import { colored, inBlocks, paint } from "../../../reports/text.ts";
import type { End } from "../ends.ts";
import type { Diff } from "../entry.ts";
import { diffReportOf, type ReportedChange } from "./report.ts";

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

/** Renders what ends, the earliest first. @param sources the documents by name, each with what ends by it */
export const renderEnds = (sources: readonly (readonly [name: string, ends: readonly End[]])[]): string => {
  const rows = sources.flatMap(([name, ends]) =>
    ends.map(({ what, on = "no date   " }) => ({ name, what, on })),
  );
  const lines = [...groupByTitle(rows, ({ what, on }) => `${on}  ${what}`)].map(
    ({ title, items }) => `${title}  by ${items.map(({ name }) => name).join(", ")}\n`,
  );
  return lines.length === 0 ? "Nothing ends.\n" : lines.sort().join("");
};

const changeLines = ({ entry, sign, style, head, effects, accepted }: ReportedChange): string[] => [
  `${paint(style, `${sign} ${entry.class}`)}  ${head}  ${paint("dim", entry.fingerprint)}`,
  ...effects.flatMap((effect) => [
    ...effect.messages.map((message, index) => `    ${index === 0 ? "reaches" : "       "}  ${message}`),
    ...(effect.readAs !== undefined
      ? [`    class    ${effect.class} for whoever reads it as ${effect.readAs}`]
      : []),
    ...(effect.readAs === undefined && effects.length > 1 ? [`    class    ${effect.class}`] : []),
    ...(effect.reason === undefined ? [] : [`    open     ${effect.reason}`]),
    ...effect.brief.map((line, index) => `    ${index === 0 ? "witness" : "       "}  ${line}`),
    ...effect.refusals.map((line) => `    ${line}`),
  ]),
  ...(accepted === undefined ? [] : [`    accepted ${accepted}`]),
];
