/** Renders a diff for the terminal. */
import { styleText } from "node:util";
import type { Diff, Entry, EntryClass } from "../helpers/diff/entry.ts";
import {
  acceptedBy,
  acceptListLines,
  messageOf,
  reachOf,
  refusalOf,
  SIGNS,
  summaryOf,
  whatOf,
  whereOf,
} from "./diff-words.ts";

type Style = Parameters<typeof styleText>[0];

const STYLES: Readonly<Record<EntryClass, Style>> = {
  breaking: "red",
  undecided: "yellow",
  compatible: "dim",
};

/** Ends with a line feed. */
export const renderDiffText = (diff: Diff, { color }: { readonly color: boolean }): string => {
  const paint = (style: Style, text: string): string =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const title = `${diff.old.version} (${diff.old.file}) → ${diff.new.version} (${diff.new.file})`;
  const blocks = diff.entries.map((entry) => entryLines(entry, diff, paint));
  const list = acceptListLines(diff);
  const tail = list.length > 0 ? [[paint("bold", `Accept list ${diff.accepted?.file}`), ...list]] : [];
  const all = [[paint("bold", title), summaryOf(diff)], ...blocks, ...tail];
  return `${all.map((lines) => lines.join("\n")).join("\n\n")}\n`;
};

const entryLines = (entry: Entry, diff: Diff, paint: (style: Style, text: string) => string): string[] => {
  const head = `${SIGNS[entry.class]} ${entry.class}`;
  const lines = entry.judged.flatMap((judged) => [
    `    reaches  ${reachOf(judged)}${entry.judged.length > 1 ? `: ${judged.class}` : ""}`,
    ...(judged.reason === undefined ? [] : [`    open     ${judged.reason}`]),
    ...(judged.witness === undefined
      ? []
      : [
          ...messageOf(judged.witness.message).map(
            (line, index) => `    ${index === 0 ? "witness" : "       "}  ${line}`,
          ),
          `    ${refusalOf(judged, diff)}`,
        ]),
  ]);
  return [
    `${paint(STYLES[entry.class], head)}  ${whereOf(entry)}: ${whatOf(entry)}  ${paint("dim", entry.fingerprint)}`,
    ...lines,
    ...(entry.accepted === undefined ? [] : [`    accepted ${acceptedBy(entry)}`]),
  ];
};
