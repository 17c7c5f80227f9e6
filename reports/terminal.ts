/** Renders a certificate as the summary that ends a run in the terminal. */
import { styleText } from "node:util";
import type { Certificate, CertifiedRequirement, Finding } from "./certificate.ts";
import { byText } from "./order.ts";
import type { Outcome } from "./outcome.ts";
import { toldBump } from "./since.ts";
import { acceptanceLines, acceptedWords, comparisonLines, toldChanges } from "./standing.ts";
import { stepLines } from "./steps.ts";

export interface SummaryOptions {
  readonly color: boolean;
  /** Where the certificate is. */
  readonly path: string;
}

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

const BAR_WIDTH = 24;
const FINDINGS_SHOWN = 20;
const CHANGES_SHOWN = 20;

interface Shade {
  readonly verdict: CertifiedRequirement["verdict"];
  readonly label: string;
  readonly sign: string;
  readonly style: Style;
}

const SHADES: readonly Shade[] = [
  { verdict: "passed", label: "passed", sign: "█", style: "green" },
  { verdict: "failed", label: "failed", sign: "▓", style: "red" },
  { verdict: "advisory", label: "advisory", sign: "▒", style: "yellow" },
  { verdict: "blocked", label: "blocked", sign: "▚", style: "magenta" },
  { verdict: "not-tried", label: "not tried", sign: "░", style: "gray" },
];

const OUTCOME_STYLE: Readonly<Record<Outcome, Style>> = {
  certified: ["bold", "green"],
  violations: ["bold", "red"],
  incomplete: ["bold", "yellow"],
};

