/** Renders a certificate as a Markdown summary for build servers. */
import { loggable, mapTexts } from "../../helpers/exchange/visible.ts";
import type { Certificate, Finding } from "../certificate/certificate.ts";
import { certifiedVersion, cut } from "../text.ts";
import { findingText } from "./finding-text.ts";
import { tally } from "./reasons.ts";
import { capped, moreThan, type Report, reportOf, type Section } from "./report.ts";

/** Limits the summary: GitHub Actions allows 1 MiB, and a long page is hard to read. */
const SHOWN = 20;
const LONGEST_TEXT = 2_000;
const LONGEST_VALUE = 200;

/** Returns GitHub Flavored Markdown that ends with a line feed. Text from a server is escaped. */
export const renderMarkdown = (given: Certificate): string => {
  const report = reportOf(mapTexts(given, loggable), SHOWN);
  const { problems, blocked, notTried, comparison, upgrade, acceptList } = report.sections;
  const parts = [
    head(report),
    findings("Findings", report.findings, report),
    section(problems),
    section(blocked),
    findings(`Advisory: ${report.deviations}`, report.advisories, report),
    section(notTried),
    section(comparison),
    section(upgrade),
    section(acceptList && { ...acceptList, title: "Accept list" }),
    servicesTable(report.certificate),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
};

const head = (report: Report): string => {
  const { subject, headline, sentence, coverage, budget, notes, absent, left } = report;
  const { startedAt } = report.certificate;
  const paragraphs = [
    `## ${text(subject)}: ${text(headline)}`,
    `**${text([coverage, ...budget].filter(Boolean).join(", "))}**`,
    ...[sentence, [...notes, startedAt].join(", "), absent, left].map(text),
  ];
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
};

const servicesTable = ({ contracts, requirements }: Certificate): string =>
  [
    "| service | contract | passed | failed | advisory | blocked | not tried |",
    "|---|---|--:|--:|--:|--:|--:|",
    ...contracts.map((contract) => {
      const { service } = contract;
      const own = requirements.filter((requirement) => requirement.service === service);
      const counts = tally(own).map(({ amount }) => amount);
      return `| ${service} | ${text(certifiedVersion(contract))} | ${counts.join(" | ")} |`;
    }),
  ].join("\n");

const section = (given: Section | undefined): string => {
  if (given === undefined) return "";
  const { title, total, groups, lines } = given;
  const rows = groups.map((group) => `${group.count}: ${group.label}`);
  const lists = groups.map(({ label, count, lines: own }) => `**${count} ${label}**\n\n${list(own)}`);
  const rest = lines.length > 0 ? [list(lines)] : [];
  return titled(
    text(title),
    total === undefined ? [...lists, ...rest].join("\n\n") : list(capped(rows, SHOWN)),
  );
};

const titled = (title: string, body: string): string => `### ${title}\n\n${body}`;

const findings = (title: string, all: readonly Finding[], { certificate, others }: Report): string => {
  const blocks = all
    .slice(0, SHOWN)
    .map((finding) => findingBlock(certificate, finding, others.get(finding)));
  const more = all.length > SHOWN ? [moreThan(all, SHOWN)] : [];
  return all.length === 0 ? "" : titled(title, [...blocks, ...more].join("\n\n"));
};

const findingBlock = (certificate: Certificate, finding: Finding, others?: readonly Finding[]): string => {
  const { rows, state } = findingText(certificate, finding, others);
  const isCommand = ([label]: readonly [string, string]): boolean => label === "curl" || label === "replay";
  const lines = rows.filter((row) => !isCommand(row)).map(([label, value]) => `${label}: ${value}`);
  const commands = rows.filter(isCommand).map(([, value]) => value);
  const message = html(cut(finding.message, LONGEST_VALUE));
  return [
    `<details><summary>${html(finding.id)} ${html(finding.requirement)} (${state}): ${message}</summary>`,
    list(lines),
    fenced(commands.join("\n")),
    "</details>",
  ].join("\n\n");
};

const list = (rows: readonly string[]): string => rows.map((row) => `- ${text(row)}`).join("\n");

/** Returns one line without markup. */
const text = (raw: string): string =>
  html(cut(raw, LONGEST_TEXT))
    .replaceAll(/[\\`*_{}[\]()#+!|~]/g, "\\$&")
    .replaceAll("://", "&#58;//")
    .replaceAll(/\bwww\./gi, "www&#46;")
    .replaceAll(/(?<!\w)@/g, "&#64;");

const html = (raw: string): string =>
  raw.replaceAll(/\s+/g, " ").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Returns a code block whose fence is longer than any run of backticks inside it. */
export const fenced = (raw: string, language = ""): string => {
  const longest = Math.max(2, ...[...raw.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${raw}\n${fence}`;
};
