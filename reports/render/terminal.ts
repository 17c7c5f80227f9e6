/** Renders a certificate as the summary that ends a run in the terminal: what failed comes first. */
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { commandWith } from "../../helpers/contract/code.ts";
import type { Verdict } from "../../helpers/trials/ledger.ts";
import type { Certificate, CertifiedRequirement, Finding } from "../certificate/certificate.ts";
import { quoted } from "../certificate/findings.ts";
import type { Outcome } from "../certificate/outcome.ts";
import type { Group } from "../order.ts";
import {
  count,
  counted,
  cut,
  inBlocks,
  type Paint,
  painter,
  type Style,
  type TerminalOptions,
} from "../text.ts";
import {
  abilityWords,
  acceptedWords,
  advisoryText,
  causesWords,
  leftWords,
  moreThan,
  runNotes,
  subjectOf,
  type TextPart,
  tally,
  textParts,
} from "./certificate-text.ts";
import { absentWords, budgetLines, coverageWords, ofTarget, partialWords } from "./coverage.ts";
import { failures, findingText } from "./finding-text.ts";
import { unlockings } from "./unlocking.ts";

const BAR_WIDTH = 24;

/** The summary fits a terminal, unless more requirements failed than `FAILED`. */
const LINES = 60;
const FAILED = 10;

/** How much a summary shows: findings in full, further findings in two lines each, and rows of a list. */
interface Measure {
  readonly whole: number;
  readonly short: number;
  readonly rows: number;
  readonly narrow?: true;
}

