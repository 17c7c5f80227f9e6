/** Renders a certificate as a Markdown summary, as build servers show it beside a run. */
import type { Certificate, CertifiedRequirement, Finding } from "./certificate.ts";
import { byText } from "./order.ts";
import { toldBump } from "./since.ts";
import { acceptanceLines, acceptedWords, comparisonLines, toldChanges } from "./standing.ts";

/** A step summary holds a mebibyte at most, and a page that long helps nobody. */
const FINDINGS_SHOWN = 20;
const CHANGES_SHOWN = 20;
const LONGEST_TEXT = 2_000;

/** GitHub Flavored Markdown; whatever a server said stays text. Ends with a line feed. */
export const renderMarkdown = (certificate: Certificate): string =>
  `${[
    head(certificate),
    servicesTable(certificate),
    ...problems(certificate),
    ...comparison(certificate),
    ...bump(certificate),
    ...acceptance(certificate),
    ...findings(certificate),
    ...reasons(certificate, "blocked", "Blocked"),
    ...reasons(certificate, "not-tried", "Not tried"),
  ].join("\n\n")}\n`;

const head = (certificate: Certificate): string => {
  const { target, outcome, startedAt, depth, seed, shard, summary, durationMs } = certificate;
  const accepted = acceptedWords(certificate);
  const notes = [
    `${depth} depth`,
    `seed ${seed}`,
    ...(shard ? [`shard ${shard.index} of ${shard.total}`] : []),
    `${summary.exchanges.toLocaleString("en-US")} exchanges in ${(durationMs / 1000).toFixed(1)} s`,
    startedAt,
  ];
  return `## ${text(target.name)}: ${outcome}${accepted && ` (${accepted})`}\n\n${text(notes.join(", "))}`;
};

const VERDICTS = ["passed", "failed", "advisory", "blocked", "not-tried"] as const;

const servicesTable = ({ contracts, requirements }: Certificate): string =>
  [
    "| service | contract | passed | failed | advisory | blocked | not tried |",
    "|---|---|--:|--:|--:|--:|--:|",
    ...contracts.map(({ service, version }) => {
      const own = requirements.filter((requirement) => requirement.service === service);
      const counts = VERDICTS.map((verdict) => own.filter((one) => one.verdict === verdict).length);
      return `| ${service} | ${text(version)} | ${counts.join(" | ")} |`;
    }),
  ].join("\n");

const problems = (certificate: Certificate): string[] =>
  certificate.problems.length > 0 ? [section("Problems of the run", list(certificate.problems))] : [];

const comparison = ({ comparison: compared }: Certificate): string[] => {
  if (compared === undefined) return [];
  const { title, notes } = comparisonLines(compared, CHANGES_SHOWN);
  const kinds = toldChanges(compared, CHANGES_SHOWN).map(
    ({ label, lines, count }) => `**${count} ${label}**\n\n${list(lines)}`,
  );
  return [section(text(title), [...kinds, ...(notes.length > 0 ? [list(notes)] : [])].join("\n\n"))];
};

const bump = (certificate: Certificate): string[] => {
  const told = toldBump(certificate, CHANGES_SHOWN);
  return told === undefined ? [] : [section(text(told.title), list(told.lines))];
};

const acceptance = (certificate: Certificate): string[] => {
  const lines = acceptanceLines(certificate);
  return lines.length > 0 ? [section("Accept list", list(lines))] : [];
};

const findings = (certificate: Certificate): string[] => {
  if (certificate.findings.length === 0) return [];
  const shown = certificate.findings.slice(0, FINDINGS_SHOWN);
  const left = certificate.findings.length - shown.length;
  const blocks = shown.map((finding) =>
    findingBlock(
      finding,
      certificate.requirements.find(({ id }) => id === finding.requirement),
    ),
  );
  const more = left > 0 ? [`… and ${left} more in the certificate`] : [];
  return [section("Findings", [...blocks, ...more].join("\n\n"))];
};

const findingBlock = (finding: Finding, requirement: CertifiedRequirement | undefined): string => {
  const { accepted } = finding;
  const rows = [
    ...(requirement ? [`promised: ${requirement.statement} (${requirement.source})`] : []),
    `seen: ${finding.operationId}: ${finding.message}`,
    `expected: ${finding.expected}`,
    `got: ${finding.actual}`,
    `fingerprint: ${finding.fingerprint}`,
    ...(accepted ? [`accepted by ${accepted.owner} until ${accepted.expires}: ${accepted.reason}`] : []),
  ];
  const word = accepted ? "accepted" : requirement?.verdict === "failed" ? "failed" : "advisory";
  return [
    `<details><summary>${html(finding.id)} ${html(finding.requirement)} (${word}): ${html(cut(finding.message))}</summary>`,
    list(rows),
    fenced(`${cut(finding.curl)}\n\n${finding.replay}`),
    "</details>",
  ].join("\n\n");
};

const reasons = (
  { requirements }: Certificate,
  verdict: CertifiedRequirement["verdict"],
  title: string,
): string[] => {
  const counts = new Map<string, number>();
  for (const { verdict: own, reason } of requirements) {
    if (own === verdict) counts.set(reason ?? "", (counts.get(reason ?? "") ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  const rows = [...counts].sort(([a, m], [b, n]) => n - m || byText(a, b));
  return [section(title, list(rows.map(([reason, count]) => `${count}: ${reason}`)))];
};

const section = (title: string, body: string): string => `### ${title}\n\n${body}`;

const list = (rows: readonly string[]): string => rows.map((row) => `- ${text(row)}`).join("\n");

/** One line, in which nothing is markup. */
const text = (raw: string): string =>
  html(cut(raw))
    .replaceAll(/[\\`*_{}[\]()#+!|~]/g, "\\$&")
    .replaceAll("://", "&#58;//")
    .replaceAll(/\bwww\./gi, "www&#46;")
    .replaceAll(/(?<!\w)@/g, "&#64;");

const html = (raw: string): string =>
  raw.replaceAll(/\s+/g, " ").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const cut = (raw: string): string => (raw.length > LONGEST_TEXT ? `${raw.slice(0, LONGEST_TEXT)}…` : raw);

/** A fence is longer than any run of backticks inside it. */
const fenced = (raw: string): string => {
  const longest = Math.max(2, ...[...raw.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${raw}\n${fence}`;
};
