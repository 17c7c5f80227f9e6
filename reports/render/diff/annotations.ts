/** Renders a diff as workflow commands of GitHub Actions, which show each entry beside the new document. */
import type { Diff, Entry, EntryClass } from "../../../helpers/diff/entry.ts";
import type { LineOf } from "../../../helpers/diff/line-of.ts";
import { acceptedBy } from "../../text.ts";
import { workflowCommand } from "../annotations.ts";
import { explained } from "./junit.ts";
import { plainPath } from "./sarif.ts";
import { whatOf, whereOf } from "./words.ts";

const COMMANDS: Readonly<Record<EntryClass, "error" | "warning" | "notice">> = {
  breaking: "error",
  undecided: "warning",
  compatible: "notice",
};

/** Returns one line for each entry. An accepted entry is only a notice. */
export const renderDiffAnnotations = (diff: Diff, lineOf: LineOf): string =>
  diff.entries.map((entry) => `${annotationOf(entry, diff, lineOf)}\n`).join("");

const annotationOf = (entry: Entry, diff: Diff, lineOf: LineOf): string => {
  const { line, column } = lineOf(entry);
  const accepted = entry.accepted && `accepted ${acceptedBy(entry.accepted)}`;
  const properties = {
    file: plainPath(diff.new.file),
    line: String(line),
    col: String(column),
    title: `${entry.class}: ${whatOf(entry)}`,
  };
  const lines = [
    `${whereOf(entry)}: ${whatOf(entry)}`,
    ...(accepted ? [accepted] : []),
    ...explained(entry, diff),
  ];
  const command = accepted ? "notice" : COMMANDS[entry.class];
  return workflowCommand(command, properties, lines.join("\n"));
};
