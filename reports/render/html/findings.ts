/** Renders every finding: the promise, the observation, and commands that reproduce it. */
import type { RecordedStep } from "../../../helpers/trials/failure.ts";
import type { CertifiedRequirement, Finding } from "../../certificate/certificate.ts";
import { acceptedBy, counted } from "../../text.ts";
import { advisoryText, NO_CURL } from "../finding-text.ts";
import { html, type Markup } from "../markup.ts";
import type { Report } from "../report.ts";
import { exchangeView } from "./exchange.ts";
import { foldedRest, linkToRequirement, section, sign, tag } from "./words.ts";

export const findingsPart = ({ certificate, findings, others }: Report): Markup => {
  const requirements = new Map(certificate.requirements.map((requirement) => [requirement.id, requirement]));
  const intro =
    findings.length === 0
      ? html`<p class="intro">None: no requirement that was tried is violated.</p>`
      : html`<div class="intro"><p>${counted(findings.length, "finding")}, ${findings.length > 1 && "each "}with its smallest example. Secrets are left out.</p>
<button type="button" data-open-all data-scripted hidden>Open all</button></div>`;
  return section(
    "findings",
    "Findings",
    html`
${intro}
${findings.map((finding, index) => causeView([finding, ...(others.get(finding) ?? [])], requirements, index))}`,
  );
};

/** Renders the first finding of a cause, and the others below it. */
const causeView = (
  [first, ...others]: readonly Finding[],
  requirements: ReadonlyMap<string, CertifiedRequirement>,
  index: number,
  cause = "",
): Markup => {
  const view = (finding: Finding, at: number): Markup =>
    findingView(finding, requirements.get(finding.requirement), at);
  if (first === undefined || others.length === 0) return html`${first && view(first, index)}`;
  return html`${view(first, index)}
<details class="kinds"><summary>${counted(others.length, "more finding")} with the same cause${cause && `, ${cause}`}</summary>${others.map((one) => view(one, READY_STORIES))}</details>`;
};

/** Shows the findings of each cause of advisories. */
export const advisoriesPart = ({ certificate, advisories, deviations, others }: Report) => {
  if (advisories.length === 0) return undefined;
  const requirements = new Map(certificate.requirements.map((requirement) => [requirement.id, requirement]));
  const causes = advisories.map((finding, index) => {
    const cause = certificate.advisories?.find(({ example }) => example === finding.id);
    const all = [finding, ...(others.get(finding) ?? [])];
    return html`<div id="${cause?.id}">${causeView(all, requirements, index, cause && advisoryText(cause))}</div>`;
  });
  return section(
    "advisories",
    "Advisories",
    html`
<p class="intro">The target deviates from assumptions about what the documents leave open. This is never a failure. ${deviations}:</p>
${foldedRest(causes, CAUSES_SHOWN, ["cause", "causes"], (some) => html`${some}`)}`,
  );
};

const CAUSES_SHOWN = 20;

/**
 * Browsers take seconds to make the elements of thousands of stories. The first stories are elements, for readers without
 * scripts. The others are text, of which the script makes elements when they are opened.
 */
const READY_STORIES = 100;

/** @param index among the findings of its part; the first violation is open */
const findingView = (
  finding: Finding,
  requirement: CertifiedRequirement | undefined,
  index: number,
): Markup => {
  const { id, operationId, message, accepted } = finding;
  const verdict = requirement?.verdict === "failed" ? "failed" : "advisory";
  const open = index === 0 && verdict === "failed";
  const story = storyView(finding, requirement);
  return html`<article class="finding ${verdict}" id="finding-${id}" tabindex="-1"><details ${open && "open"}>
<summary><h3>${sign(verdict)}<span class="number">${id}</span> <span>${operationId}: ${message}</span></h3>${
    accepted && html`<span class="tag">accepted</span>`
  }${verdict === "advisory" && html`<span class="tag">advisory</span>`}</summary>
${index < READY_STORIES ? story : later(story)}</details></article>`;
};

const later = ({ markup }: Markup): Markup =>
  html`<div class="story" data-story="${markup}"><p class="meta">This part needs scripts. The finding is also in certificate.json.</p></div>`;

const storyView = (finding: Finding, requirement: CertifiedRequirement | undefined): Markup => {
  const { pointer, fingerprint, accepted, also } = finding;
  return html`<div class="story"><p class="promise">${finding.promise ?? requirement?.statement ?? finding.requirement}</p>
<p class="meta">${linkToRequirement(finding.requirement)} <span>${requirement?.source}</span></p>
<dl class="difference"><div class="expected"><dt>Expected</dt><dd>${finding.expected}</dd></div>
<div class="actual"><dt>Got</dt><dd>${finding.actual}</dd></div>
${pointer !== "" && html`<div><dt>Where</dt><dd class="mono">${pointer}</dd></div>`}
${also && html`<div><dt>Also seen</dt><dd>${also.join("; ")}</dd></div>`}</dl>
${accepted && html`<p class="acceptance">Accepted ${acceptedBy(accepted)}</p>`}
${shownExchanges(finding)}
${finding.curl === "" ? finding.noCurl && html`<p class="meta">No command shows it: ${NO_CURL[finding.noCurl]}.</p>` : command("curl", finding.curl)}${command("replay", finding.replay)}
<p class="meta">fingerprint <span class="mono">${fingerprint}</span></p></div>`;
};

const shownExchanges = ({ sequence, exchanges, pointer }: Finding): Markup => {
  if (sequence && sequence.length > 0) {
    return html`<h4>The steps that lead there</h4><ol class="steps">${sequence.map(stepView)}</ol>`;
  }
  const [first, ...others] = exchanges;
  return html`${first && exchangeView(first, pointer)}
${others.length > 0 && html`<details class="comparison"><summary>${counted(others.length, "more exchange")} to compare with</summary>${others.map((one) => exchangeView(one, ""))}</details>`}`;
};

const stepView = ({ title, beside, exchange, act }: RecordedStep): Markup =>
  html`<li>${title}${beside && tag("at the same time")}${
    act && html` <span class="mono">${JSON.stringify(act)}</span>`
  }${
    exchange &&
    html`<details><summary><span class="mono">${exchange.request.method} ${exchange.request.url}</span>, answered ${exchange.response?.status ?? "with nothing"}</summary>${exchangeView(exchange, "")}</details>`
  }</li>`;

const command = (name: string, line: string): Markup =>
  html`<div class="command"><h4>${name}</h4><pre tabindex="0" role="group" aria-label="${name}"><code>${line}</code></pre>
<button type="button" data-copy data-scripted hidden>Copy ${name}</button></div>`;
