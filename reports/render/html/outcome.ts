/** Renders the head of the certificate: outcome, target, contracts and limits. */
import type { Certificate } from "../../certificate/certificate.ts";
import type { Outcome } from "../../certificate/outcome.ts";
import { count, counted, cut } from "../../text.ts";
import { html, type Markup } from "../markup.ts";
import { tally } from "../reasons.ts";
import type { Report } from "../report.ts";
import { breakable, hidden, outcomeWords, sign } from "./words.ts";

export const outcomePart = (report: Report): Markup => {
  const { certificate, sentence, coverage, absent, left } = report;
  const { outcome, target, startedAt } = certificate;
  return html`<header class="plate ${outcome}" id="outcome">
<div class="heading"><p class="kicker">Certificate</p>
<h1>${outcomeWords(certificate)}</h1>
<p class="coverage"><strong>${coverage}</strong></p>
<p class="lead">${sentence}</p>
${firstFailures(report)}
${[...limitsOf(report), absent, left].filter(Boolean).map((limit) => html`<p class="limit">${limit}</p>`)}</div>
${seal(certificate)}
${shares(certificate)}
<dl class="facts">
${fact("Target", html`<strong>${target.name}</strong>${Object.values(target.baseUrls).map((url) => html`<span class="mono">${breakable(url)}</span>`)}`)}
${fact("Contracts", certificate.contracts.map(contractLine))}
${fact("When", html`<time datetime="${startedAt}">${shown(startedAt, { dateStyle: "long" })}</time><span>${shown(startedAt, { hour: "2-digit", minute: "2-digit" })} UTC, took ${durationOf(certificate.durationMs)}</span>`)}
${fact("How deep", html`${certificate.depth}<span>${counted(certificate.summary.exchanges, "exchange")}, seed ${certificate.seed}</span>`)}
${fact("How the checks were tested", proofOf(certificate))}
${certificate.innocence ? fact("False alarms", acquittalOf(certificate.innocence, certificate.half)) : ""}
</dl>
<div class="signature" aria-hidden="true"><span>Name</span><span>Date</span><span>Signature</span></div>
</header>`;
};

const fact = (term: string, value: Markup | readonly Markup[]): Markup =>
  html`<div><dt>${term}</dt><dd>${value}</dd></div>`;

/** Shows what failed before anything else; each line links to its finding. */
const firstFailures = ({ findings: all }: Report): Markup | false => {
  const rest = all.length - FAILURES_SHOWN;
  return (
    all.length > 0 &&
    html`<ul class="failures">${all
      .slice(0, FAILURES_SHOWN)
      .map(
        ({ id, operationId, message, accepted }) =>
          html`<li>${sign("failed")}<a href="#finding-${id}">${id}</a> <span>${operationId}: ${cut(message, LONGEST_MESSAGE)}${accepted && " (accepted)"}</span></li>`,
      )}${rest > 0 && html`<li><a href="#findings">and ${counted(rest, "more finding")}</a></li>`}</ul>`
  );
};

const FAILURES_SHOWN = 3;
const LONGEST_MESSAGE = 120;

/** Returns the limits of this certificate. */
const limitsOf = ({ certificate, budget }: Report): string[] => {
  const { selection, shard, contracts, traffic, since } = certificate;
  const { failed, accepted = 0 } = certificate.summary;
  const { operations, requirements } = selection ?? {};
  const providers = contracts.filter(({ provider }) => provider !== null).map(({ service }) => service);
  return [
    ...(accepted === 0
      ? []
      : [
          `The user accepted ${count(accepted)} of ${counted(failed, "violation")}. The findings give the reasons.`,
        ]),
    ...budget.map((line) => `Limited by a ${line}.`),
    ...(since ? [`Only what the upgrade from ${since.old.version} to ${since.new.version} affects.`] : []),
    ...(operations && !since ? [`Only these operations were selected: ${listed(operations)}.`] : []),
    ...(requirements && !since ? [`Only these requirements were selected: ${listed(requirements)}.`] : []),
    ...(traffic?.notes ?? []),
    ...Object.entries(traffic?.foreign ?? {}).map(
      ([origin, amount]) => `${counted(amount, "exchange")} with ${origin} were not judged.`,
    ),
    ...(shard ? [`One part of a run: shard ${shard.index} of ${shard.total}.`] : []),
    ...(providers.length > 0 ? [`Also judged by the provider's own document: ${providers.join(", ")}.`] : []),
  ];
};

const NAMED = 5;

const listed = (names: readonly string[]): string => {
  const more = names.length > NAMED ? ` and ${count(names.length - NAMED)} more` : "";
  return `${names.slice(0, NAMED).join(", ")}${more}`;
};

