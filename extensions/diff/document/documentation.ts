/** Counts differences that affect no message: texts, examples, tags and extensions. */
import { canonical, isObject, type Json } from "../../../helpers/contract/json.ts";
import { escapeSegment } from "../../../helpers/contract/pointer.ts";
import { DATA_KEYWORDS, DOCUMENTATION, NAMED } from "../../../helpers/contract/schemas/keywords.ts";

const isDocumentation = (key: string): boolean => DOCUMENTATION.has(key) || key.startsWith("x-");

/** Counts texts that were added, removed or changed on elements that both documents have. */
export const countDocumentation = (base: Json, revision: Json): number => {
  const [before, after] = [textsOf(base), textsOf(revision)];
  return [...new Set([...before.texts.keys(), ...after.texts.keys()])].filter((pointer) => {
    const parent = pointer.slice(0, pointer.lastIndexOf("/"));
    const spoken = before.places.has(parent) && after.places.has(parent);
    return spoken && before.texts.get(pointer) !== after.texts.get(pointer);
  }).length;
};

interface Texts {
  readonly texts: Map<string, string>;
  readonly places: Set<string>;
}

const textsOf = (root: Json): Texts => {
  const found: Texts = { texts: new Map(), places: new Set() };
  collect(root, "", false, found);
  return found;
};

const collect = (node: unknown, pointer: string, named: boolean, found: Texts): void => {
  if (Array.isArray(node))
    for (const [index, item] of node.entries())
      collect(item, `${pointer}/${identity(item, index)}`, false, found);
  if (!isObject(node)) return;
  found.places.add(pointer);
  for (const [key, value] of Object.entries(node)) {
    const inner = `${pointer}/${escapeSegment(key)}`;
    const isKeyword = !named;
    if (isKeyword && isDocumentation(key)) found.texts.set(inner, canonical(value));
    else if (!(isKeyword && DATA_KEYWORDS.has(key)))
      collect(value, inner, isKeyword && NAMED.has(key) && isObject(value), found);
  }
};

/** Identifies parameters, tags and servers by name, so that their order does not matter. */
const identity = (item: unknown, index: number): string => {
  if (!isObject(item)) return String(index);
  const label = item.$ref ?? (item.name === undefined ? item.url : `${item.in} ${item.name}`);
  return typeof label === "string" ? escapeSegment(label) : String(index);
};

/** Returns the node without its documentation. */
export const withoutDocumentation = (node: unknown, named = false): unknown => {
  if (Array.isArray(node)) return node.map((item) => withoutDocumentation(item));
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => named || !isDocumentation(key))
      .map(([key, value]) => [
        key,
        !named && DATA_KEYWORDS.has(key)
          ? value
          : withoutDocumentation(value, !named && NAMED.has(key) && isObject(value)),
      ]),
  );
};
