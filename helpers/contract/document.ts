/** Reads an OpenAPI document: YAML or JSON, one file or several that refer to each other. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { type Document, isMap, LineCounter, parseDocument } from "yaml";

export type Json = Record<string, unknown>;

/** A contract that cannot be used; the message names file, place and what to do. */
export class ContractError extends Error {
  override readonly name = "ContractError";
}

export interface SourceFile {
  /** Path as the user wrote it, or relative to the working directory. */
  readonly name: string;
  readonly text: string;
}

export const readSource = async (path: string): Promise<SourceFile> => {
  const name = relative(process.cwd(), path) || path;
  try {
    return { name, text: await readFile(path, "utf8") };
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
    throw new ContractError(
      `${source.name}:${line}:${col}: ${error.message}. Mend the syntax there; the file must be YAML or JSON.`,
    );
  }
  const value: unknown = parsed.toJS({ maxAliasCount: -1 });
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ContractError(`${source.name}:1:1: an object is needed at the top, as in an OpenAPI document.`);
  }
  return value as Json;
};

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
    if (!isMap(parent)) continue;
    const pair = parent.items.find((item) => String(item.key) === segments[depth - 1]);
    const range = (pair?.key as { range?: [number, number, number] } | undefined)?.range;
    if (range) return range[0];
  }
  return 0;
};

export const segmentsOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((segment) => decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~"));

/** The value at a JSON pointer (RFC 6901), or `undefined`. */
export const atPointer = (value: unknown, pointer: string): unknown =>
  segmentsOf(pointer).reduce<unknown>(
    (node, segment) => (typeof node === "object" && node !== null ? (node as Json)[segment] : undefined),
    value,
  );

export interface OpenApiDocument {
  readonly root: Json;
  readonly main: SourceFile;
  /** All files it was read from, the main one first. */
  readonly sources: readonly SourceFile[];
}

/** Reads a document and puts the content of other files in place of `$ref`s to them (`./paths/customers.yaml#/…`). */
export const readDocument = async (path: string): Promise<OpenApiDocument> => {
  const main = await readSource(path);
  const files = new Map<string, { source: SourceFile; value: Json }>();
  const root = parseSource(main);
  files.set(path, { source: main, value: root });

  const open = async (file: string) => {
    const known = files.get(file);
    if (known) return known;
    const source = await readSource(file);
    const entry = { source, value: parseSource(source) };
    files.set(file, entry);
    return entry;
  };

  const inline = async (node: unknown, file: string, pointer: string): Promise<unknown> => {
    if (Array.isArray(node)) {
      return Promise.all(node.map((item, index) => inline(item, file, `${pointer}/${index}`)));
    }
    if (typeof node !== "object" || node === null) return node;
    const { $ref, ...siblings } = node as Json;
    if (typeof $ref === "string" && !$ref.startsWith("#")) {
      const [target = "", fragment = ""] = $ref.split("#");
      const entry = await open(resolve(dirname(file), target));
      const value = atPointer(entry.value, fragment);
      if (value === undefined) {
        const source = files.get(file)?.source ?? main;
        throw errorAt(
          source,
          pointer,
          `$ref "${$ref}" leads nowhere`,
          "Mend the reference or add what it names.",
        );
      }
      const resolved = await inline(value, resolve(dirname(file), target), fragment);
      return { ...(resolved as Json), ...siblings };
    }
    const entries = await Promise.all(
      Object.entries(node).map(async ([key, value]) => [
        key,
        await inline(value, file, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
      ]),
    );
    return Object.fromEntries(entries) as Json;
  };

  const resolved = (await inline(root, path, "")) as Json;
  return { root: resolved, main, sources: [...files.values()].map(({ source }) => source) };
};
