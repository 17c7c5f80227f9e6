/** The page of a recording: exercises, findings and the certificate so far, live by server-sent events. */
import type { ServerResponse } from "node:http";
import { html } from "../../../reports/render/markup.ts";
import type { CallerJudgeOptions } from "../judging/judge.ts";
import { CONTROL_PATH, type Control } from "./control.ts";
import type { ExerciseLine } from "./exercises.ts";

export const PAGE_PATH = `${CONTROL_PATH}page`;
const EVENTS_PATH = `${CONTROL_PATH}events`;
const CERTIFICATE_PATH = `${CONTROL_PATH}certificate`;

const INTERVAL_MS = 250;
const CERTIFICATE_INTERVAL_MS = 1_000;
const FINDINGS_SHOWN = 100;

/** @param sources the state of the exercises, and the certificate of what was judged so far */
export const createPage = (sources: { exercises(): readonly ExerciseLine[]; certificate(): string }) => {
  const findings: { requirement: string; verdict: string; message: string }[] = [];
  const readers = new Set<ServerResponse>();
  let exchanges = 0;
  let isPlanned = false;
  const event = (): string =>
    `data: ${JSON.stringify({ exchanges, findings, exercises: sources.exercises() })}\n\n`;
  const plan = (): void => {
    if (isPlanned || readers.size === 0) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      for (const reader of readers) reader.write(event());
    }, INTERVAL_MS).unref();
  };
  const found: NonNullable<CallerJudgeOptions["onFinding"]> = (requirement, verdict, { message }) => {
    if (findings.length < FINDINGS_SHOWN) findings.push({ requirement, verdict, message });
    plan();
  };
  const addresses: Readonly<Record<string, Control>> = {
    [PAGE_PATH]: (_, outgoing) => send(outgoing, PAGE),
    [CERTIFICATE_PATH]: (_, outgoing) => send(outgoing, sources.certificate()),
    [EVENTS_PATH]: (_, outgoing) => {
      outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      outgoing.write(event());
      readers.add(outgoing);
      outgoing.once("close", () => readers.delete(outgoing));
    },
  };
  return {
    addresses,
    found,
    judged(): void {
      exchanges += 1;
      plan();
    },
  };
};

const send = (outgoing: ServerResponse, page: string): void => {
  outgoing
    .writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" })
    .end(page);
};

const PAGE = html`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Recording</title>
<meta name="viewport" content="width=device-width">
<style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}iframe{width:100%;height:80vh;border:1px solid #888}td,th{padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top}</style>
<h1>Recording</h1>
<p><output id="exchanges">0</output> exchanges</p>
<h2>Findings</h2><table><tbody id="findings"></tbody></table>
<h2>Exercises</h2><table><tbody id="exercises"></tbody></table>
<h2><a href="${CERTIFICATE_PATH}">Certificate so far</a></h2>
<iframe id="certificate" title="Certificate so far" src="${CERTIFICATE_PATH}"></iframe>
<script>
const rows = (id, lines) => document.getElementById(id).replaceChildren(...lines.map((cells) => {
  const row = document.createElement("tr");
  for (const text of cells) row.insertCell().textContent = text;
  return row;
}));
// The certificate is loaded again when something was judged, but not for each exchange.
let shown = 0, known = 0;
setInterval(() => {
  if (shown === known) return;
  shown = known;
  document.getElementById("certificate").contentWindow.location.reload();
}, ${CERTIFICATE_INTERVAL_MS});
new EventSource("${EVENTS_PATH}").onmessage = ({ data }) => {
  const { exchanges, findings, exercises } = JSON.parse(data);
  known = exchanges;
  document.getElementById("exchanges").textContent = exchanges;
  rows("findings", findings.map(({ verdict, requirement, message }) => [verdict, requirement, message]));
  rows("exercises", exercises.map(({ id, state, ask }) => [state, id, state === "waiting" ? ask : ""]));
};
</script>
</html>
`.markup;
