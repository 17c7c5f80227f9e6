/** Renders violations, or the changes of a diff, as workflow commands of GitHub Actions, which show them beside the run or the code. */

import type { Diff } from "../../helpers/diff/entry.ts";
import type { LineOf } from "../../helpers/diff/line-of.ts";
import type { Certificate, Finding } from "../certificate/certificate.ts";
import { groupByTitle } from "../order.ts";
import { ours } from "../print.ts";
import { counted } from "../text.ts";
import { diffReportOf, plainPath, type ReportedChange } from "./diff-report.ts";
import { failures } from "./finding-text.ts";
import { advisoryText } from "./report.ts";

/** GitHub shows ten annotations of each level in a step. */
const MOST = 10;

/** Returns one line for each violated requirement, at most ten, and one for all advisories. */
export const renderAnnotations = (certificate: Certificate): string => {
  const { requirements, advisories = [] } = certificate;
  const groups = groupByTitle(failures(certificate), ({ requirement }) => requirement);
  const shown = groups.length > MOST ? groups.slice(0, MOST - 1) : groups;
  const lines = shown.map(({ title, items }) => {
    const promise = requirements.find(({ id }) => id === title)?.statement ?? title;
    const isAccepted = items.every(({ accepted }) => accepted !== undefined);
    return workflowCommand(isAccepted ? "notice" : "error", { title }, messageOf(promise, items));
  });
  const left = groups.length - shown.length;
  if (left > 0) lines.push(workflowCommand("error", {}, `${counted(left, "more requirement")} violated.`));
  if (advisories.length > 0)
    lines.push(workflowCommand("notice", { title: "Advisories" }, advisories.map(advisoryText).join("\n")));
  return lines.map((line) => `${line}\n`).join("");
};

const messageOf = (promise: string, [first, ...others]: readonly Finding[]): string =>
  [
    `promised: ${promise}`,
    `seen: ${first?.operationId}: ${first?.message}`,
    `expected: ${first?.expected}`,
    `got: ${first?.actual}`,
    ...(others.length > 0 ? [`and ${counted(others.length, "more finding")}`] : []),
    `replay: ${first?.replay}`,
  ].join("\n");

/** Returns one line for each change. An accepted one is only a notice. */
export const renderDiffAnnotations = (diff: Diff, lineOf: LineOf): string => {
  const lineFor = ({ entry, level, what, head, accepted, explained }: ReportedChange): string => {
    const { line, column } = lineOf(entry);
    return workflowCommand(
      accepted || level === "note" ? "notice" : level,
      {
        ...{ file: plainPath(diff.new.file), line: String(line), col: String(column) },
        title: `${entry.class}: ${what}`,
      },
      [head, ...(accepted ? [`accepted ${accepted}`] : []), ...explained].join("\n"),
    );
  };
  return diffReportOf(diff)
    .changes.map((change) => `${lineFor(change)}\n`)
    .join("");
};

/** Returns a workflow command. Its texts are encoded, so that only the command itself is obeyed. */
const workflowCommand = (
  command: "error" | "warning" | "notice",
  properties: Readonly<Record<string, string>>,
  message: string,
): string => {
  const listed = Object.entries(properties).map(([name, value]) => `${name}=${propertyText(value)}`);
  return `${ours(`::${command} `)}${listed.join(",")}${ours("::")}${messageText(message)}`;
};

const messageText = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const propertyText = (text: string): string =>
  messageText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
