/** The map: every operation with its documented statuses, and which of them were seen. */
import type { Certificate, CertifiedOperation, Finding } from "../certificate.ts";
import { type Html, html } from "./html.ts";
import { bySection, firstOf } from "./sections.ts";
import { breakable, count, counted, hidden } from "./words.ts";

type State = "observed" | "failed" | "not-seen";
type Status = CertifiedOperation["statuses"][number];

export const mapPart = (certificate: Certificate): Html => {
  const failures = failuresByPlace(certificate);
  const services = bySection(certificate.operations, ({ service }) => service);
  return html`<section id="map" aria-labelledby="map-title"><h2 id="map-title">Operations and their statuses</h2>
<p class="intro">${wordsOf(certificate, failures)}</p>
<ul class="key" aria-label="Signs of the map">
<li><span class="cell observed">200</span> observed</li><li><span class="cell failed">200</span> failed: a finding was answered with it</li>
<li><span class="cell not-seen">200</span> not tried: documented, never seen</li><li><span class="cell observed beyond">200</span> observed, not documented</li></ul>
${services.map(({ title, items }) => serviceMap(title, items, failures))}</section>`;
};

const wordsOf = ({ operations }: Certificate, failures: ReadonlyMap<string, Finding>): string => {
  const states = operations.flatMap((operation) =>
    operation.statuses
      .filter(({ documented }) => documented)
      .map((status) => stateOf(operation, status, failures)),
  );
  const times = (state: State): string => count(states.filter((one) => one === state).length);
  return (
    `${counted(operations.length, "operation")} with ${counted(states.length, "documented status", "documented statuses")}: ` +
    `${times("observed")} observed, ${times("failed")} failed, ${times("not-seen")} not tried.`
  );
};

/** A finding fails the status that it was answered with. */
const failuresByPlace = ({ findings, requirements }: Certificate): Map<string, Finding> => {
  const failed = new Set(requirements.filter(({ verdict }) => verdict === "failed").map(({ id }) => id));
  const places = new Map<string, Finding>();
  for (const finding of findings) {
    const status = finding.exchanges[0]?.response?.status;
    const place = placeOf(finding.operationId, status);
    if (status !== undefined && failed.has(finding.requirement) && !places.has(place))
      places.set(place, finding);
  }
  return places;
};

const placeOf = (operationId: string, status: number | undefined): string => `${operationId} ${status}`;

const stateOf = (
  { operationId }: CertifiedOperation,
  { status, observed }: Status,
  failures: ReadonlyMap<string, Finding>,
): State => {
  if (failures.has(placeOf(operationId, status))) return "failed";
  return observed > 0 ? "observed" : "not-seen";
};

const serviceMap = (
  service: string,
  operations: readonly CertifiedOperation[],
  failures: ReadonlyMap<string, Finding>,
): Html => {
  const documented = operations.flatMap(({ statuses }) => statuses.filter((one) => one.documented));
  const columns = [...new Set(documented.map(({ status }) => status))].sort((a, b) => a - b);
  return html`<div class="service"><h3>${service}</h3>
${bySection(operations, ({ section }) => firstOf(section)).map(
  ({ title, items }) =>
    html`<div class="region"><h4>${title}</h4><ul class="operations">${items.map((operation) => operationRow(operation, columns, failures))}</ul></div>`,
)}</div>`;
};

/** Documented statuses stand in the same column in every row, at its end; the others go before them. */
const operationRow = (
  operation: CertifiedOperation,
  columns: readonly number[],
  failures: ReadonlyMap<string, Finding>,
): Html => {
  const { method, path, operationId, deprecated, statuses } = operation;
  const beyond = statuses.filter(({ documented, observed }) => !documented && observed > 0);
  return html`<li><span class="operation"><b class="method">${method}</b> <span><span class="mono">${breakable(path)}</span>
<span class="mono name">${operationId}</span>${deprecated && html` <span class="tag">deprecated</span>`}</span></span>
<ul class="cells" aria-label="Statuses of ${operationId}">${beyond.map((status) => cell(operation, status, failures))}${columns.map(
    (column) => {
      const status = statuses.find((one) => one.documented && one.status === column);
      return status ? cell(operation, status, failures) : html`<li class="gap" aria-hidden="true"></li>`;
    },
  )}</ul></li>`;
};

const WORDS: Readonly<Record<State, string>> = {
  observed: "observed",
  failed: "failed",
  "not-seen": "not tried",
};

const cell = (
  operation: CertifiedOperation,
  status: Status,
  failures: ReadonlyMap<string, Finding>,
): Html => {
  const state = stateOf(operation, status, failures);
  const finding = failures.get(placeOf(operation.operationId, status.status));
  const words =
    `${WORDS[state]}${status.observed > 0 ? `, ${counted(status.observed, "time")}` : ""}` +
    `${status.documented ? "" : ", not documented"}`;
  const kind = `cell ${state}${status.documented ? "" : " beyond"}`;
  const text = html`${String(status.status)}${hidden(` ${words}`)}`;
  const title = `${status.status} ${words}`;
  return html`<li>${
    finding
      ? html`<a class="${kind}" title="${title}" href="#finding-${finding.id}">${text}</a>`
      : html`<span class="${kind}" title="${title}">${text}</span>`
  }</li>`;
};
