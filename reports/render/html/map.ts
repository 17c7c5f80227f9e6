/**
 * Renders the map of operations and their statuses, and the observations about behaviour that the documents do not
 * define.
 */
import type { Certificate, CertifiedOperation, Finding } from "../../certificate/certificate.ts";
import { groupByTitle } from "../../order.ts";
import { count, counted } from "../../text.ts";
import { html, type Markup } from "../markup.ts";
import { breakable, firstOf, foldable, hidden, section, tag } from "./words.ts";

type Status = CertifiedOperation["statuses"][number];

const WORDS = {
  observed: "observed",
  failed: "failed",
  "not-seen": "not tried",
} as const;

/** Renders every operation with its documented statuses, and shows which were observed. */
export const mapPart = (certificate: Certificate): Markup => {
  const failureAt = failures(certificate);
  const cells = certificate.operations.flatMap((operation) =>
    operation.statuses.filter(({ documented }) => documented).map((status) => ({ operation, status })),
  );
  const states = cells.map(({ operation, status }) => stateOf(status, failureAt(operation, status)));
  const times = (Object.keys(WORDS) as (keyof typeof WORDS)[]).map(
    (state) => `${count(states.filter((one) => one === state).length)} ${WORDS[state]}`,
  );
  const services = groupByTitle(certificate.operations, ({ service }) => service);
  return section(
    "map",
    "Operations and their statuses",
    html`
<p class="intro">${counted(certificate.operations.length, "operation")} with ${counted(states.length, "documented status", "documented statuses")}: ${times.join(", ")}.</p>
<ul class="key" aria-label="Signs of the map">
<li><span class="cell observed">200</span> observed</li><li><span class="cell failed">200</span> failed: a finding has a response with it</li>
<li><span class="cell not-seen">200</span> not tried: documented, never observed</li><li><span class="cell observed beyond">200</span> observed, not documented</li></ul>
${services.map(({ title, items }) => serviceMap(title, items, failureAt))}`,
  );
};

/** Finds the failure of a status: the first finding whose response has this status. */
const failures = ({ findings, requirements }: Certificate) => {
  const failed = new Set(requirements.filter(({ verdict }) => verdict === "failed").map(({ id }) => id));
  const placed = findings
    .filter(({ requirement }) => failed.has(requirement))
    .map((finding) => [`${finding.operationId} ${finding.exchanges[0]?.response?.status}`, finding] as const);
  const places = new Map(placed.reverse());
  return ({ operationId }: CertifiedOperation, { status }: Status): Finding | undefined =>
    places.get(`${operationId} ${status}`);
};

const stateOf = ({ observed }: Status, failure: Finding | undefined): keyof typeof WORDS => {
  if (failure !== undefined) return "failed";
  return observed > 0 ? "observed" : "not-seen";
};

const serviceMap = (
  service: string,
  operations: readonly CertifiedOperation[],
  failureAt: ReturnType<typeof failures>,
): Markup => {
  const documented = operations.flatMap(({ statuses }) => statuses.filter((one) => one.documented));
  const columns = [...new Set(documented.map(({ status }) => status))].sort((a, b) => a - b);
  const regions = groupByTitle(operations, ({ section: title }) => firstOf(title)).map(
    ({ title, items }) =>
      html`<div class="region"><h4>${title}</h4><ul class="operations">${items.map((operation) => operationRow(operation, columns, failureAt))}</ul></div>`,
  );
  const amount = counted(operations.length, "operation");
  return html`<div class="service">${foldable(html`<h3>${service}</h3>`, amount, operations.length > LONG, regions)}</div>`;
};

/** Renders a row. Each documented status has a fixed column; undocumented statuses come before these columns. */
const operationRow = (
  operation: CertifiedOperation,
  columns: readonly number[],
  failureAt: ReturnType<typeof failures>,
): Markup => {
  const { method, path, operationId, deprecated, statuses } = operation;
  const beyond = statuses.filter(({ documented, observed }) => !documented && observed > 0);
  const inColumns = columns.map((column) =>
    statuses.find(({ documented, status }) => documented && status === column),
  );
  return html`<li><span class="operation"><b class="method">${method}</b> <span><span class="mono">${breakable(path)}</span>
<span class="mono name">${operationId}</span>${deprecated && tag("deprecated")}</span></span>
<ul class="cells" aria-label="Statuses of ${operationId}">${[...beyond, ...inColumns].map((status) =>
    status
      ? html`<li>${cell(status, failureAt(operation, status))}</li>`
      : html`<li class="gap" aria-hidden="true"></li>`,
  )}</ul></li>`;
};

const cell = (status: Status, failure: Finding | undefined): Markup => {
  const state = stateOf(status, failure);
  const times = status.observed > 0 ? `, ${counted(status.observed, "time")}` : "";
  const words = `${WORDS[state]}${times}${status.documented ? "" : ", not documented"}`;
  const kind = `cell ${state}${status.documented ? "" : " beyond"}`;
  const title = `${status.status} ${words}`;
  const text = html`${status.status}${hidden(` ${words}`)}`;
  return failure
    ? html`<a class="${kind}" title="${title}" href="#finding-${failure.id}">${text}</a>`
    : html`<span class="${kind}" title="${title}">${text}</span>`;
};

/** A service with more operations or observations is folded. */
const LONG = 12;

/** Renders the target's behaviour in the cases that the documents do not define. */
export const observationsPart = ({ observations }: Certificate): Markup => {
  const intro =
    observations.length === 0
      ? "None."
      : `What the target did in ${counted(observations.length, "place")} that the documents leave open. Observations never count as violations.`;
  const services = groupByTitle(observations, ({ service }) => service).map(
    ({ title, items }) =>
      html`<div class="service">${foldable(html`<h3>${title}</h3>`, counted(items.length, "observation"), items.length > LONG, items.map(observationView))}</div>`,
  );
  return section("observations", "Observations", html`\n<p class="intro">${intro}</p>\n${services}`);
};

const observationView = ({ subject, gap, observed }: Certificate["observations"][number]): Markup =>
  html`<div class="observation"><h4>${subject}</h4>${gap !== null && html`<p class="gap-words">${gap}</p>`}<ul>${observed.map(
    (one) => html`<li>${one}</li>`,
  )}</ul></div>`;
