/** Renders a certificate as the summary that ends a run in the terminal. */

import { loggable, mapTexts } from "../helpers/exchange/visible.ts";
import type { RecordedStep } from "../helpers/trials/failure.ts";
import type { Verdict } from "../helpers/trials/ledger.ts";
import { advisories, advisoryText } from "./advisories.ts";
import type { Certificate, CertifiedRequirement, Finding } from "./certificate.ts";
import {
  abilityWords,
  acceptedWords,
  moreThan,
  runNotes,
  subjectOf,
  type TextPart,
  tally,
  textParts,
  withVerdict,
} from "./certificate-text.ts";
import type { Group } from "./order.ts";
import type { Outcome } from "./outcome.ts";
import {
  acceptedBy,
  count,
  counted,
  cut,
  inBlocks,
  type Paint,
  painter,
  type Style,
  type TerminalOptions,
} from "./text.ts";

const BAR_WIDTH = 24;
const SHOWN = 20;

const SHADES: Readonly<Record<Verdict, readonly [sign: string, style: Style]>> = {
  passed: ["█", "green"],
  failed: ["▓", "red"],
  advisory: ["▒", "yellow"],
  blocked: ["▚", "magenta"],
  "not-tried": ["░", "gray"],
};

const OUTCOME_STYLE: Readonly<Record<Outcome, Style>> = {
  certified: ["bold", "green"],
  violations: ["bold", "red"],
  incomplete: ["bold", "yellow"],
};

/** Returns text that ends with a line feed. */
export const renderSummary = (given: Certificate, { color, path }: TerminalOptions): string => {
  const certificate = mapTexts(given, loggable);
  const paint = painter(color);
  const { blocked, notTried, acceptList, comparison, upgrade, problems } = textParts(certificate, SHOWN);
  return `\n${inBlocks([
    ...certificate.contracts.map((contract) => serviceBlock(certificate, contract, paint)),
    reasonBlock("Blocked", blocked, paint),
    reasonBlock("Not tried", notTried, paint),
    advisoryBlock(certificate, paint),
    ...findingBlocks(certificate, paint),
    ...[acceptList, comparison, upgrade, problems].map((part) => (part ? partBlock(part, paint) : [])),
    closing(certificate, path, paint),
  ])}`;
};

const serviceBlock = (
  certificate: Certificate,
  { service, version, requirementSet }: Certificate["contracts"][number],
  paint: Paint,
): string[] => {
  const requirements = certificate.requirements.filter((requirement) => requirement.service === service);
  const counts = tally(requirements).map(({ verdict, label, amount }) =>
    paint(amount === 0 ? "dim" : SHADES[verdict][1], `${amount} ${label}`),
  );
  const operations = certificate.operations.filter((operation) => operation.service === service);
  const exchanges = count(operations.reduce((sum, operation) => sum + operation.exchanges, 0));
  const later = requirementSet?.later.length ?? 0;
  return [
    `${paint("bold", service)} ${paint("dim", version)}  ${requirements.length} requirements, ${exchanges} exchanges`,
    `  ${bar(requirements, paint)}  ${counts.join("  ")}`,
    ...(later > 0 ? [`  ${later} added after the set of ${version} was frozen, advisory at most`] : []),
  ];
};

/** Draws the bar. Every verdict that occurs gets at least one cell, taken from the largest share. */
const bar = (requirements: readonly CertifiedRequirement[], paint: Paint): string => {
  const cells = tally(requirements).map(({ verdict, amount }) => ({
    verdict,
    share: amount === 0 ? 0 : Math.max(1, Math.floor((amount / requirements.length) * BAR_WIDTH)),
  }));
  const largest = cells.reduce((most, cell) => (cell.share > most.share ? cell : most));
  if (requirements.length > 0) largest.share += BAR_WIDTH - cells.reduce((sum, { share }) => sum + share, 0);
  return cells
    .map(({ verdict, share }) => paint(SHADES[verdict][1], SHADES[verdict][0].repeat(share)))
    .join("");
};

const reasonBlock = (title: string, reasons: readonly Group<unknown>[], paint: Paint): string[] => {
  const rows = reasons.map((reason) => `  ${String(reason.items.length).padStart(4)}  ${reason.title}`);
  return rows.length === 0 ? [] : [paint("bold", title), ...rows];
};

