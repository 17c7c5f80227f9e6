/** Shows an exchange as it was recorded: what was sent and what came back, with the difference marked. */
import type { RecordedExchange } from "../../helpers/exchange/recorded-exchange.ts";
import { html, type Markup } from "../markup.ts";
import { bodyView, type Sight, sightOf } from "./json-view.ts";
import { breakable } from "./words.ts";

/** @param pointer place of the difference, as a JSON pointer or a header name; empty where nothing is marked */
export const exchangeView = ({ request, response, failure }: RecordedExchange, pointer: string): Markup => {
  const sights = [sightOf(request.body, pointer), sightOf(response?.body, pointer)] as const;
  const best = RANK.find((sight) => sights.includes(sight));
  const pointerIn = (sight: Sight): string => (sight === best ? pointer : "");
  return html`<div class="exchange">
<div class="sent" role="group" aria-label="Sent"><h4>Sent</h4><p class="line"><b>${request.method}</b> <span class="mono">${marked(request.url, pointer)}</span></p>
${headersView(request.headers, pointer)}${bodyBlock("Body sent", request.body, pointerIn(sights[0]))}</div>
<div class="received" role="group" aria-label="Came back"><h4>Came back</h4>${
    response
      ? html`<p class="line"><b>${response.status}</b></p>${headersView(response.headers, pointer)}${bodyBlock("Body that came back", response.body, pointerIn(sights[1]))}`
      : html`<p class="line">nothing: ${failure ?? "no answer"}</p>`
  }</div></div>`;
};

/** A body that has the place itself is a better witness than one that lacks it. */
const RANK: readonly Sight[] = ["there", "lacking"];

/** A query parameter by the name of the pointer. */
const marked = (url: string, name: string): Markup => {
  const [path = "", query] = url.split(/\?(.*)/s);
  if (query === undefined) return breakable(url);
  const pairs = query.split("&").map((pair, index) => {
    const hit = name !== "" && pair.split("=", 1)[0] === name;
    return html`${index > 0 && "&"}<wbr>${hit ? html`<mark>${pair}</mark>` : pair}`;
  });
  return html`${breakable(path)}?${pairs}`;
};

const headersView = (headers: Readonly<Record<string, string>>, pointer: string): Markup => {
  const rows = Object.entries(headers);
  const isHit = (name: string): boolean => name.toLowerCase() === pointer.toLowerCase();
  return html`<details class="headers" ${rows.some(([name]) => isHit(name)) && "open"}><summary>${rows.length} headers</summary><dl>${rows.map(
    ([name, value]) =>
      html`<div><dt>${name}</dt><dd>${isHit(name) ? html`<mark>${value}</mark>` : value}</dd></div>`,
  )}</dl></details>`;
};

const bodyBlock = (label: string, body: string | undefined, pointer: string): Markup =>
  body === undefined || body === ""
    ? html`<p class="empty">no body</p>`
    : html`<pre tabindex="0" role="group" aria-label="${label}"><code>${bodyView(body, pointer)}</code></pre>`;
