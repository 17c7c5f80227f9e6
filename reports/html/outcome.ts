/** The head of the certificate: what came out, for which target, judged by what, and how much that is worth. */
import type { Certificate } from "../certificate.ts";
import { acceptedWords } from "../standing.ts";
import { type Html, html } from "./html.ts";
import { seal } from "./seal.ts";
import { breakable, count, counted, hidden, OUTCOMES, sign, VERDICTS, withVerdict } from "./words.ts";

export const outcomePart = (certificate: Certificate): Html => {
  const { outcome, target } = certificate;
  return html`<header class="plate ${outcome}" id="outcome">
<div class="heading"><p class="kicker">Certificate</p>
<h1>${OUTCOMES[outcome].title}</h1>
<p class="lead">${leadOf(certificate)}</p>
${limitsOf(certificate).map((limit) => html`<p class="limit">${limit}</p>`)}</div>
${seal(certificate)}
${shares(certificate)}
<dl class="facts">
${fact("Target", html`<strong>${target.name}</strong>${Object.values(target.baseUrls).map((url) => html`<span class="mono">${breakable(url)}</span>`)}`)}
${fact("Contracts", certificate.contracts.map(contractLine))}
${fact("When", html`<time datetime="${certificate.startedAt}">${dateOf(certificate.startedAt)}</time><span>${timeOf(certificate.startedAt)} UTC, took ${durationOf(certificate.durationMs)}</span>`)}
${fact("How deep", html`${certificate.depth}<span>${counted(certificate.summary.exchanges, "exchange")}, seed ${String(certificate.seed)}</span>`)}
${fact("Checks proved against", proofOf(certificate))}
</dl>
<div class="signature" aria-hidden="true"><span>Name</span><span>Date</span><span>Signature</span></div>
</header>`;
};

const fact = (term: string, value: Html | readonly Html[]): Html =>
  html`<div><dt>${term}</dt><dd>${value}</dd></div>`;

/** One sentence that a reader in a hurry takes away. */
const leadOf = ({ summary, target }: Certificate): Html => {
  const tried = summary.passed + summary.failed + summary.advisory;
  const name = html`<strong>${target.name}</strong>`;
  const untried =
    summary.notTried > 0 &&
    html` ${count(summary.notTried)} ${summary.notTried === 1 ? "was" : "were"} not tried.`;
  const blocked =
    summary.blocked > 0 &&
    html` ${count(summary.blocked)} could not be judged, though they should have been.`;
  if (tried === 0) return html`Nothing could be shown about ${name}.${blocked}${untried}`;
  const kept = summary.passed + summary.advisory;
  const promises = counted(tried, "requirement that was tried", "requirements that were tried");
  if (summary.failed === 0) {
    return html`${name} keeps ${tried === 1 ? "the" : "all"} ${promises}.${blocked}${untried}`;
  }
  return html`${name} violates ${count(summary.failed)} and keeps ${count(kept)} of the ${promises}.${blocked}${untried}`;
};

/** What makes this certificate say less than its outcome sounds. */
const limitsOf = (certificate: Certificate): string[] => {
  const { selection, shard, contracts } = certificate;
  const accepted = acceptedWords(certificate);
  const { operations, requirements } = selection ?? {};
  const providers = contracts.filter(({ provider }) => provider !== null).map(({ service }) => service);
  return [
    ...(accepted === "" ? [] : [`Of the violations: ${accepted} by the user, as the findings say.`]),
    ...(operations ? [`Only these operations were asked about: ${listed(operations)}.`] : []),
    ...(requirements ? [`Only these requirements were asked about: ${listed(requirements)}.`] : []),
    ...(shard ? [`One part of a run: shard ${shard.index} of ${shard.total}.`] : []),
    ...(providers.length > 0
      ? [`Judged by the provider's own document as well: ${providers.join(", ")}.`]
      : []),
  ];
};

const NAMED = 5;

const listed = (names: readonly string[]): string =>
  names.length <= NAMED
    ? names.join(", ")
    : `${names.slice(0, NAMED).join(", ")} and ${count(names.length - NAMED)} more`;

const contractLine = ({ service, version, digest, provider }: Certificate["contracts"][number]): Html =>
  html`<span><strong>${service}</strong> ${version} <span class="mono" title="${digest}">${shortDigest(digest)}</span>${
    provider && html`, provider's ${provider.version}`
  }</span>`;

const proofOf = ({ mutation }: Certificate): Html =>
  mutation
    ? html`${counted(mutation.faults, "fault")}<span>${count(mutation.killed)} of them found, ${String(mutation.score)} %</span><span class="mono" title="${mutation.digest}">${shortDigest(mutation.digest)}</span>`
    : html`not proved<span>no faults were put to these checks</span>`;

const shortDigest = (digest: string): string => digest.replace(/^sha256-/, "").slice(0, 12);

/** How the verdicts share the requirements, each a link to its list. */
const shares = (certificate: Certificate): Html => {
  const { requirements } = certificate;
  const rows = VERDICTS.map((row) => ({ ...row, amount: withVerdict(certificate, row.verdict).length }));
  let from = 0;
  const pieces = rows
    .filter(({ amount }) => amount > 0)
    .map(({ verdict, amount }) => {
      const piece = html`<rect class="${verdict}" x="${from.toFixed(2)}" width="${width(amount, requirements.length)}" height="10"/>`;
      from += (amount / requirements.length) * WHOLE;
      return piece;
    });
  return html`<div class="shares"><svg viewBox="0 0 ${WHOLE} 10" preserveAspectRatio="none" aria-hidden="true">${pieces}</svg>
<ul>${rows.map(
    ({ verdict, label, amount }) =>
      html`<li class="${amount === 0 && "none"}"><a href="#verdict=${verdict}">${sign(verdict)}<b>${count(amount)}</b> ${label}${hidden(" requirements")}</a></li>`,
  )}</ul></div>`;
};

const WHOLE = 1000;

/** The narrowest piece can still be seen. */
const width = (amount: number, all: number): string => Math.max(3, (amount / all) * WHOLE).toFixed(2);

const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
const DATE = format({ dateStyle: "long" });
const TIME = format({ hour: "2-digit", minute: "2-digit" });

const dateOf = (iso: string): string => DATE.format(new Date(iso));
const timeOf = (iso: string): string => TIME.format(new Date(iso));

const durationOf = (ms: number): string => {
  const seconds = ms / 1000;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
};