const advisoryBlock = (certificate: Certificate, paint: Paint): string[] => {
  const groups = advisories(certificate);
  const rows = groups.slice(0, MOST_ADVISORIES).map((group) => {
    return `  ${String(group.items.length).padStart(4)}  ${advisoryText(group)}`;
  });
  const rest = groups.length - MOST_ADVISORIES;
  const more = rest > 0 ? [paint("dim", `      and ${counted(rest, "kind")} more in the certificate`)] : [];
  return rows.length === 0 ? [] : [paint("bold", "Advisory"), ...rows, ...more];
};

const MOST_ADVISORIES = 15;

/** Shows the findings of requirements that fail. Advisories are shown by kind. */
const findingBlocks = (certificate: Certificate, paint: Paint): string[][] => {
  const advised = new Set(withVerdict(certificate, "advisory").map(({ id }) => id));
  const findings = certificate.findings.filter(({ requirement }) => !advised.has(requirement));
  const blocks = findings.slice(0, SHOWN).map((finding) => findingBlock(certificate, finding, paint));
  return findings.length > SHOWN ? [...blocks, [paint("dim", moreThan(findings, SHOWN))]] : blocks;
};

const findingBlock = (certificate: Certificate, finding: Finding, paint: Paint): string[] => {
  const { accepted } = finding;
  const requirement = certificate.requirements.find(({ id }) => id === finding.requirement);
  const fails = requirement?.verdict === "failed" && !accepted;
  const row = (label: string, text: string): string =>
    `  ${paint("dim", label.padEnd(11))}  ${text.replaceAll("\n", `\n${" ".repeat(15)}`)}`;
  const head = paint(["bold", fails ? "red" : "yellow"], fails ? "✗" : "!");
  const level = requirement && requirement.level !== "documented" ? ` (${requirement.level})` : "";
  return [
    `${head} ${paint("bold", finding.id)}  ${finding.requirement}${level}`,
    ...(requirement ? [row("promised", requirement.statement), row("source", requirement.source)] : []),
    row("seen", `${finding.operationId}: ${finding.message}`),
    row("expected", finding.expected),
    row("got", finding.actual),
    finding.sequence ? row("steps", stepLines(finding.sequence).join("\n")) : row("curl", finding.curl),
    row("replay", paint("cyan", finding.replay)),
    row("fingerprint", finding.fingerprint),
    ...(accepted ? [row("accepted", acceptedBy(accepted))] : []),
  ];
};

const partBlock = ({ title, groups, lines }: TextPart, paint: Paint): string[] => [
  paint("bold", title),
  ...groups.flatMap((group) => [
    `  ${group.count} ${group.label}`,
    ...group.lines.map((line) => `    ${line}`),
  ]),
  ...lines.map((line) => `  ${line}`),
];

const closing = (certificate: Certificate, path: string, paint: Paint): string[] => {
  const { observations, outcome } = certificate;
  const notes = [subjectOf(certificate), ...runNotes(certificate)];
  if (observations.length > 0) notes.push(counted(observations.length, "observation"));
  const accepted = acceptedWords(certificate);
  const word = paint(OUTCOME_STYLE[outcome], outcome);
  const ability = abilityWords(certificate);
  return [
    ...(ability === "" ? [] : [ability]),
    `${word}${accepted && `, ${accepted}`}  ${notes.join(", ")}`,
    paint("dim", path),
  ];
};

/** Returns a sequence as a numbered list of steps. */
const stepLines = (steps: readonly RecordedStep[]): string[] =>
  steps.map((step, index) => `${index + 1}. ${step.beside ? "at the same time, " : ""}${stepText(step)}`);

const LONGEST_BODY = 160;

export const stepText = ({ title, exchange, act }: RecordedStep): string => {
  if (act?.kind === "link-accounts") return `${title}: accounts are linked to customer ${act.customer}`;
  if (act?.kind === "pass") return `${title}: ${act.seconds} seconds pass`;
  if (exchange === undefined) return title;
  const { method, url, body } = exchange.request;
  const { pathname, search } = new URL(url);
  const sent = `${method} ${pathname}${search}${body === undefined ? "" : ` ${cut(body, LONGEST_BODY)}`}`;
  return `${title}: ${sent} → ${exchange.response?.status ?? "no answer"}`;
};
