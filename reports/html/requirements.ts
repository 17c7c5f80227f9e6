/** Every requirement with its verdict, by the sections of its document, and the controls that narrow the list. */
import type { Certificate, CertifiedRequirement } from "../certificate.ts";
import { type Html, html } from "./html.ts";
import { bySection, sectionOf } from "./sections.ts";
import { breakable, count, counted, hidden, labelOf, sign, VERDICTS, withVerdict } from "./words.ts";

export const requirementsPart = (certificate: Certificate): Html => {
  const services = bySection(certificate.requirements, ({ service }) => service);
  return html`<section id="requirements" aria-labelledby="requirements-title"><h2 id="requirements-title">Requirements</h2>
${controls(
  certificate,
  services.map(({ title }) => title),
)}
${services.map(
  ({ title, items }) =>
    html`<div class="service" data-service="${title}"><h3>${title}</h3>${bySection(items, ({ source }) =>
      sectionOf(source),
    ).map((section) => group(section.title, section.items))}</div>`,
)}
<p class="nothing" id="nothing" hidden>No requirement is like this. <button type="button" data-reset>Show all</button></p>
</section>`;
};

const controls = (certificate: Certificate, services: readonly string[]): Html =>
  html`<form class="controls" id="filters" role="search" aria-label="Requirements" data-scripted hidden>
<p class="field"><label for="q">Search</label><input type="search" id="q" name="q" autocomplete="off" spellcheck="false" placeholder="words of a statement or an id" aria-describedby="results"></p>
${
  services.length > 1 &&
  html`<p class="field"><label for="service">Service</label><select id="service" name="service"><option value="">all</option>${services.map(
    (service) => html`<option>${service}</option>`,
  )}</select></p>`
}
<fieldset><legend>Verdict</legend>${VERDICTS.map(({ verdict, label }) => {
    const amount = withVerdict(certificate, verdict).length;
    return html`<label class="toggle"><input type="checkbox" name="verdict" value="${verdict}">${sign(verdict)}${label} <b>${count(amount)}</b></label>`;
  })}</fieldset>
<p class="results"><output id="results" for="q service" aria-live="polite">${counted(certificate.requirements.length, "requirement")}</output>
<button type="button" id="reset" data-reset hidden>Show all</button></p></form>`;

/** What is violated lies open from the start. */
const group = (title: string, requirements: readonly CertifiedRequirement[]): Html => {
  const violated = requirements.some(({ verdict }) => verdict === "failed");
  return html`<details class="group" ${violated && "open"}><summary><h4>${title}</h4> ${tallies(requirements)}<span class="amount"><b data-amount>${count(requirements.length)}</b>${hidden(" requirements")}</span></summary>
<ol>${requirements.map(row)}</ol></details>`;
};

const tallies = (requirements: readonly CertifiedRequirement[]): Html =>
  html`<span class="tallies">${VERDICTS.map(({ verdict, label }) => {
    const amount = requirements.filter((requirement) => requirement.verdict === verdict).length;
    return (
      amount > 0 &&
      html`<span class="tally ${verdict}">${sign(verdict)}${count(amount)}${hidden(` ${label},`)}</span>`
    );
  })}</span>`;

const row = (requirement: CertifiedRequirement): Html => {
  const { id, level, statement, source, verdict, reason, exchanges, findings, accepted } = requirement;
  const name = encodeURIComponent(id);
  return html`<li class="requirement" id="requirement-${id}" data-verdict="${verdict}" tabindex="-1">
<span class="verdict ${verdict}">${sign(verdict)}${labelOf(verdict)}</span>
<div><p class="statement">${statement}</p>
<p class="meta"><a class="id" href="#requirement-${name}">${breakable(id)}</a> <span>${source}</span>${
    level !== "documented" && html` <span class="tag">${level}</span>`
  }${accepted && html` <span class="tag">accepted</span>`}${exchanges > 0 && html` <span>${counted(exchanges, "exchange")}</span>`}${findings.map(
    (finding) => html` <a href="#finding-${finding}">${finding}</a>`,
  )}</p>${reason !== null && html`<p class="reason">${reason}</p>`}</div></li>`;
};
