/** Renders every requirement with its verdict, grouped by section of its document, and the filters of the list. */
import type { Certificate, CertifiedRequirement } from "../../certificate/certificate.ts";
import { type Group, groupByTitle } from "../../order.ts";
import { count, counted, spaced } from "../../text.ts";
import { requirementsByRule, type Shown } from "../causes.ts";
import { html, type Markup } from "../markup.ts";
import { tally } from "../reasons.ts";
import { firstOf, hidden, linkToRequirement, section, sign, tag } from "./words.ts";

export const requirementsPart = (certificate: Certificate): Markup => {
  const { requirements } = certificate;
  const services = groupByTitle(requirements, ({ service }) => service);
  return section(
    "requirements",
    "Requirements",
    html`
${controls(requirements, services)}
${services.map(
  ({ title, items }) =>
    html`<div class="service" data-service="${title}"><h3>${title}</h3>${groupByTitle(items, sectionOf).map((one) => group(certificate, one))}</div>`,
)}
<p class="nothing" id="nothing" hidden>No requirement matches. <button type="button" data-reset>Show all</button></p>
`,
  );
};

/** `parcel-pickup.md, Senders; Limits` -> `Senders` */
const sectionOf = ({ source }: CertifiedRequirement): string => {
  const [document = "", ...rest] = source.split(", ");
  return firstOf(rest.join(", ")) || document;
};

const controls = (
  requirements: readonly CertifiedRequirement[],
  services: readonly Group<CertifiedRequirement>[],
): Markup =>
  html`<form class="controls" id="filters" role="search" aria-label="Requirements" data-scripted hidden>
<p class="field"><label for="q">Search</label><input type="search" id="q" name="q" autocomplete="off" spellcheck="false" placeholder="words of a statement or an id" aria-describedby="results"></p>
${
  services.length > 1 &&
  html`<p class="field"><label for="service">Service</label><select id="service" name="service"><option value="">all</option>${services.map(
    ({ title }) => html`<option>${title}</option>`,
  )}</select></p>`
}
<fieldset><legend>Verdict</legend>${tally(requirements).map(
    ({ verdict, label, amount }) =>
      html`<label class="toggle"><input type="checkbox" name="verdict" value="${verdict}">${sign(verdict)}${label} <b>${count(amount)}</b></label>`,
  )}</fieldset>
<p class="results"><output id="results" for="q service" aria-live="polite">${counted(requirements.length, "requirement")}</output>
<button type="button" id="reset" data-reset hidden>Show all</button></p></form>`;

/** Renders a group, which is open if it contains a violation and is short. */
const group = (certificate: Certificate, { title, items }: Group<CertifiedRequirement>): Markup => {
  const isOpen = items.length <= LONG && items.some(({ verdict }) => verdict === "failed");
  const tallies = tally(items).map(
    ({ verdict, label, amount }) =>
      amount > 0 &&
      html`<span class="tally ${verdict}">${sign(verdict)}${count(amount)}${hidden(` ${label},`)}</span>`,
  );
  return html`<details class="group" ${isOpen && "open"}><summary><h4>${title}</h4> <span class="tallies">${tallies}</span><span class="amount"><b data-amount>${count(items.length)}</b>${hidden(" requirements")}</span></summary>
<ol>${requirementsByRule(certificate, items).map(ruleRows)}</ol></details>`;
};

const LONG = 20;

/** Renders a rule that many operations share as one row, with its other places below it. */
const ruleRows = ({ first, others }: Shown<CertifiedRequirement>): Markup =>
  others.length === 0
    ? row(first)
    : html`${row(first)}<li class="places"><details><summary>${counted(others.length, "more place")} of the same rule</summary><ol>${others.map((other) => row(other, other.id))}</ol></details></li>`;

/** @param name the id as it is shown; without places for line breaks where there may be tens of thousands of rows */
const row = (requirement: CertifiedRequirement, name?: string): Markup => {
  const { id, level, statement, source, verdict, reason, exchanges, findings, accepted } = requirement;
  const links = findings.map((finding) => html` <a href="#finding-${finding}">${finding}</a>`);
  return html`<li class="requirement" id="requirement-${id}" data-verdict="${verdict}" tabindex="-1">
<span class="verdict ${verdict}">${sign(verdict)}${spaced(verdict)}</span>
<div><p class="statement">${statement}</p>
<p class="meta">${linkToRequirement(id, name)} <span>${source}</span>${level !== "documented" && tag(level)}${accepted && tag("accepted")}${
    exchanges > 0 && html` <span>${counted(exchanges, "exchange")}</span>`
  }${links}</p>${reason !== null && html`<p class="reason">${reason}</p>`}</div></li>`;
};
