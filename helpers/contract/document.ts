/** Reads an OpenAPI document: YAML or JSON, one file or several that refer to each other. */

import { dirname, resolve } from "node:path";
import { type Document, isCollection, isMap, LineCounter, parseDocument } from "yaml";
import { isObject, type Json } from "./json.ts";
import { atPointer, escapeSegment, pointerIn, segmentsOf } from "./pointer.ts";
import { ContractError, readSource, type SourceFile } from "./source-file.ts";

/**
 * Parses one file.
 * @throws ContractError with line and column when the file is not YAML or JSON, or is not an object
 */
export const parseSource = (source: SourceFile): Json => {
  const lines = new LineCounter();
  const parsed = parseDocument(source.text, { lineCounter: lines, prettyErrors: false });
  const [error] = parsed.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    const problem = error.message.replace(/\.?$/, ".");
    throw new ContractError(
      `${source.name}:${line}:${col}: ${problem} Correct the syntax there; the file must be YAML or JSON.`,
    );
  }
  const value: unknown = parsed.toJS({ maxAliasCount: -1 });
  if (!isObject(value)) {
    throw new ContractError(`${source.name}:1:1: the document must be an object, as in OpenAPI.`);
  }
  return value;
};

/** Returns the error for a place in a file, with the line of the nearest existing parent of the pointer. */
export const errorAt = (
  source: SourceFile,
  pointer: string,
  problem: string,
  hint: string,
): ContractError => {
  const lines = new LineCounter();
  const parsed = parseDocument(source.text, { lineCounter: lines });
  const offset = offsetOf(parsed, pointer);
  const { line, col } = lines.linePos(offset);
  return new ContractError(`${source.name}:${line}:${col} (${pointer || "top"}): ${problem}. ${hint}`);
};

const offsetOf = (parsed: Document, pointer: string): number => {
  const segments = segmentsOf(pointer);
  for (let depth = segments.length; depth > 0; depth--) {
    const parent = depth === 1 ? parsed.contents : parsed.getIn(segments.slice(0, depth - 1), true);
    if (!isCollection(parent)) continue;
    const name = segments[depth - 1];
    const node = isMap(parent)
      ? parent.items.find((item) => String(item.key) === name)?.key
      : parent.items[Number(name)];
    const range = (node as { range?: [number, number, number] } | undefined)?.range;
    if (range) return range[0];
  }
  return 0;
};

export interface OpenApiDocument {
  readonly root: Json;
  readonly main: SourceFile;
  /** All files of the document, the main one first. */
  readonly sources: readonly SourceFile[];
}

const ASK = "Correct it there, or ask whoever publishes the document.";

/** Returns the error for a place of a document that a third party may publish. */
export const wrongAt = (
  { main }: OpenApiDocument,
  pointer: string,
  problem: string,
  hint = ASK,
): ContractError => errorAt(main, pointer, problem, hint);

/** @throws ContractError naming line and pointer */
export const objectAt = (document: OpenApiDocument, value: unknown, pointer: string, hint = ASK): Json => {
  if (isObject(value)) return value;
  throw wrongAt(document, pointer, "an object is needed here", hint);
};

/**
 * Returns the target of a reference in the document.
 * @param entered references that were followed before
 * @throws ContractError naming line and pointer of a reference that has no target or refers to itself
 */
export const followed = (
  document: OpenApiDocument,
  ref: string,
  pointer: string,
  entered: readonly string[],
  hint = ASK,
): unknown => {
  const target = ref.startsWith("#") ? atPointer(document.root, pointerIn(ref)) : undefined;
  if (target === undefined)
    throw wrongAt(document, pointer, `$ref "${ref}" names nothing in the document`, hint);
  if (entered.includes(ref)) throw wrongAt(document, pointer, `$ref "${ref}" refers to itself`, hint);
  return target;
};

interface OpenFile {
  readonly path: string;
  readonly source: SourceFile;
  readonly value: Json;
}

/**
 * Reads a document and replaces each `$ref` to another file (`./paths/customers.yaml#/…`) by the content of that file.
 * @throws ContractError naming file, line, pointer and hint
 */
export const readDocument = (path: string): OpenApiDocument => {
  const files = new Map<string, OpenFile>();
  const open = (target: string): OpenFile => {
    const known = files.get(target);
    if (known !== undefined) return known;
    const source = readSource(target);
    const file = { path: target, source, value: parseSource(source) };
    files.set(target, file);
    return file;
  };
  const main = open(path);
  const root = inline(main.value, main, "", open) as Json;
  return { root, main: main.source, sources: [...files.values()].map(({ source }) => source) };
};

const inline = (
  node: unknown,
  file: OpenFile,
  pointer: string,
  open: (path: string) => OpenFile,
): unknown => {
  if (Array.isArray(node)) return node.map((item, index) => inline(item, file, `${pointer}/${index}`, open));
  if (typeof node !== "object" || node === null) return node;
  const { $ref } = node as Json;
  if (typeof $ref === "string" && !$ref.startsWith("#")) return content(node as Json, file, pointer, open);
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      inline(value, file, `${pointer}/${escapeSegment(key)}`, open),
    ]),
  );
};

/** Returns the target of a reference to another file. Keywords next to the reference override those in the target. */
const content = (node: Json, file: OpenFile, pointer: string, open: (path: string) => OpenFile): unknown => {
  const { $ref, ...siblings } = node;
  const [target = "", encoded = ""] = String($ref).split("#");
  const fragment = pointerIn(`#${encoded}`);
  const other = open(resolve(dirname(file.path), target));
  const value = atPointer(other.value, fragment);
  if (value === undefined) {
    const hint = "Correct the reference or add what it names.";
    throw errorAt(file.source, pointer, `$ref "${$ref}" names nothing in the document`, hint);
  }
  return { ...(inline(value, other, fragment, open) as Json), ...siblings };
};
