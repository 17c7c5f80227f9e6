/** Renders a diff as workflow commands of GitHub Actions, which show each entry beside the new document. */
import type { Diff, Entry, EntryClass } from "../../helpers/diff/entry.ts";
import type { LineOf } from "../../helpers/diff/line-of.ts";
import { ours } from "../print.ts";
import { acceptedBy } from "../text.ts";
import { explained } from "./junit.ts";
import { plainPath } from "./sarif.ts";
import { whatOf, whereOf } from "./words.ts";

const COMMANDS: Readonly<Record<EntryClass, string>> = {
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
  const listed = Object.entries(properties).map(([name, value]) => `${name}=${propertyText(value)}`);
  const lines = [
    `${whereOf(entry)}: ${whatOf(entry)}`,
    ...(accepted ? [accepted] : []),
    ...explained(entry, diff),
  ];
  const command = accepted ? "notice" : COMMANDS[entry.class];
  return `${ours(`::${command} `)}${listed.join(",")}::${messageText(lines.join("\n"))}`;
};

const messageText = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const propertyText = (text: string): string =>
  messageText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
