/** Reads the files of a document, and follows references between them (RFC 3986, RFC 6901). */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A place in a file. */
export interface Node {
  readonly file: string;
  readonly value: unknown;
}

export interface Files {
  /** Returns what a node refers to, through any number of references; the node itself if it is not a reference. */
  target(node: Node): Node;
  /** Returns the file and the pointer of a reference, as one text. */
  keyOf(reference: string, file: string): string;
}

export const openFiles = (): Files => {
  const known = new Map<string, unknown>();
  const load = (file: string): unknown => {
    if (!known.has(file))
      known.set(file, parse(readFileSync(file, "utf8"), { merge: true, maxAliasCount: -1 }));
    return known.get(file);
  };
  const splitOf = (reference: string, file: string): [path: string, pointer: string] => {
    const [path = "", pointer = ""] = reference.split("#");
    return [
      path === "" ? file : resolve(dirname(file), decodeURIComponent(path)),
      decodeURIComponent(pointer),
    ];
  };
  const followed = (reference: string, file: string): Node => {
    const [path, pointer] = splitOf(reference, file);
    const steps = pointer
      .split("/")
      .slice(1)
      .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
    const value = steps.reduce<unknown>((node, step) => (node as Json)[step], load(path));
    return { file: path, value };
  };
  const target = (node: Node): Node =>
    isObject(node.value) && typeof node.value.$ref === "string"
      ? target(followed(node.value.$ref, node.file))
      : node;
  return { target, keyOf: (reference, file) => splitOf(reference, file).join("#") };
};
