/** Renders a certificate as a Markdown summary for build servers. */
import { loggable, mapTexts } from "../../helpers/exchange/visible.ts";
import type { Certificate, Finding } from "../certificate/certificate.ts";
import type { Group } from "../order.ts";
import { cut } from "../text.ts";
import {
  abilityWords,
  acceptedWords,
  advisoryText,
  capped,
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

/** Limits the summary: GitHub Actions allows 1 MiB, and a long page is hard to read. */
const SHOWN = 20;
const LONGEST_TEXT = 2_000;
const LONGEST_VALUE = 200;

/** Returns GitHub Flavored Markdown that ends with a line feed. Text from a server is escaped. */
export const renderMarkdown = (given: Certificate): string => {
  const certificate = ofTarget(mapTexts(given, loggable));
  const { blocked, problems, comparison, upgrade, acceptList } = textParts(certificate, SHOWN);
  const parts = [
    head(certificate, text(absentWords(given))),
    findings(certificate),
    partSection(problems),
    reasonSection("Blocked", blocked),
    advisorySection(certificate),
    reasonSection("Not tried", unlockings(certificate)),
    partSection(comparison),
    partSection(upgrade),
    partSection(acceptList && { ...acceptList, title: "Accept list" }),
    servicesTable(certificate),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
};

const head = (certificate: Certificate, absent: string): string => {
  const { outcome, startedAt } = certificate;
  const accepted = acceptedWords(certificate);
  const partial = partialWords(certificate);
  const coverage = [coverageWords(certificate), partial, ...budgetLines(certificate)]
    .filter(Boolean)
    .join(", ");
  const notes = [...runNotes(certificate), startedAt].join(", ");
  const title = `${text(subjectOf(certificate))}: ${outcome}${accepted && ` (${accepted})`}`;
  const ability = abilityWords(certificate);
  const paragraphs = [
    `## ${title}`,
    `**${text(coverage)}**`,
    text(notes),
    text(ability),
    absent,
    text(leftWords(certificate)),
  ];
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
};

const servicesTable = ({ contracts, requirements }: Certificate): string =>
  [
    "| service | contract | passed | failed | advisory | blocked | not tried |",
    "|---|---|--:|--:|--:|--:|--:|",
    ...contracts.map(({ service, version }) => {
      const own = requirements.filter((requirement) => requirement.service === service);
      const counts = tally(own).map(({ amount }) => amount);
      return `| ${service} | ${text(version)} | ${counts.join(" | ")} |`;
    }),
  ].join("\n");

const partSection = (part: TextPart | undefined): string => {
  if (part === undefined) return "";
  const groups = part.groups.map(({ label, count, lines }) => `**${count} ${label}**\n\n${list(lines)}`);
  const rest = part.lines.length > 0 ? [list(part.lines)] : [];
  return section(text(part.title), [...groups, ...rest].join("\n\n"));
};

const findings = (certificate: Certificate): string => {
  const all = failures(certificate);
  const blocks = all.slice(0, SHOWN).map((finding) => findingBlock(certificate, finding));
  const more = all.length > SHOWN ? [moreThan(all, SHOWN)] : [];
  return all.length === 0 ? "" : section("Findings", [...blocks, ...more].join("\n\n"));
};

const findingBlock = (certificate: Certificate, finding: Finding): string => {
  const { rows } = findingText(certificate, finding);
  const isCommand = ([label]: readonly [string, string]): boolean => label === "curl" || label === "replay";
  const lines = rows.filter((row) => !isCommand(row)).map(([label, value]) => `${label}: ${value}`);
  const commands = rows.filter(isCommand).map(([, value]) => value);
  const word = finding.accepted ? "accepted" : "failed";
  const message = html(cut(finding.message, LONGEST_VALUE));
  return [
    `<details><summary>${html(finding.id)} ${html(finding.requirement)} (${word}): ${message}</summary>`,
    list(lines),
    fenced(commands.join("\n")),
    "</details>",
  ].join("\n\n");
};

/** Returns one line for each cause. */
const advisorySection = ({ advisories = [] }: Certificate): string => {
  const rows = advisories.map((cause) => `${cause.id}: ${advisoryText(cause)}`);
  return rows.length === 0 ? "" : section(`Advisory: ${causesWords(advisories)}`, list(capped(rows, SHOWN)));
};

const reasonSection = (title: string, reasons: readonly Group<unknown>[]): string => {
  const rows = reasons.map((reason) => `${reason.items.length}: ${reason.title}`);
  return rows.length === 0 ? "" : section(title, list(capped(rows, SHOWN)));
};

const section = (title: string, body: string): string => `### ${title}\n\n${body}`;

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
const fenced = (raw: string): string => {
  const longest = Math.max(2, ...[...raw.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${raw}\n${fence}`;
};
