/** Renders a certificate as one page that needs nothing but itself: `certificate.html`. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Verdict } from "../../helpers/trials/ledger.ts";
import type { Certificate } from "../certificate.ts";
import { html, type Markup, verbatim } from "../markup.ts";
import { count, spaced } from "../text.ts";
import { withVerdict } from "../told.ts";
import { findingsPart } from "./findings.ts";
import { mapPart } from "./map.ts";
import { blockedPart, notTriedPart } from "./not-tried.ts";
import { observationsPart } from "./observations.ts";
import { outcomePart } from "./outcome.ts";
import { requirementsPart } from "./requirements.ts";
import { standingParts } from "./standing.ts";
import { hidden, OUTCOMES, section, sign, signs } from "./words.ts";

const ownFile = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

/** In this order: what stands later wins. */
const STYLES = [
  "base",
  "signs",
  "page",
  "plate",
  "findings",
  "exchanges",
  "map",
  "requirements",
  "reasons",
  "print",
];

const STYLE = STYLES.map((name) => ownFile(`style/${name}.css`)).join("\n");
const SCRIPTS = ["narrow", "page"].map((name) => ownFile(`script/${name}.js`));

const digestOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Nothing is loaded, and of scripts and styles only our own run, whatever a target's answers hold. */
const POLICY = [
  "default-src 'none'",
  `style-src ${digestOf(STYLE)}`,
  `script-src ${SCRIPTS.map(digestOf).join(" ")}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The same certificate gives the same page. */
export const renderHtml = (certificate: Certificate): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${OUTCOMES[certificate.outcome]}: ${certificate.target.name}, ${certificate.startedAt.slice(0, 10)}</title>
<style>${verbatim(STYLE)}</style>
</head>
<body>
${signs}
<a class="skip" href="#content">Skip to the certificate</a>
<div class="page">
${contents(certificate)}
<main id="content" tabindex="-1">
${outcomePart(certificate)}
${standingParts(certificate)}
${findingsPart(certificate)}
${mapPart(certificate)}
${requirementsPart(certificate)}
${blockedPart(certificate)}
${notTriedPart(certificate)}
${observationsPart(certificate)}
${reading}
</main>
</div>
${SCRIPTS.map((script) => html`<script type="module">${verbatim(script)}</script>`)}
</body>
</html>
`.markup;

const contents = (certificate: Certificate): Markup => {
  const { problems, comparison, accepted, findings, operations, requirements, observations } = certificate;
  const blocked = withVerdict(certificate, "blocked").length;
  const rows: readonly (readonly [string, string, number | null] | false)[] = [
    ["outcome", "Outcome", null],
    problems.length > 0 && ["problems", "Problems", problems.length],
    comparison !== undefined && ["changes", "Changes", comparison.changes.length],
    accepted !== undefined && ["accept-list", "Accept list", accepted.entries.length],
    ["findings", "Findings", findings.length],
    ["map", "Operations", operations.length],
    ["requirements", "Requirements", requirements.length],
    blocked > 0 && ["blocked", "Blocked", blocked],
    ["not-tried", "Not tried", withVerdict(certificate, "not-tried").length],
    ["observations", "Observations", observations.length],
    ["reading", "How to read it", null],
  ];
  return html`<nav class="contents" aria-label="Contents"><ul>${rows.map(
    (row) =>
      row &&
      html`<li><a href="#${row[0]}">${row[1]}${row[2] !== null && html` <span class="amount">${count(row[2])}</span>`}</a></li>`,
  )}</ul>
<div class="theme" role="group" aria-label="Colours" data-scripted hidden>${["auto", "light", "dark"].map(
    (name) =>
      html`<button type="button" data-theme-choice="${name}" aria-pressed="${name === "auto" ? "true" : "false"}">${name}</button>`,
  )}</div></nav>`;
};

/** In the order in which verdicts are told. */
const SAYS: Readonly<Record<Verdict, string>> = {
  passed:
    "Tried, and kept. A refusal counts only next to the same request without the fault, which was accepted.",
  failed: "Violated. Each finding shows the request that shows it.",
  advisory: "Deviates from what the documents leave open and the suite assumes. Never a failure.",
  blocked: "Should have been tried and could not be. A run with any of these is incomplete.",
  "not-tried": "Not judged, with the reason.",
};

const reading = section(
  "reading",
  "How to read it",
  html`
<dl class="reading">${(Object.keys(SAYS) as Verdict[]).map(
    (verdict) =>
      html`<div><dt class="verdict ${verdict}">${sign(verdict)}${spaced(verdict)}</dt><dd>${SAYS[verdict]}</dd></div>`,
  )}</dl>
<p>Each requirement is <em>documented</em>, unless it says that it is the <em>provider</em>'s, from the provider's own document, or <em>assumed</em>, where the documents leave open what is needed to run.
This page was made from certificate.json, which lies beside it${hidden(", for machines")}.</p>`,
);
