/** Renders a certificate as the summary that ends a run in the terminal: what failed comes first. */
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { commandWith } from "../../helpers/contract/code.ts";
import type { Verdict } from "../../helpers/trials/ledger.ts";
import type { Certificate, CertifiedRequirement, Finding } from "../certificate/certificate.ts";
import type { Outcome } from "../certificate/outcome.ts";
import {
  certifiedVersion,
  colored,
  count,
  counted,
  cut,
  inBlocks,
  paint,
  type Style,
  type TerminalOptions,
} from "../text.ts";
import { findingText } from "./finding-text.ts";
import { tally } from "./reasons.ts";
import { moreThan, type Report, reportOf, type Section } from "./report.ts";

const BAR_WIDTH = 24;

/** The summary fits a terminal, unless more requirements failed than `FAILED`. */
const LINES = 60;
const FAILED = 10;

/** How much a summary shows: findings in full, further findings in two lines each, and rows of a list. */
interface Measure {
  readonly whole: number;
  readonly short: number;
  readonly rows: number;
  /** The maximum number of advisories in full; as many as violations leave room for if not set. */
  readonly advised?: 0;
  readonly narrow?: true;
}

/** From the most to the least detail. */
const MEASURES: readonly Measure[] = [
  { whole: 10, short: 0, rows: 15 },
  { whole: 3, short: 7, rows: 10 },
  { whole: 1, short: 9, rows: 8 },
  { whole: 1, short: 9, rows: 5 },
  { whole: 1, short: 9, rows: 4, advised: 0 },
  { whole: 0, short: 10, rows: 3, narrow: true },
];

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
export const renderSummary = (certificate: Certificate, { color, path }: TerminalOptions): string => {
  const texts = MEASURES.map((measure) => rendered(reportOf(certificate, measure.rows), path, measure));
  const fits = (text: string): boolean => text.split("\n").length - 1 <= LINES;
  const text = certificate.summary.failed > FAILED ? texts[0] : (texts.find(fits) ?? texts.at(-1));
  return colored(text ?? "", color);
};

const rendered = (report: Report, path: string, measure: Measure): string => {
  const { problems, blocked, notTried, acceptList, comparison, upgrade } = report.sections;
  const blockOf = (section: Section | undefined): string[] => (section ? sectionBlock(section, measure) : []);
  return `\n${inBlocks([
    ...findingBlocks(report, report.findings, measure),
    ...[problems, blocked].map(blockOf),
    ...advisoryBlocks(report, measure),
    ...[notTried, acceptList, comparison, upgrade].map(blockOf),
    ...serviceBlocks(report, measure),
    closing(report, path),
  ])}`;
};

const serviceBlocks = ({ certificate }: Report, { narrow }: Measure): string[][] => {
  const blocks = certificate.contracts.map((contract) => serviceBlock(certificate, contract));
  return narrow ? [blocks.flat()] : blocks;
};

const serviceBlock = (certificate: Certificate, contract: Certificate["contracts"][number]): string[] => {
  const { service, version, requirementSet } = contract;
  const requirements = certificate.requirements.filter((requirement) => requirement.service === service);
  const counts = tally(requirements).map(({ verdict, label, amount }) =>
    paint(amount === 0 ? "dim" : SHADES[verdict][1], `${amount} ${label}`),
  );
  const operations = certificate.operations.filter((operation) => operation.service === service);
  const exchanges = operations.reduce((sum, operation) => sum + operation.exchanges, 0);
  const later = requirementSet?.later.length ?? 0;
  return [
    `${paint("bold", service)} ${paint("dim", certifiedVersion(contract))}  ${counted(requirements.length, "requirement")}, ${counted(exchanges, "exchange")}`,
    `  ${bar(requirements)}  ${counts.join("  ")}`,
    ...(later > 0 ? [`  ${later} added after the set of ${version} was frozen, advisory at most`] : []),
  ];
};

