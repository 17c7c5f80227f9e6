/** Why requirements were not judged, and what the reader can do about it. */
import type { Certificate, CertifiedRequirement } from "../certificate.ts";
import { byText } from "../order.ts";
import { ADVICE_ORDER, adviceFor, namesIn } from "./advice.ts";
import { type Html, html } from "./html.ts";
import { bySection, type Section } from "./sections.ts";
import { count, counted, linkToRequirement, withVerdict } from "./words.ts";

export const blockedPart = (certificate: Certificate): Html | null => {
  const blocked = withVerdict(certificate, "blocked");
  if (blocked.length === 0) return null;
  return html`<section id="blocked" aria-labelledby="blocked-title"><h2 id="blocked-title">Blocked</h2>
<p class="intro">${counted(blocked.length, "requirement")} should have been tried and could not be. See to the reason and run again.</p>
<ul class="reasons">${byReason(blocked).map(reasonRow)}</ul></section>`;
};

export const notTriedPart = (certificate: Certificate): Html => {
  const untried = withVerdict(certificate, "not-tried");
  const groups = bySection(untried, (requirement) => adviceFor(reasonOf(requirement)).title);
  const ordered = groups.sort((a, b) => ADVICE_ORDER.indexOf(a.title) - ADVICE_ORDER.indexOf(b.title));
  return html`<section id="not-tried" aria-labelledby="not-tried-title"><h2 id="not-tried-title">Not tried</h2>
<p class="intro">${
    untried.length === 0
      ? "Every requirement was tried."
      : `${counted(untried.length, "requirement")} without a judgement, by what you can do about it.`
  }</p>
${ordered.map(adviceGroup)}</section>`;
};

const adviceGroup = ({ title, items }: Section<CertifiedRequirement>): Html => {
  const [first] = items;
  const settings = bySection(items, (requirement) =>
    namesIn(reasonOf(requirement))
      .map(({ name }) => name)
      .join(),
  );
  return html`<div class="advice"><h3>${title} <span class="amount">${count(items.length)}</span></h3>
<p>${first && adviceFor(reasonOf(first)).says}</p>
${settings.sort((a, b) => b.items.length - a.items.length || byText(a.title, b.title)).map(settingGroup)}</div>`;
};

/** What the same names of the configuration help. */
const settingGroup = ({ items }: Section<CertifiedRequirement>): Html => {
  const [first] = items;
  const names = first ? namesIn(reasonOf(first)) : [];
  return html`${
    names.length > 0 &&
    html`<dl class="setting">${names.map(({ name, meaning }) => html`<div><dt><code>${name}</code></dt><dd>${meaning}</dd></div>`)}</dl>`
  }<ul class="reasons">${byReason(items).map(reasonRow)}</ul>`;
};

const reasonOf = ({ reason }: CertifiedRequirement): string => reason ?? "no reason given";

/** The most frequent reason first. */
const byReason = (requirements: readonly CertifiedRequirement[]): Section<CertifiedRequirement>[] =>
  bySection(requirements, reasonOf).sort(
    (a, b) => b.items.length - a.items.length || byText(a.title, b.title),
  );

const reasonRow = ({ title, items }: Section<CertifiedRequirement>): Html =>
  html`<li><details><summary><span class="amount">${count(items.length)}</span> <span>${title}</span></summary>
<ul class="ids">${items.map(({ id }) => html`<li>${linkToRequirement(id)}</li>`)}</ul></details></li>`;
