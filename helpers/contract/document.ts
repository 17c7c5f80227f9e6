/** Reads an OpenAPI document: YAML or JSON, one file or several that refer to each other. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { type Document, isCollection, isMap, LineCounter, parseDocument } from "yaml";

export type Json = Record<string, unknown>;

/** A contract that cannot be used; the message names file, place and what to do. */
export class ContractError extends Error {
  override readonly name = "ContractError";
}

export interface SourceFile {
  /** Path relative to the working directory, or absolute when it lies elsewhere. */
  readonly name: string;
  readonly text: string;
}

/** @throws ContractError when there is no such file */
export const readSource = (path: string): SourceFile => {
  const near = relative(process.cwd(), path);
  const name = near === "" || near.startsWith("..") ? path : near;
  try {
    return { name, text: readFileSync(path, "utf8") };
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : String(error);
    throw new ContractError(`${name}: ${reason}. Give the path of an OpenAPI document (YAML or JSON).`);
  }
};

export const digestOf = (texts: readonly string[]): string => {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text).update("\0");
  return `sha256-${hash.digest("hex")}`;
};

/**
 * Parses one file.
 * @throws ContractError with line and column when it is neither YAML nor JSON, or not an object
 */
export const parseSource = (source: SourceFile): Json => {
  const lines = new LineCounter();
  const parsed = parseDocument(source.text, { lineCounter: lines, prettyErrors: false });
  const [error] = parsed.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    const problem = error.message.replace(/\.?$/, ".");
    throw new ContractError(
      `${source.name}:${line}:${col}: ${problem} Mend the syntax there; the file must be YAML or JSON.`,
    );
  }
  const value: unknown = parsed.toJS({ maxAliasCount: -1 });
  if (!isObject(value)) {
    throw new ContractError(`${source.name}:1:1: an object is needed at the top, as in an OpenAPI document.`);
  }
  return value;
};

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The error for a place inside a file: adds the line at which the nearest existing parent of the pointer stands. */
export const errorAt = (
  source: SourceFile,
  pointer: string,
  problem: string,
  mend: string,
): ContractError => {
  const lines = new LineCounter();
  const parsed = parseDocument(source.text, { lineCounter: lines });
  const offset = offsetOf(parsed, pointer);
  const { line, col } = lines.linePos(offset);
  return new ContractError(`${source.name}:${line}:${col} (${pointer || "top"}): ${problem}. ${mend}`);
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

export const segmentsOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((segment) => decoded(segment).replaceAll("~1", "/").replaceAll("~0", "~"));

/** In a reference a pointer is percent-encoded (RFC 6901, 6); a stray per cent sign stands for itself. */
const decoded = (segment: string): string => {
  try {
    return segment.includes("%") ? decodeURIComponent(segment) : segment;
  } catch {
    return segment;
  }
};

export const escapeSegment = (segment: string): string => segment.replaceAll("~", "~0").replaceAll("/", "~1");

/** The value at a JSON pointer (RFC 6901), or `undefined`. */
export const atPointer = (value: unknown, pointer: string): unknown =>
  segmentsOf(pointer).reduce<unknown>(
    (node, segment) =>
      typeof node === "object" && node !== null && Object.hasOwn(node, segment)
        ? (node as Json)[segment]
        : undefined,
    value,
  );

export interface OpenApiDocument {
  readonly root: Json;
  readonly main: SourceFile;
  /** All files it was read from, the main one first. */
  readonly sources: readonly SourceFile[];
}

interface OpenFile {
  readonly path: string;
  readonly source: SourceFile;
  readonly value: Json;
}

/**
 * Reads a document and puts the content of other files in place of `$ref`s to them (`./paths/customers.yaml#/…`).
 * @throws ContractError naming file, line, pointer and mend
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

/** What a reference to another file names; keywords beside the reference win. */
const content = (node: Json, file: OpenFile, pointer: string, open: (path: string) => OpenFile): unknown => {
  const { $ref, ...siblings } = node;
  const [target = "", fragment = ""] = String($ref).split("#");
  const other = open(resolve(dirname(file.path), target));
  const value = atPointer(other.value, fragment);
  if (value === undefined) {
    const mend = "Mend the reference or add what it names.";
    throw errorAt(file.source, pointer, `$ref "${$ref}" leads nowhere`, mend);
  }
  return { ...(inline(value, other, fragment, open) as Json), ...siblings };
};