/** Draws the bar. Every verdict that occurs gets at least one cell, taken from the largest share. */
const bar = (requirements: readonly CertifiedRequirement[]): string => {
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

const sectionBlock = (section: Section, { rows }: Measure): string[] => {
  const { title, total, groups, lines } = section;
  if (total !== undefined) return listing(section, rows);
  const all = [
    ...groups.flatMap((group) => [
      `  ${group.count} ${group.label}`,
      ...group.lines.map((line) => `    ${line}`),
    ]),
    ...lines.map((line) => `  ${line}`),
  ];
  const shown = all.slice(0, 2 * rows);
  return [
    paint("bold", title),
    ...shown.map((line) => cut(line, LONGEST_LINE)),
    ...(all.length > shown.length ? [paint("dim", `  ${moreThan(all, shown.length)}`)] : []),
  ];
};

const LONGEST_LINE = 400;

/** Returns one row for each group: its amount and its label. */
const listing = ({ title, total, groups }: Section, most: number): string[] => {
  const mark = (text: string): string => text.padStart(5);
  const rest = groups.slice(most);
  const left = mark(count(rest.reduce((sum, group) => sum + group.count, 0)));
  return [
    paint("bold", `${title}  ${total}`),
    ...groups
      .slice(0, most)
      .map((group) => `  ${mark(count(group.count))}  ${cut(group.label, LONGEST_ROW)}`),
    ...(rest.length > 0 ? [paint("dim", `  ${left}  for other reasons, which the page lists`)] : []),
  ];
};

const LONGEST_ROW = 160;

/** Shows the example of each cause of advisories, as few in full as the violations leave room for. */
const advisoryBlocks = (report: Report, { whole, rows, advised }: Measure): string[][] => {
  const { findings, advisories, deviations } = report;
  const room = Math.min(whole, advised ?? Math.max(1, whole - findings.length));
  const [first = [], ...rest] = findingBlocks(report, advisories, { whole: room, short: rows - room });
  return advisories.length === 0 ? [] : [[paint("bold", `Advisory: ${deviations}`), ...first], ...rest];
};

const findingBlocks = (
  { certificate, others }: Report,
  findings: readonly Finding[],
  { whole, short }: Pick<Measure, "whole" | "short">,
): string[][] => {
  const brief = findings.slice(whole, whole + short).flatMap((finding) => {
    const text = findingText(certificate, finding, others.get(finding));
    return [titleOf(text), `    ${text.line}`];
  });
  const more = findings.length > whole + short ? [paint("dim", moreThan(findings, whole + short))] : [];
  return [
    ...findings.slice(0, whole).map((finding) => findingBlock(certificate, finding, others.get(finding))),
    [...brief, ...more],
  ];
};

const titleOf = ({ head, state }: ReturnType<typeof findingText>): string =>
  `${paint(["bold", state === "failed" ? "red" : "yellow"], state === "failed" ? "✗" : "!")} ${paint("bold", head)}`;

const findingBlock = (certificate: Certificate, finding: Finding, others?: readonly Finding[]): string[] => {
  const text = findingText(certificate, finding, others);
  return [
    titleOf(text),
    ...text.rows.map(
      ([label, text]) =>
        `  ${paint("dim", label.padEnd(11))}  ${label === "replay" ? paint("cyan", text) : text}`,
    ),
  ];
};

/** Returns the command that shows the first finding again. */
const againLine = ({ certificate, findings: [first] }: Report, path: string): string[] => {
  if (first === undefined) return [];
  const isReplayed = certificate.half !== "caller" && certificate.half !== "listener";
  const near = relative(process.cwd(), path);
  const again = () => commandWith("replay", near, first.id, ...(certificate.document ?? []));
  return [`next  ${isReplayed ? again() : first.replay}`];
};

/** Tells in the last line why the run is incomplete. */
const whyLine = ({ certificate: { outcome, problems } }: Report): string[] => {
  const [why] = outcome === "incomplete" ? problems : [];
  return why === undefined ? [] : [`why   ${cut(why, LONGEST_LINE)}`];
};

const closing = (report: Report, path: string): string[] => {
  const { headline, sentence, coverage, absent, left, subject, notes, budget } = report;
  const { observations, outcome } = report.certificate;
  const observed = observations.length > 0 ? [counted(observations.length, "observation")] : [];
  return [
    `${headline.replace(outcome, paint(OUTCOME_STYLE[outcome], outcome))}  ${paint("bold", coverage)}`,
    ...[sentence, absent, left].filter(Boolean),
    [subject, ...notes, ...observed].join(", "),
    ...budget,
    paint("dim", path),
    `page  ${pathToFileURL(join(dirname(path), "certificate.html")).href}`,
    ...againLine(report, path),
    ...whyLine(report),
  ];
};
