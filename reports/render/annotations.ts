/** Renders violations as workflow commands of GitHub Actions, which show them beside the run. */
import type { Certificate } from "../certificate/certificate.ts";
import { groupByTitle } from "../order.ts";
import { ours } from "../print.ts";
import { counted } from "../text.ts";
import { findingLines } from "./finding-text.ts";
import { type Report, reportOf } from "./report.ts";

/** GitHub shows ten annotations of each level in a step. */
const MOST = 10;

/** Returns one line for each requirement that is violated or deviated from, at most ten of each. */
export const renderAnnotations = (certificate: Certificate): string => {
  const report = reportOf(certificate, MOST);
  return [
    ...annotationsOf(report, report.findings, "error", "violated"),
    ...annotationsOf(report, report.advisories, "notice", "with advisories"),
  ]
    .map((line) => `${line}\n`)
    .join("");
};

const annotationsOf = (
  { certificate, others }: Report,
  findings: Report["findings"],
  command: "error" | "notice",
  are: string,
): string[] => {
  const groups = groupByTitle(findings, ({ requirement }) => requirement);
  const shown = groups.length > MOST ? groups.slice(0, MOST - 1) : groups;
  const lines = shown.map(({ title, items }) => {
    const isAccepted = items.every(({ accepted }) => accepted !== undefined);
    const [text = [], ...more] = items.map((one) => findingLines(certificate, one, others.get(one)));
    const rest = more.length > 0 ? [`and ${counted(more.length, "more finding")}`] : [];
    return workflowCommand(isAccepted ? "notice" : command, { title }, [...text, ...rest].join("\n"));
  });
  const left = groups.length - shown.length;
  return left === 0
    ? lines
    : [...lines, workflowCommand(command, {}, `${counted(left, "more requirement")} ${are}.`)];
};

/** Returns a workflow command. Its texts are encoded, so that only the command itself is obeyed. */
export const workflowCommand = (
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