const contractLine = ({
  service,
  version,
  digest,
  provider,
  requirementSet,
}: Certificate["contracts"][number]): Markup =>
  html`<span><strong>${service}</strong> ${version} <span class="mono" title="${digest}">${shortDigest(digest)}</span>${
    provider && html`, provider's ${provider.version}`
  }</span>${requirementSet && html`<span>${setWords(requirementSet)}</span>`}`;

/** Describes the frozen requirement set of a contract. */
const setWords = ({
  version,
  requirements,
  later,
}: NonNullable<Certificate["contracts"][number]["requirementSet"]>): string =>
  `requirement set ${version}: ${counted(requirements, "requirement")}${later.length === 0 ? "" : `, ${count(later.length)} added later`}`;

const proofOf = ({ mutation, half }: Certificate): Markup =>
  mutation
    ? html`${counted(mutation.faults, half === "caller" || half === "listener" ? `faulty ${half}` : "planted fault")}<span>${count(mutation.killed)} of them found, ${mutation.score} %</span><span class="mono" title="${mutation.digest}">${shortDigest(mutation.digest)}</span>`
    : html`not tested<span>nobody planted faults to see what these checks find</span>`;

const acquittalOf = (
  { differences, acquitted, digest }: NonNullable<Certificate["innocence"]>,
  half: Certificate["half"],
): Markup =>
  html`${acquitted === differences ? "none" : count(differences - acquitted)}<span>among ${counted(differences, half === "caller" || half === "listener" ? `correct ${half}` : "permitted difference")}</span><span class="mono" title="${digest}">${shortDigest(digest)}</span>`;

const shortDigest = (digest: string): string => digest.replace(/^sha256-/, "").slice(0, 12);

/** Renders the share of each verdict, with a link to its requirements. */
const shares = ({ requirements }: Certificate): Markup => {
  const rows = tally(requirements);
  let from = 0;
  const pieces = rows.map(({ verdict, amount }) => {
    const [x, share] = [from.toFixed(2), (amount / requirements.length) * WHOLE];
    if (amount > 0) from += share;
    return (
      amount > 0 &&
      html`<rect class="${verdict}" x="${x}" width="${Math.max(NARROWEST, share).toFixed(2)}" height="10"/>`
    );
  });
  return html`<div class="shares"><svg viewBox="0 0 ${WHOLE} 10" preserveAspectRatio="none" aria-hidden="true">${pieces}</svg>
<ul>${rows.map(
    ({ verdict, label, amount }) =>
      html`<li class="${amount === 0 && "none"}"><a href="#verdict=${verdict}">${sign(verdict)}<b>${count(amount)}</b> ${label}${hidden(" requirements")}</a></li>`,
  )}</ul></div>`;
};

const WHOLE = 1000;
/** The smallest visible width. */
const NARROWEST = 3;

/** Making a format takes as long as loading all of this code, and most processes that load it render nothing. */
const shown = (at: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options }).format(new Date(at));

const durationOf = (ms: number): string => {
  const seconds = ms / 1000;
  return seconds < 100
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
};

const RADIUS = 62;
const POINTS = 144;
const TURNS = 6;

/**
 * Draws a rosette. Its curve depends on the contract digests. It is only an ornament: the page states everything in
 * words.
 */
const seal = (certificate: Certificate): Markup => {
  const { outcome, partial, contracts, startedAt } = certificate;
  const petals = petalsOf(contracts.map(({ digest }) => digest).join());
  const copies = Array.from({ length: TURNS }, (_, index) => ((360 / petals) * index) / TURNS);
  const words = `ASSAY · ${outcome.toUpperCase()} · ${partial ? "PARTIAL" : startedAt.slice(0, 10)} · `;
  return html`<svg class="seal" viewBox="-100 -100 200 200" aria-hidden="true" focusable="false">
<defs><path id="petal" d="${curve(petals)}"/><path id="rim" d="M0 -81.5A81.5 81.5 0 1 1 -.01 -81.5"/></defs>
<circle r="97" class="rim"/><circle r="94.5" class="rim thin"/><circle r="73" class="rim thin"/>
<text class="legend"><textPath href="#rim" textLength="509" lengthAdjust="spacing">${words.repeat(2)}</textPath></text>
<g class="rosette">${copies.map((angle) => html`<use href="#petal" transform="rotate(${angle.toFixed(2)})"/>`)}</g>
<circle r="27" class="heart"/><path class="stroke" d="${STROKES[outcome]}"/></svg>`;
};

const STROKES: Readonly<Record<Outcome, string>> = {
  certified: "M-11 1 -3.5 9 12 -9",
  violations: "M-9 -9 9 9M9 -9 -9 9",
  incomplete: "M-12 0H-11.9M0 0H.1M12 0H12.1",
};

const petalsOf = (digests: string): number =>
  9 + ([...digests].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % 6);

const curve = (petals: number): string => {
  const points = Array.from({ length: POINTS }, (_, index) => {
    const angle = (index / POINTS) * 2 * Math.PI;
    const reach = RADIUS * (0.74 + 0.26 * Math.cos(petals * angle));
    return `${(reach * Math.cos(angle)).toFixed(1)} ${(reach * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
};