/** From the most to the least detail. */
const MEASURES: readonly Measure[] = [
  { whole: 10, short: 0, rows: 15 },
  { whole: 3, short: 7, rows: 10 },
  { whole: 1, short: 9, rows: 8 },
  { whole: 1, short: 9, rows: 5 },
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
export const renderSummary = (certificate: Certificate, options: TerminalOptions): string => {
  const texts = MEASURES.map((measure) => rendered(certificate, options, measure));
  const fits = (text: string): boolean => text.split("\n").length - 1 <= LINES;
  if (certificate.summary.failed > FAILED) return texts[0] ?? "";
  return texts.find(fits) ?? texts.at(-1) ?? "";
};

const rendered = (given: Certificate, { color, path }: TerminalOptions, measure: Measure): string => {
  const paint = painter(color);
  const certificate = ofTarget(given);
  const { rows } = measure;
  const { blocked, acceptList, comparison, upgrade, problems } = textParts(certificate, rows);
  const part = (one: TextPart | undefined): string[] => (one ? partBlock(one, paint, measure) : []);
  return `\n${inBlocks([
    ...findingBlocks(certificate, paint, measure),
    part(problems),
    reasonBlock("Blocked", blocked, paint, rows),
    advisoryBlock(certificate, paint, rows),
    reasonBlock("Not tried", unlockings(certificate), paint, rows),
    ...[acceptList, comparison, upgrade].map(part),
    ...serviceBlocks(certificate, paint, measure),
    closing(certificate, absentWords(given), path, paint),
  ])}`;
};

const serviceBlocks = (certificate: Certificate, paint: Paint, { narrow }: Measure): string[][] => {
  const blocks = certificate.contracts.map((contract) => serviceBlock(certificate, contract, paint));
  return narrow ? [blocks.flat()] : blocks;
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
  const exchanges = operations.reduce((sum, operation) => sum + operation.exchanges, 0);
  const later = requirementSet?.later.length ?? 0;
  return [
    `${paint("bold", service)} ${paint("dim", version)}  ${counted(requirements.length, "requirement")}, ${counted(exchanges, "exchange")}`,
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

const reasonBlock = (
  title: string,
  reasons: readonly Group<unknown>[],
  paint: Paint,
  most: number,
): string[] => {
  const rows = reasons.map((reason) => `  ${amount(reason.items.length)}  ${cut(reason.title, LONGEST_ROW)}`);
  const rest = reasons.slice(most).reduce((sum, { items }) => sum + items.length, 0);
  const more = rest > 0 ? [paint("dim", `  ${amount(rest)}  for other reasons, which the page lists`)] : [];
  const total = reasons.reduce((sum, { items }) => sum + items.length, 0);
  return rows.length === 0
    ? []
    : [paint("bold", `${title}  ${count(total)}`), ...rows.slice(0, most), ...more];
};

const LONGEST_ROW = 160;

const amount = (value: number): string => count(value).padStart(5);

const advisoryBlock = (certificate: Certificate, paint: Paint, most: number): string[] => {
  const { advisories = [] } = certificate;
  const rows = advisories
    .slice(0, most)
    .map((cause) => `  ${cause.id.padStart(5)}  ${cut(advisoryText(cause), LONGEST_ROW)}`);
  const rest = advisories.length - most;
  const more =
    rest > 0 ? [paint("dim", `         and ${counted(rest, "more cause")} in the certificate`)] : [];
  return rows.length === 0 ? [] : [paint("bold", `Advisory  ${causesWords(advisories)}`), ...rows, ...more];
};

/** Shows the findings of requirements that fail. Advisories are shown by cause. */
const findingBlocks = (certificate: Certificate, paint: Paint, { whole, short }: Measure): string[][] => {
  const all = failures(certificate);
  const shown = whole + short;
  const brief = all.slice(whole, shown).flatMap((finding) => briefLines(certificate, finding, paint));
  const more = all.length > shown ? [paint("dim", moreThan(all, shown))] : [];
  return [...all.slice(0, whole).map((one) => findingBlock(certificate, one, paint)), [...brief, ...more]];
};

const signOf = (certificate: Certificate, { requirement, accepted }: Finding, paint: Paint): string => {
  const { verdict } = certificate.requirements.find(({ id }) => id === requirement) ?? {};
  const fails = verdict === "failed" && !accepted;
  return paint(["bold", fails ? "red" : "yellow"], fails ? "✗" : "!");
};

const findingBlock = (certificate: Certificate, finding: Finding, paint: Paint): string[] => {
  const { head, rows } = findingText(certificate, finding);
  return [
    `${signOf(certificate, finding, paint)} ${paint("bold", head)}`,
    ...rows.map(
      ([label, text]) =>
        `  ${paint("dim", label.padEnd(11))}  ${label === "replay" ? paint("cyan", text) : text}`,
    ),
  ];
};

const briefLines = (certificate: Certificate, finding: Finding, paint: Paint): string[] => {
  const { head, line } = findingText(certificate, finding);
  return [`${signOf(certificate, finding, paint)} ${paint("bold", head)}`, `    ${line}`];
};

const partBlock = ({ title, groups, lines }: TextPart, paint: Paint, { rows }: Measure): string[] => {
  const all = [
    ...groups.flatMap((group) => [
      `  ${group.count} ${group.label}`,
      ...group.lines.map((line) => `    ${line}`),
    ]),
    ...lines.map((line) => `  ${line}`),
  ];
  const most = 2 * rows;
  return [
    paint("bold", title),
    ...all.slice(0, most).map((line) => cut(line, LONGEST_LINE)),
    ...(all.length > most ? [paint("dim", `  ${moreThan(all, most)}`)] : []),
  ];
};

const LONGEST_LINE = 400;

/** Returns the command that shows the first finding again. */
const againLine = (certificate: Certificate, path: string): string[] => {
  const [first] = failures(certificate);
  if (first === undefined) return [];
  const { half } = certificate;
  const isReplayed = half !== "caller" && half !== "listener";
  const near = relative(process.cwd(), path);
  return [`next  ${isReplayed ? `${commandWith("replay")} ${quoted(near)} ${first.id}` : first.replay}`];
};

const closing = (certificate: Certificate, absent: string, path: string, paint: Paint): string[] => {
  const { observations, outcome } = certificate;
  const notes = [subjectOf(certificate), ...runNotes(certificate)];
  if (observations.length > 0) notes.push(counted(observations.length, "observation"));
  const accepted = acceptedWords(certificate);
  const word = paint(OUTCOME_STYLE[outcome], outcome);
  const ability = abilityWords(certificate);
  const partial = partialWords(certificate);
  return [
    `${word}${accepted && `, ${accepted}`}${partial && `, ${partial}`}  ${paint("bold", coverageWords(certificate))}`,
    ...[ability, absent, leftWords(certificate)].filter((line) => line !== ""),
    notes.join(", "),
    ...budgetLines(certificate),
    paint("dim", path),
    `page  ${pathToFileURL(join(dirname(path), "certificate.html")).href}`,
    ...againLine(certificate, path),
  ];
};
