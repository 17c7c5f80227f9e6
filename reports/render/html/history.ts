/** Renders the history of a target: small charts of coverage, failures and drift, and a table of their values. */
import type { Certificate, HistoryPoint } from "../../certificate/certificate.ts";
import { count, counted } from "../../text.ts";
import { html, type Markup } from "../markup.ts";
import { OUTCOMES, section } from "./words.ts";

interface Chart {
  readonly title: string;
  readonly kind: "line" | "bars";
  /** The value at the top of the chart; the largest value by default. */
  readonly top?: number;
  valueOf(point: HistoryPoint): number | null;
  words(value: number): string;
}

const CHARTS: readonly Chart[] = [
  {
    title: "Coverage",
    kind: "line",
    top: 100,
    valueOf: ({ tried, requirements }) => (requirements === 0 ? 0 : (100 * tried) / requirements),
    words: (value) => `${Math.floor(value)} %`,
  },
  { title: "Failures", kind: "bars", valueOf: ({ failed }) => failed, words: count },
  { title: "Drift", kind: "bars", valueOf: ({ drift }) => drift, words: (value) => counted(value, "change") },
];

/** A single run has no history. */
export const historyPart = ({ history = [] }: Certificate): Markup | undefined =>
  history.length < 2
    ? undefined
    : section(
        "history",
        "History",
        html`
<p class="intro">${counted(history.length, "run")} of the same services on this target, from ${dateOf(history[0])} to ${dateOf(history.at(-1))}. Drift is a change of behaviour that no requirement forbids.</p>
<div class="charts">${CHARTS.map((chart) => chartView(chart, history))}</div>
${table(history)}`,
      );

const dateOf = (point: HistoryPoint | undefined): string => point?.startedAt.slice(0, 10) ?? "";

const WIDTH = 240;
const HEIGHT = 60;

const chartView = (chart: Chart, history: readonly HistoryPoint[]): Markup => {
  const values = history.map(chart.valueOf);
  const known = values.filter((value) => value !== null);
  const top = Math.max(1, chart.top ?? Math.max(0, ...known));
  const marks = chart.kind === "line" ? line(values, top) : bars(values, top);
  return html`<figure class="chart"><figcaption>${chart.title} <b>${wordsOf(chart, values.at(-1))}</b> <span>was ${wordsOf(chart, values.at(-2))}</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path class="axis" d="M0 ${HEIGHT - 0.5}H${WIDTH}"/>${marks}</svg></figure>`;
};

const wordsOf = ({ words }: Chart, value: number | null | undefined): string =>
  value === null || value === undefined ? "unknown" : words(value);

const heightOf = (value: number, top: number): number => (value / top) * (HEIGHT - 4);

const line = (values: readonly (number | null)[], top: number): Markup => {
  const step = WIDTH / (values.length - 1);
  const points = values.flatMap((value, index) =>
    value === null ? [] : [`${(index * step).toFixed(1)} ${(HEIGHT - heightOf(value, top)).toFixed(1)}`],
  );
  return html`<path class="line" d="M${points.join("L")}"/>`;
};

const bars = (values: readonly (number | null)[], top: number): Markup => {
  const step = WIDTH / values.length;
  const bar = (value: number | null, index: number) =>
    value !== null &&
    value > 0 &&
    html`<rect x="${(index * step + step * 0.15).toFixed(1)}" width="${(step * 0.7).toFixed(1)}" y="${(HEIGHT - heightOf(value, top)).toFixed(1)}" height="${heightOf(value, top).toFixed(1)}"/>`;
  return html`${values.map(bar)}`;
};

const table = (history: readonly HistoryPoint[]): Markup => {
  const heads = ["Run", "Outcome", ...CHARTS.map(({ title }) => title)];
  const rows = [...history]
    .reverse()
    .map(
      (point) =>
        html`<tr><th scope="row"><time datetime="${point.startedAt}">${point.startedAt.slice(0, 16).replace("T", " ")}</time></th><td>${OUTCOMES[point.outcome]}</td>${CHARTS.map(
          (chart) => html`<td>${wordsOf(chart, chart.valueOf(point))}</td>`,
        )}</tr>`,
    );
  return html`<details class="runs"><summary>All runs</summary><div class="scrolled" role="region" aria-label="All runs" tabindex="0"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details>`;
};
