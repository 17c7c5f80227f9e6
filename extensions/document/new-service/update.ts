/** Updates a file from the next version of a document. Where a person changed it, the file stays as it is. */
import { isDeepStrictEqual } from "node:util";
import { type Document, parseDocument } from "yaml";
import { isObject, type Json } from "../../../helpers/contract/json.ts";

/**
 * @param texts the texts that were written before, that a person left, and that the document gives now
 * @param kept gets the places that a person and the document both changed, each in another way
 */
export const updated = (
  path: string,
  { base, own, next }: Readonly<Record<"base" | "own" | "next", string>>,
  kept: string[],
): string => {
  if (own === base || own === next) return next;
  if (next === base) return own;
  if (!path.endsWith(".yaml")) {
    kept.push(path);
    return own;
  }
  const document = parseDocument(own);
  const keep = (at: readonly Step[]): void => void kept.push(`${path} ${at.join(" ")}`);
  follow({ document, keep }, [], parsed(base), parsed(next));
  return document.toString({ lineWidth: 0 });
};

type Step = string | number;

interface Update {
  readonly document: Document;
  keep(at: readonly Step[]): void;
}

const parsed = (text: string): unknown => parseDocument(text).toJS();

/** Makes the change from `base` to `next` at a place, except where a person changed what the document changes. */
const follow = (update: Update, at: readonly Step[], base: unknown, next: unknown): void => {
  const { document } = update;
  if (isDeepStrictEqual(base, next)) return;
  const own = valueAt(document, at);
  if (isObject(base) && isObject(next) && isObject(own)) {
    for (const name of new Set([...Object.keys(base), ...Object.keys(next)]))
      follow(update, [...at, name], (base as Json)[name], (next as Json)[name]);
  } else if (isDeepStrictEqual(own, base)) {
    if (next === undefined) document.deleteIn(at);
    else document.setIn(at, document.createNode(next));
  } else if (areRows(base) && areRows(next) && areRows(own)) followRows(update, at, base, next);
  else if (!isDeepStrictEqual(own, next)) update.keep(at);
};

const valueAt = (document: Document, at: readonly Step[]): unknown => {
  const node = at.length === 0 ? document.contents : document.getIn(at, true);
  return (node as { toJS?(document: Document): unknown } | undefined)?.toJS?.(document);
};

/** Returns what names an item of a list: its id, or the place and the name of a parameter. */
const keyOf = ({ id, in: place, name }: Json): string | undefined =>
  id === undefined && name === undefined ? undefined : String(id ?? `${place} ${name}`);

const areRows = (value: unknown): value is Json[] =>
  Array.isArray(value) && value.every((row) => isObject(row) && keyOf(row as Json) !== undefined);

const followRows = (
  update: Update,
  at: readonly Step[],
  base: readonly Json[],
  next: readonly Json[],
): void => {
  const { document } = update;
  const rowOf = (rows: readonly Json[], key: string | undefined) => rows.find((row) => keyOf(row) === key);
  for (const key of new Set([...base, ...next].map(keyOf))) {
    const own = valueAt(document, at) as Json[];
    const index = own.findIndex((row) => keyOf(row) === key);
    const [before, after] = [rowOf(base, key), rowOf(next, key)];
    if (index >= 0) follow(update, [...at, index], before, after);
    else if (before === undefined) document.addIn(at, document.createNode(after));
    else if (after !== undefined && !isDeepStrictEqual(before, after)) update.keep([...at, String(key)]);
  }
};
