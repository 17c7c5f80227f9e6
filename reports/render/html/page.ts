/** Renders a certificate as one self-contained page: `certificate.html`. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Verdict } from "../../../helpers/trials/ledger.ts";
import type { Certificate } from "../../certificate/certificate.ts";
import { count, spaced } from "../../text.ts";
import { html, type Markup, verbatim } from "../markup.ts";
import { withVerdict } from "../reasons.ts";
import { type Report, reportOf } from "../report.ts";
import { digestPart } from "./digest.ts";
import { advisoriesPart, findingsPart } from "./findings.ts";
import { mapPart, observationsPart } from "./map.ts";
import { blockedPart, notTriedPart } from "./not-tried.ts";
import { outcomePart } from "./outcome.ts";
import { requirementsPart } from "./requirements.ts";
import { standingParts } from "./standing.ts";
import { hidden, outcomeWords, section, sign } from "./words.ts";

const ownFile = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

/** In this order: later rules win. */
const SHEETS = [
  "base",
  "page",
  "plate",
  "findings",
  "exchanges",
  "map",
  "requirements",
  "reasons",
  "digest",
  "print",
];
const STYLE = SHEETS.map((name) => ownFile(`style/${name}.css`)).join("\n");
/** The shared signs of the verdicts. */
const SIGNS = ownFile("style/signs.svg").trimEnd();
const SCRIPTS = ["narrow", "page"].map((name) => ownFile(`script/${name}.js`));

const digestOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Blocks loading, and scripts and styles other than ours, in case a target's response contains any. */
const POLICY = [
  "default-src 'none'",
  `style-src ${digestOf(STYLE)}`,
  `script-src ${SCRIPTS.map(digestOf).join(" ")}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The number of changes of a kind since the baseline, and of ids in a line. */
const CHANGES_SHOWN = 50;

/** Returns the page. The same certificate gives the same page. */
export const renderHtml = (certificate: Certificate): string => {
  const report = reportOf(certificate, CHANGES_SHOWN);
  const parts = partsOf(report);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${outcomeWords(certificate)}: ${certificate.target.name}, ${certificate.startedAt.slice(0, 10)}</title>
<style>${verbatim(STYLE)}</style>
</head>
<body>
${verbatim(SIGNS)}
<a class="skip" href="#content">Skip to the certificate</a>
<div class="page">
${contents(parts)}
<main id="content" tabindex="-1">
${parts.map(([, , , body]) => html`${body}\n`)}${digestPart(report)}
</main>
</div>
${SCRIPTS.map((script) => html`<script type="module">${verbatim(script)}</script>`)}
</body>
</html>
`.markup;
};

/** Returns the parts with their titles in the contents; the body of an empty part is `undefined`. */
const partsOf = (
  report: Report,
): (readonly [id: string, title: string, amount: number | undefined, body: Markup | undefined])[] => {
  const { certificate, findings } = report;
  const { problems, comparison, accepted, operations, observations } = certificate;
  const [problem, change, acceptList, upgrade] = standingParts(report);
  const amount = (verdict: Verdict): number => withVerdict(certificate, verdict).length;
  return [
    ["outcome", "Outcome", undefined, outcomePart(report)],
    ["findings", "Findings", findings.length, findingsPart(report)],
    ["problems", "Problems", problems.length, problem],
    ["blocked", "Blocked", amount("blocked"), blockedPart(certificate)],
    ["advisories", "Advisories", certificate.advisories?.length, advisoriesPart(report)],
    ["not-tried", "Not tried", amount("not-tried"), notTriedPart(certificate)],
    ["upgrade", "Upgrade", undefined, upgrade],
    ["changes", "Changes", comparison?.changes.length, change],
    ["accept-list", "Accept list", accepted?.entries.length, acceptList],
    ["map", "Operations", operations.length, mapPart(certificate)],
    ["requirements", "Requirements", certificate.requirements.length, requirementsPart(certificate)],
    ["observations", "Observations", observations.length, observationsPart(certificate)],
    ["reading", "How to read it", undefined, reading],
  ];
};

const contents = (parts: ReturnType<typeof partsOf>): Markup => {
  const rows = parts.map(([id, title, amount, body]) => {
    const number = amount !== undefined && html` <span class="amount">${count(amount)}</span>`;
    return body && html`<li><a href="#${id}">${title}${number}</a></li>`;
  });
  const themes = ["auto", "light", "dark"].map(
    (name) =>
      html`<button type="button" data-theme-choice="${name}" aria-pressed="${String(name === "auto")}">${name}</button>`,
  );
  return html`<nav class="contents" aria-label="Contents"><ul>${rows}</ul>
<div class="theme" role="group" aria-label="Colours" data-scripted hidden>${themes}</div>
<button type="button" class="print" data-print-all data-scripted hidden>Print everything</button></nav>`;
};

/** In the order of the page. */
const SAYS: Readonly<Record<Verdict, string>> = {
  passed:
    "The target satisfies the requirement. A refusal counts only if the same request without the fault was accepted.",
  failed: "The target violates the requirement. Each finding contains the request that shows the violation.",
  advisory:
    "The target deviates from an assumption that the suite makes where the documents are silent. This is never a failure.",
  blocked:
    "The requirement should have been tried, but could not be. A run with a blocked requirement is incomplete.",
  "not-tried": "The requirement was not judged; its reason says why.",
};

const reading = section(
  "reading",
  "How to read it",
  html`
<dl class="reading">${(Object.keys(SAYS) as Verdict[]).map(
    (verdict) =>
      html`<div><dt class="verdict ${verdict}">${sign(verdict)}${spaced(verdict)}</dt><dd>${SAYS[verdict]}</dd></div>`,
  )}</dl>
<p>Each requirement is <em>documented</em>, unless it is marked <em>provider</em> (the provider's own document states it) or <em>assumed</em> (the documents leave open what the run needs).
This page was made from certificate.json in the same folder${hidden(", for machines")}.</p>`,
);
