/** Renders a recorded exchange: the request and the response, with the difference marked. */
import { segmentsOf } from "../../../helpers/contract/pointer.ts";
import type { RecordedExchange } from "../../../helpers/exchange/exchange.ts";
import { counted } from "../../text.ts";
import { html, type Markup } from "../markup.ts";
import { breakable } from "./words.ts";

/** @param pointer the place to mark: a JSON pointer, a header or a query parameter; empty for none */
export const exchangeView = ({ request, response, failure }: RecordedExchange, pointer: string): Markup => {
  const sights = [sightOf(request.body, pointer), sightOf(response?.body, pointer)] as const;
  const best = RANK.find((sight) => sights.includes(sight));
  const pointerIn = (sight: Sight): string => (sight === best ? pointer : "");
  return html`<div class="exchange">
<div class="sent" role="group" aria-label="Sent"><h4>Sent</h4><p class="line"><b>${request.method}</b> <span class="mono">${marked(request.url, pointer)}</span></p>
${headersView(request.headers, pointer)}${bodyBlock("Body sent", request.body, pointerIn(sights[0]))}</div>
<div class="received" role="group" aria-label="Received"><h4>Received</h4>${
    response
      ? html`<p class="line"><b>${response.status}</b></p>${headersView(response.headers, pointer)}${bodyBlock("Body received", response.body, pointerIn(sights[1]))}`
      : html`<p class="line">nothing: ${failure ?? "no answer"}</p>`
  }</div></div>`;
};

/** Prefers to mark a body that contains the place. Marks a body without the place only if no body contains it. */
const RANK: readonly Sight[] = ["there", "lacking"];

/** Marks the query parameter with this name. */
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
  return html`<details class="headers" ${rows.some(([name]) => isHit(name)) && "open"}><summary>${counted(rows.length, "header")}</summary><dl>${rows.map(
    ([name, value]) =>
      html`<div><dt>${name}</dt><dd>${isHit(name) ? html`<mark>${value}</mark>` : value}</dd></div>`,
  )}</dl></details>`;
};

const bodyBlock = (label: string, body: string | undefined, pointer: string): Markup =>
  body === undefined || body === ""
    ? html`<p class="empty">no body</p>`
    : html`<pre tabindex="0" role="group" aria-label="${label}"><code>${bodyView(body, pointer)}</code></pre>`;

/** How a body shows the place: the value is there, or it is missing from its object. */
type Sight = "there" | "lacking" | "none";

/** @param pointer JSON pointer; for the whole body (`""`) nothing is marked */
const sightOf = (body: string | undefined, pointer: string): Sight => {
  const source = body === undefined ? undefined : sourceOf(body);
  const tokens = tokensOf(pointer);
  return source === undefined || tokens.length === 0 ? "none" : follow(source, tokens);
};

/** Renders a body with the place marked. A body that is cut or not JSON is shown unchanged. */
export const bodyView = (body: string, pointer: string): Markup => {
  const source = sourceOf(body);
  if (source === undefined) return html`${body}`;
  const tokens = tokensOf(pointer);
  return written(source, tokens.length > 0 && follow(source, tokens) !== "none" ? tokens : null, "");
};

/** JSON as it was written, which preserves long numbers and duplicate names. */
type JsonText = string | { readonly brackets: "[]" | "{}"; readonly members: readonly Member[] };

interface Member {
  /** The name as written, with quotes; empty in a list. */
  readonly label: string;
  readonly name: string;
  readonly value: JsonText;
}

/** @returns `undefined` for a text that is not JSON */
const sourceOf = (text: string): JsonText | undefined => {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let at = 0;
  const next = (): string => tokens[at++] ?? "";
  const read = (): JsonText => {
    const first = next();
    if (first !== "{" && first !== "[") return first;
    const brackets = first === "{" ? "{}" : "[]";
    const members: Member[] = [];
    while (tokens[at] !== brackets[1]) {
      if (tokens[at] === ",") next();
      const label = brackets === "{}" ? `${next()}${next()} ` : "";
      members.push({ label, name: label && JSON.parse(label.slice(0, -2)), value: read() });
    }
    next();
    return { brackets, members };
  };
  return read();
};

/** Splits a JSON pointer (RFC 6901), up to a `*` for any item. Other texts, such as a header name, have no tokens. */
const tokensOf = (pointer: string): string[] => {
  if (!pointer.startsWith("/")) return [];
  const [known = ""] = pointer.split(/\/\*(?=\/|$)/);
  return segmentsOf(known);
};

const childOf = (source: JsonText, token: string): Member | undefined => {
  if (typeof source === "string") return undefined;
  const { brackets, members } = source;
  return brackets === "[]" ? members[Number(token)] : members.findLast(({ name }) => name === token);
};

const follow = (source: JsonText, [token, ...rest]: readonly string[]): Sight => {
  if (token === undefined) return "there";
  const child = childOf(source, token);
  if (child !== undefined) return follow(child.value, rest);
  return rest.length === 0 && typeof source !== "string" && source.brackets === "{}" ? "lacking" : "none";
};

/** @param path the remaining path to the marked place; `null` when the place is elsewhere */
const written = (source: JsonText, path: readonly string[] | null, indent: string): Markup => {
  if (path?.length === 0) return html`<mark>${written(source, null, indent)}</mark>`;
  if (typeof source === "string") return html`${source}`;
  const [next, ...rest] = path ?? [];
  const child = next === undefined ? undefined : childOf(source, next);
  const inner = `${indent}  `;
  const lines = source.members.map(
    (member) => html`${inner}${member.label}${written(member.value, member === child ? rest : null, inner)}`,
  );
  if (next !== undefined && child === undefined) {
    lines.push(html`${inner}<mark class="lacking">${JSON.stringify(next)} is not there</mark>`);
  }
  if (lines.length === 0) return html`${source.brackets}`;
  const [open, close] = source.brackets;
  return html`${open}\n${lines.map((line, index) => html`${index > 0 && ",\n"}${line}`)}\n${indent}${close}`;
};
