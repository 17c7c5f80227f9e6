/** Reads an OpenAPI document: YAML or JSON, one file or several that refer to each other. */
import { realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, posix, relative, resolve } from "node:path";
import { isObject, type Json } from "../json.ts";
import { atPointer, escapeSegment, percentDecoded, pointerIn } from "../pointer.ts";
import type { FilePlace } from "./checked-file.ts";
import type { OpenApiDocument } from "./document.ts";
import { gitPlaceOf, isInGit } from "./git-source.ts";
import { errorAt } from "./locate.ts";
import { parseSource } from "./parse.ts";
import { readSource, type SourceFile } from "./source-file.ts";

interface OpenFile {
  readonly path: string;
  readonly source: SourceFile;
  readonly value: Json;
}

/** The files of a document. */
interface Files {
  readonly open: (path: string) => OpenFile;
  /** Returns the path that a file names; `undefined` if it leaves the folder of the main file. */
  readonly pathNamed: (target: string, from: string) => string | undefined;
  readonly main: OpenFile;
  /** The contents of other files that were put in, the outer ones first. */
  readonly parts: Pick<Place, "file" | "pointer" | "inRoot">[];
}

/**
 * Reads a document and replaces each `$ref` to another file (`./paths/customers.yaml#/…`) by the content of that file.
 * @param folder contains all files that are read: the folder of the document unless another one is given
 * @throws ContractError naming file, line, pointer and hint
 */
export const readDocument = (
  path: string,
  folder = dirname(path),
): OpenApiDocument & { readonly placeOf: (pointer: string) => FilePlace } => {
  const files = new Map<string, OpenFile>();
  const open = (target: string): OpenFile => {
    const known = files.get(target);
    if (known !== undefined) return known;
    const source = readSource(target);
    const file = { path: target, source, value: parseSource(source) };
    files.set(target, file);
    return file;
  };
  const main = open(isInGit(path) ? path : resolve(path));
  const place = { file: main, pointer: "", inRoot: "", entered: new Map() };
  const parts: Files["parts"] = [place];
  const placeOf = (pointer: string): FilePlace => {
    const isIn = ({ inRoot }: (typeof parts)[number]): boolean => `${pointer}/`.startsWith(`${inRoot}/`);
    const part = parts.findLast(isIn) ?? place;
    return { source: part.file.source, pointer: `${part.pointer}${pointer.slice(part.inRoot.length)}` };
  };
  // A large document of one file is not copied.
  if (!REFERS_TO_FILES.test(main.source.text))
    return { root: main.value, main: main.source, sources: [main.source], placeOf };
  const pathNamed = isInGit(path) ? namedInGit(path) : namedIn(realpathSync(folder));
  const root = inline(main.value, place, { open, pathNamed, main, parts }) as Json;
  return { root, main: main.source, sources: [...files.values()].map(({ source }) => source), placeOf };
};

/** Matches a reference that may name a file. */
const REFERS_TO_FILES = /\$ref["']?\s*:\s*(?!["']?#)\S/;

/** A place in a file, and the place in the whole document where its content is put. */
interface Place {
  readonly file: OpenFile;
  readonly pointer: string;
  readonly inRoot: string;
  /** The places in the whole document of the contents that are being put in, by file and pointer. */
  readonly entered: ReadonlyMap<string, string>;
}

const inline = (node: unknown, place: Place, files: Files): unknown => {
  const below = (key: string | number): Place => ({
    ...place,
    pointer: `${place.pointer}/${escapeSegment(String(key))}`,
    inRoot: `${place.inRoot}/${escapeSegment(String(key))}`,
  });
  if (Array.isArray(node)) return node.map((item, index) => inline(item, below(index), files));
  if (!isObject(node)) return node;
  const { $ref } = node;
  if (typeof $ref === "string" && namesFile($ref, place, files)) return content(node, $ref, place, files);
  const hasNames = NAMES.test(place.pointer);
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key.startsWith("x-") && !hasNames ? value : inline(value, below(key), files),
    ]),
  );
};

/** Whether a reference leads to a file other than the main one. What a part of the document lacks is in the main file. */
const namesFile = (ref: string, { file }: Place, { main }: Files): boolean =>
  !ref.startsWith("#") || (file !== main && atPointer(file.value, pointerIn(ref)) !== undefined);

/** Matches the place of an object whose keys are names. Elsewhere, a key that starts with x- is an extension. */
const NAMES =
  /\/(?:properties|patternProperties|\$defs|schemas|responses|parameters|examples|requestBodies|headers|securitySchemes|links|callbacks|pathItems)$/;

/**
 * Returns the target of a reference to another file. Keywords next to the reference override those in the target. A target
 * that contains the reference stays a reference, to the place where the target is put.
 */
const content = (node: Json, ref: string, place: Place, files: Files): unknown => {
  const { $ref: _, ...siblings } = node;
  const [target = "", encoded = ""] = ref.split("#");
  const fragment = pointerIn(`#${encoded}`);
  const path = target === "" ? place.file.path : fileNamed(target, place, ref, files);
  if (path === files.main.path) return { ...siblings, $ref: `#${encoded}` };
  const key = `${path}#${fragment}`;
  const inRoot = place.entered.get(key);
  if (inRoot !== undefined) return { ...siblings, $ref: `#${encodeURI(inRoot)}` };
  const file = files.open(path);
  const value = atPointer(file.value, fragment);
  if (value === undefined) throw refusedAt(place, `$ref "${ref}" names nothing in the document`);
  const entered = new Map(place.entered).set(key, place.inRoot);
  const inner = { file, pointer: fragment, inRoot: place.inRoot, entered };
  files.parts.push(inner);
  return { ...(inline(value, inner, files) as Json), ...siblings };
};

const HINT = "Correct the reference or add what it names.";

const refusedAt = ({ file, pointer }: Place, problem: string, hint = HINT) =>
  errorAt(file.source, pointer, problem, hint);

/** @throws ContractError for an address, a file outside the folder of the document, or a file that does not exist */
const fileNamed = (target: string, place: Place, ref: string, { pathNamed }: Files): string => {
  if (/^([a-z][a-z\d+.-]+:|\/\/)/i.test(target))
    throw refusedAt(place, `$ref "${ref}" is an address`, "Only files are read: save it and name the file.");
  const name = percentDecoded(target);
  const path = name.includes("\0") ? name : pathNamed(name, place.file.path);
  if (path === undefined)
    throw refusedAt(
      place,
      `$ref "${ref}" leaves the folder of the document`,
      'Move the file into that folder, or write "root: DIR" in assay.config.yaml: the folder of all files.',
    );
  if (!isInGit(path) && !isFile(path)) throw refusedAt(place, `$ref "${ref}" names no file`);
  return path;
};

const isFile = (path: string): boolean =>
  !path.includes("\0") && statSync(path, { throwIfNoEntry: false })?.isFile() === true;

const namedIn =
  (folder: string): Files["pathNamed"] =>
  (target, from) => {
    const path = resolve(dirname(from), target);
    // A symbolic link may lead out of the folder.
    const way = relative(folder, isFile(path) ? realpathSync(path) : path);
    return way.startsWith("..") || isAbsolute(way) ? undefined : path;
  };

const namedInGit =
  (main: string): Files["pathNamed"] =>
  (target, from) => {
    const { revision, path } = gitPlaceOf(from);
    const named = posix.join(posix.dirname(path), target);
    const way = posix.relative(posix.dirname(gitPlaceOf(main).path), named);
    return way.startsWith("..") || target.startsWith("/") ? undefined : `git:${revision}:${named}`;
  };
