/** Writes a body down with the place of a difference marked. */
import { type Html, html } from "./html.ts";
import { type JsonSource, readJsonSource } from "./json-source.ts";

/** How exactly a body shows the place: the value itself, or that it lacks in what should hold it. */
export type Sight = "there" | "lacking" | "none";

/** @param pointer JSON pointer; of the whole body (`""`) nothing stands out */
export const sightOf = (body: string | undefined, pointer: string): Sight => {
  const source = body === undefined ? undefined : readJsonSource(body);
  const tokens = tokensOf(pointer);
  return source === undefined || tokens.length === 0 ? "none" : follow(source, tokens);
};

/** What is no JSON, or was cut, is shown as it is. */
export const bodyView = (body: string, pointer: string): Html => {
  const source = readJsonSource(body);
  if (source === undefined) return html`${body}`;
  const tokens = tokensOf(pointer);
  return written(source, tokens.length > 0 && follow(source, tokens) !== "none" ? tokens : null, "");
};

/** RFC 6901; what is no pointer, such as the name of a header, has no tokens. `*` is any item: the list is shown. */
const tokensOf = (pointer: string): string[] => {
  if (!pointer.startsWith("/")) return [];
  const tokens = pointer.slice(1).split("/");
  const any = tokens.indexOf("*");
  const known = any === -1 ? tokens : tokens.slice(0, any);
  return known.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
};

const childOf = (source: JsonSource, token: string): JsonSource | undefined => {
  if (source.kind === "object") return source.members.findLast(({ name }) => name === token)?.value;
  return source.kind === "list" ? source.items[Number(token)] : undefined;
};

const follow = (source: JsonSource, [token, ...rest]: readonly string[]): Sight => {
  if (token === undefined) return "there";
  const child = childOf(source, token);
  if (child !== undefined) return follow(child, rest);
  return rest.length === 0 && source.kind === "object" ? "lacking" : "none";
};

const STEP = "  ";

/** @param path what is left of the way to the marked place; `null` where it lies elsewhere */
const written = (source: JsonSource, path: readonly string[] | null, indent: string): Html => {
  if (path?.length === 0) return html`<mark>${written(source, null, indent)}</mark>`;
  if (source.kind === "scalar") return html`${source.text}`;
  const [next, ...rest] = path ?? [];
  const child = next === undefined ? undefined : childOf(source, next);
  const inner = indent + STEP;
  const way = (value: JsonSource): readonly string[] | null => (value === child ? rest : null);
  const lines =
    source.kind === "list"
      ? source.items.map((item) => html`${inner}${written(item, way(item), inner)}`)
      : source.members.map(
          ({ label, value }) => html`${inner}${label}: ${written(value, way(value), inner)}`,
        );
  if (next !== undefined && child === undefined) {
    lines.push(html`${inner}<mark class="lacking">${JSON.stringify(next)} is not there</mark>`);
  }
  const [open, close] = source.kind === "list" ? "[]" : "{}";
  if (lines.length === 0) return html`${open}${close}`;
  return html`${open}\n${lines.map((line, index) => html`${index > 0 && ",\n"}${line}`)}\n${indent}${close}`;
};
