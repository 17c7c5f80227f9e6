/** How the run stands to what was known before, and what went wrong with the run itself. */
import type { Certificate } from "../certificate.ts";
import { acceptanceLines, comparisonLines, toldChanges } from "../standing.ts";
import { type Html, html } from "./html.ts";

const CHANGES_SHOWN = 50;

export const problemsPart = ({ problems }: Certificate): Html | null =>
  problems.length === 0
    ? null
    : html`<section id="problems" aria-labelledby="problems-title"><h2 id="problems-title">Problems of the run</h2>${list(problems)}</section>`;

export const changesPart = ({ comparison }: Certificate): Html | null => {
  if (comparison === undefined) return null;
  const { title, notes } = comparisonLines(comparison, CHANGES_SHOWN);
  return html`<section id="changes" aria-labelledby="changes-title"><h2 id="changes-title">Changes</h2>
<p class="intro">${title}</p>${toldChanges(comparison, CHANGES_SHOWN).map(
    ({ label, lines, count }) =>
      html`<h3>${label} <span class="amount">${String(count)}</span></h3>${list(lines)}`,
  )}${notes.length > 0 && list(notes)}</section>`;
};

export const acceptListPart = (certificate: Certificate): Html | null => {
  const { accepted } = certificate;
  if (accepted === undefined) return null;
  const lines = acceptanceLines(certificate);
  return html`<section id="accept-list" aria-labelledby="accept-list-title"><h2 id="accept-list-title">Accept list</h2>
<p class="intro"><span class="mono">${accepted.file}</span>${lines.length === 0 && html`: each entry accepts what it names.`}</p>${lines.length > 0 && list(lines)}</section>`;
};

const list = (lines: readonly string[]): Html =>
  html`<ul class="lines">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
