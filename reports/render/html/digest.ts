/** Renders the second printed page, for those who sign: the results of each service, the failures, what was not tried. */
import type { Certificate, CertifiedRequirement } from "../../certificate/certificate.ts";
import { type Group, groupByTitle } from "../../order.ts";
import { certifiedVersion, count, counted, cut } from "../../text.ts";
import { html, type Markup } from "../markup.ts";
import { byReason, tally, unlockings, withVerdict } from "../reasons.ts";
import type { Report } from "../report.ts";

/** The most lines of each part, so that the page has room for all. */
const MOST = { services: 10, failures: 12, advisories: 4, reasons: 8 };
const LONGEST = 130;

export const digestPart = ({ certificate, findings, advisories }: Report): Markup =>
  html`<section id="digest">
<h2>Summary of the results</h2>
${services(certificate)}
${findings.length === 0 && html`<h3>No violation was found</h3>`}${found("violation", findings, MOST.failures)}
${found("advisory", advisories, MOST.advisories)}
${untried("blocked", byReason(withVerdict(certificate, "blocked")))}
${untried("not tried", unlockings(certificate))}
<p>The certificate on screen has every requirement, finding and exchange. Its button “Print everything” prints all of them.</p>
</section>`;

const services = ({ requirements, contracts }: Certificate): Markup => {
  const groups = groupByTitle(requirements, ({ service }) => service);
  const verdicts = tally([]);
  const rows = groups
    .slice(0, MOST.services)
    .map(
      ({ title, items }) =>
        html`<tr><th scope="row">${title} ${contracts.filter(({ service }) => service === title).map(certifiedVersion)}</th><td>${count(items.length)}</td>${tally(items).map(({ amount }) => html`<td>${count(amount)}</td>`)}</tr>`,
    );
  const heads = ["Service", "Requirements", ...verdicts.map(({ label }) => label)];
  return html`<table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`;
};

const found = (noun: string, all: Report["findings"], most: number): Markup | false => {
  const lines = all.map(
    ({ id, requirement, operationId, message, accepted }) =>
      `${id}  ${requirement}: ${operationId}: ${message}${accepted ? " (accepted)" : ""}`,
  );
  return all.length > 0 && html`<h3>${counted(all.length, noun)}</h3>${limited(lines, most)}`;
};

const untried = (verdict: string, groups: readonly Group<CertifiedRequirement>[]): Markup | false => {
  const amount = groups.reduce((sum, { items }) => sum + items.length, 0);
  const lines = groups.map(({ title, items }) => `${count(items.length)}: ${title}`);
  return (
    amount > 0 && html`<h3>${counted(amount, "requirement")} ${verdict}</h3>${limited(lines, MOST.reasons)}`
  );
};

const limited = (lines: readonly string[], most: number): Markup => {
  const rest = lines.length - most;
  return html`<ul>${lines.slice(0, most).map((one) => html`<li>${cut(one, LONGEST)}</li>`)}${rest > 0 && html`<li>… and ${count(rest)} more</li>`}</ul>`;
};
