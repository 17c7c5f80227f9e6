/** Renders a diff as text for the terminal. */
import type { Diff, Entry } from "../../helpers/diff/entry.ts";
import { acceptedBy, colored, inBlocks, paint } from "../text.ts";
import {
  acceptListLines,
  CLASSES,
  reachOf,
  refusalsOf,
  summaryOf,
  whatOf,
  whereOf,
  witnessLines,
} from "./diff-words.ts";

/** Returns text that ends with a line feed. */
export const renderDiffText = (diff: Diff, { color }: { readonly color: boolean }): string => {
  const title = `${diff.old.version} (${diff.old.file}) → ${diff.new.version} (${diff.new.file})`;
  const list = acceptListLines(diff);
  const text = inBlocks([
    [paint("bold", title), summaryOf(diff)],
    ...diff.entries.map((entry) => entryLines(entry, diff)),
    list.length > 0 ? [paint("bold", `Accept list ${diff.accepted?.file}`), ...list] : [],
  ]);
  return colored(text, color);
};

const entryLines = (entry: Entry, diff: Diff): string[] => {
  const { sign, style } = CLASSES[entry.class];
  const head = paint(style, `${sign} ${entry.class}`);
  return [
    `${head}  ${whereOf(entry)}: ${whatOf(entry)}  ${paint("dim", entry.fingerprint)}`,
    ...entry.judged.flatMap((judged) => [
      `    reaches  ${reachOf(judged)}${entry.judged.length > 1 ? `: ${judged.class}` : ""}`,
      ...(judged.reason === undefined ? [] : [`    open     ${judged.reason}`]),
      ...witnessLines(judged).map((line, index) => `    ${index === 0 ? "witness" : "       "}  ${line}`),
      ...refusalsOf(judged, diff).map((line) => `    ${line}`),
    ]),
    ...(entry.accepted === undefined ? [] : [`    accepted ${acceptedBy(entry.accepted)}`]),
  ];
};