/** Ends with a line feed. */
export const renderSummary = (certificate: Certificate, { color, path }: SummaryOptions): string => {
  const paint: Paint = color ? (style, text) => styleText(style, text, { validateStream: false }) : plain;
  const blocks = [
    ...certificate.contracts.map(({ service }) => serviceBlock(certificate, service, paint)),
    ...reasonBlocks(certificate, paint),
    ...findingBlocks(certificate, paint),
    ...acceptanceBlocks(certificate, paint),
    ...comparisonBlocks(certificate, paint),
    ...bumpBlocks(certificate, paint),
    ...(certificate.problems.length > 0
      ? [[paint("bold", "Problems of the run"), ...certificate.problems.map((problem) => `  ${problem}`)]]
      : []),
    closing(certificate, path, paint),
  ];
  return `\n${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
};

const plain: Paint = (_style, text) => text;

const serviceBlock = (certificate: Certificate, service: string, paint: Paint): string[] => {
  const requirements = certificate.requirements.filter((requirement) => requirement.service === service);
  const counts = SHADES.map(({ verdict, label, style }) => {
    const count = requirements.filter((requirement) => requirement.verdict === verdict).length;
    return count === 0 ? paint("dim", `0 ${label}`) : paint(style, `${count} ${label}`);
  });
  const contract = certificate.contracts.find((one) => one.service === service);
  const version = contract?.version ?? "";
  const title = `${paint("bold", service)} ${paint("dim", version)}`;
  const later = contract?.requirementSet?.later.length ?? 0;
  return [
    `${title}  ${requirements.length} requirements, ${exchangesOf(certificate, service)} exchanges`,
    `  ${bar(requirements, paint)}  ${counts.join("  ")}`,
    ...(later > 0 ? [`  ${later} added after the set of ${version} was frozen, advisory at most`] : []),
  ];
};

const exchangesOf = (certificate: Certificate, service: string): string => {
  const operations = certificate.operations.filter((operation) => operation.service === service);
  return operations.reduce((sum, operation) => sum + operation.exchanges, 0).toLocaleString("en-US");
};

/** Every verdict that occurs gets at least one cell; the largest share makes up the difference. */
const bar = (requirements: readonly CertifiedRequirement[], paint: Paint): string => {
  const cells = SHADES.map(({ verdict, sign, style }) => {
    const count = requirements.filter((requirement) => requirement.verdict === verdict).length;
    const share = count === 0 ? 0 : Math.max(1, Math.floor((count / requirements.length) * BAR_WIDTH));
    return { sign, style, share };
  });
  const largest = cells.reduce((most, cell) => (cell.share > most.share ? cell : most));
  if (requirements.length > 0) largest.share += BAR_WIDTH - cells.reduce((sum, { share }) => sum + share, 0);
  return cells.map(({ sign, style, share }) => paint(style, sign.repeat(share))).join("");
};

const reasonBlocks = (certificate: Certificate, paint: Paint): string[][] =>
  (["blocked", "not-tried"] as const).flatMap((verdict) => {
    const counts = new Map<string, number>();
    for (const requirement of certificate.requirements) {
      if (requirement.verdict !== verdict) continue;
      const reason = requirement.reason ?? "no reason given";
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    if (counts.size === 0) return [];
    const rows = [...counts].sort(([a, m], [b, n]) => n - m || byText(a, b));
    return [
      [
        paint("bold", verdict === "blocked" ? "Blocked" : "Not tried"),
        ...rows.map(([reason, count]) => `  ${String(count).padStart(4)}  ${reason}`),
      ],
    ];
  });

const findingBlocks = (certificate: Certificate, paint: Paint): string[][] => {
  const shown = certificate.findings.slice(0, FINDINGS_SHOWN);
  const left = certificate.findings.length - shown.length;
  const blocks = shown.map((finding) => findingBlock(certificate, finding, paint));
  return left > 0 ? [...blocks, [paint("dim", `… and ${left} more in the certificate`)]] : blocks;
};

const findingBlock = (certificate: Certificate, finding: Finding, paint: Paint): string[] => {
  const requirement = certificate.requirements.find(({ id }) => id === finding.requirement);
  const failed = requirement?.verdict === "failed";
  const row = (label: string, text: string): string =>
    `  ${paint("dim", label.padEnd(11))}  ${text.replaceAll("\n", `\n${" ".repeat(15)}`)}`;
  const head = failed && !finding.accepted ? paint(["bold", "red"], "✗") : paint(["bold", "yellow"], "!");
  const level = requirement && requirement.level !== "documented" ? ` (${requirement.level})` : "";
  return [
    `${head} ${paint("bold", finding.id)}  ${finding.requirement}${level}`,
    ...(requirement ? [row("promised", `${requirement.statement}`), row("source", requirement.source)] : []),
    row("seen", `${finding.operationId}: ${finding.message}`),
    row("expected", finding.expected),
    row("got", finding.actual),
    finding.sequence ? row("steps", stepLines(finding.sequence).join("\n")) : row("curl", finding.curl),
    row("replay", paint("cyan", finding.replay)),
    row("fingerprint", finding.fingerprint),
    ...acceptedRow(finding).map((text) => row("accepted", text)),
  ];
};

const acceptedRow = ({ accepted }: Finding): string[] =>
  accepted ? [`by ${accepted.owner} until ${accepted.expires}: ${accepted.reason}`] : [];

const acceptanceBlocks = (certificate: Certificate, paint: Paint): string[][] => {
  const lines = acceptanceLines(certificate);
  if (lines.length === 0) return [];
  return [[paint("bold", `Accept list ${certificate.accepted?.file}`), ...lines.map((line) => `  ${line}`)]];
};

const comparisonBlocks = ({ comparison }: Certificate, paint: Paint): string[][] => {
  if (comparison === undefined) return [];
  const { title, notes } = comparisonLines(comparison, CHANGES_SHOWN);
  const changes = toldChanges(comparison, CHANGES_SHOWN).flatMap(({ label, lines, count }) => [
    `  ${count} ${label}`,
    ...lines.map((line) => `    ${line}`),
  ]);
  return [[paint("bold", title), ...changes, ...notes.map((note) => `  ${note}`)]];
};

const bumpBlocks = (certificate: Certificate, paint: Paint): string[][] => {
  const bump = toldBump(certificate, CHANGES_SHOWN);
  return bump === undefined ? [] : [[paint("bold", bump.title), ...bump.lines.map((line) => `  ${line}`)]];
};

const closing = (certificate: Certificate, path: string, paint: Paint): string[] => {
  const { target, summary, observations, outcome, durationMs, seed, depth, shard } = certificate;
  const notes = [
    `${target.name}, ${depth} depth, seed ${seed}`,
    ...(shard ? [`shard ${shard.index} of ${shard.total}`] : []),
    `${summary.exchanges.toLocaleString("en-US")} exchanges in ${(durationMs / 1000).toFixed(1)} s`,
    ...(observations.length > 0
      ? [`${observations.length} ${observations.length === 1 ? "observation" : "observations"}`]
      : []),
  ];
  const accepted = acceptedWords(certificate);
  const word = paint(OUTCOME_STYLE[outcome], outcome);
  return [`${word}${accepted && `, ${accepted}`}  ${notes.join(", ")}`, paint("dim", path)];
};
