/**
 * Reads the examples of a document: what they show, and the contradictions within the document, which are examples that
 * break their own schema, and impossible responses.
 */
import type { OpenApiDocument } from "../documents/document.ts";
import { isObject, type Json } from "../json.ts";
import { getOrInsert } from "../memoize.ts";
import { atPointer, escapeSegment, pointerIn } from "../pointer.ts";
import { mayMatch } from "../schemas/expressions.ts";
import { besides, nodesIn } from "../schemas/schema-visitor.ts";

export interface Contradiction {
  /** The schema that the example breaks, as a JSON pointer in the document, or the response. */
  readonly pointer: string;
  readonly keyword: string;
  /** Where the example is, and what is wrong with it. */
  readonly problem: string;
}

/** @returns also the texts that examples show for a schema without a list of values, by its JSON pointer */
export const readExamples = ({ root }: OpenApiDocument) => {
  const found = new Map<string, Contradiction>();
  const shown = new Map<string, Set<string>>();
  const reading: Reading = {
    root,
    add(one) {
      const key = `${one.pointer} ${one.keyword}`;
      if (!found.has(key)) found.set(key, one);
    },
    show: (pointer, text) => getOrInsert(shown, pointer, () => new Set()).add(text),
  };
  for (const [node, pointer] of nodesIn(root)) visit(reading, node, pointer);
  return { contradictions: [...found.values()], shown };
};

interface Reading {
  readonly root: Json;
  add(found: Contradiction): void;
  show(pointer: string, text: string): void;
}

const visit = (reading: Reading, node: Json, pointer: string): void => {
  for (const [value, { schema, at }] of examplesOf(reading.root, node, pointer))
    check(reading, schema, value, { at, place: "" }, 0);
  const statuses = isObject(node.responses) ? Object.entries(node.responses) : [];
  for (const [status, response] of statuses) {
    if (!EMPTY.includes(status) || !isObject(response) || response.content === undefined) continue;
    const problem = `the status ${status} has no body (RFC 9110), but the document shows one`;
    reading.add({ pointer: `${pointer}/responses/${status}`, keyword: "content", problem });
  }
};

/** Statuses of responses without a body. */
const EMPTY: readonly string[] = ["204", "205", "304"];

/** Returns the examples of a schema, of a parameter or of a media type, with the pointers of schema and example. */
export const examplesOf = (
  root: Json,
  node: Json,
  pointer: string,
): (readonly [unknown, { readonly schema: string; readonly at: string }])[] => {
  const isSchema = ["type", "properties", "items", "allOf"].some((keyword) => node[keyword] !== undefined);
  const schema = isObject(node.schema)
    ? `${pointer}/schema`
    : isSchema && node.in === undefined
      ? pointer
      : undefined;
  if (schema === undefined) return [];
  const named = isObject(node.examples) && node.schema !== undefined ? Object.entries(node.examples) : [];
  return [
    ...("example" in node ? [[node.example, { schema, at: `${pointer}/example` }] as const] : []),
    ...named.flatMap(([name, example]) => {
      const whole = resolved(root, example);
      const at = `${pointer}/examples/${escapeSegment(name)}`;
      return isObject(whole) && "value" in whole ? [[whole.value, { schema, at }] as const] : [];
    }),
  ];
};

/** Returns the component that a reference names, or the node itself. */
const resolved = (root: Json, node: unknown): unknown =>
  isObject(node) && typeof node.$ref === "string" ? atPointer(root, pointerIn(node.$ref)) : node;

const DEEPEST = 30;

/** @param position the example, and the place within it */
const check = (
  reading: Reading,
  pointer: string,
  value: unknown,
  position: { readonly at: string; readonly place: string },
  depth: number,
): void => {
  const schema = atPointer(reading.root, pointer);
  if (!isObject(schema) || depth > DEEPEST) return;
  if (typeof schema.$ref === "string") {
    if (schema.$ref.startsWith("#/")) check(reading, pointerIn(schema.$ref), value, position, depth + 1);
    return;
  }
  // An alternative may allow what the others forbid.
  if (value === null && (schema.nullable === true || schema.type === undefined)) return;
  for (const [, step] of besides(schema, "always"))
    check(reading, `${pointer}${step}`, value, position, depth + 1);
  const broken = brokenKeyword(schema, value);
  if (broken !== undefined) {
    const shown = JSON.stringify(value).slice(0, 60);
    const where = `${position.at}${position.place === "" ? "" : `, ${position.place},`}`;
    reading.add({ pointer, keyword: broken, problem: `the example at ${where} is ${shown}` });
    return;
  }
  if (typeof value === "string" && schema.enum === undefined) reading.show(pointer, value);
  const below = (step: string, inner: unknown, inside: string): void => {
    const place = `${position.place}/${inside}`;
    check(reading, `${pointer}/${step}`, inner, { ...position, place }, depth + 1);
  };
  if (Array.isArray(value)) for (const item of value) below("items", item, "*");
  if (!isObject(value) || !isObject(schema.properties)) return;
  for (const name of Object.keys(schema.properties))
    if (name in value) below(`properties/${escapeSegment(name)}`, value[name], name);
};

const TESTS: Readonly<Record<string, (limit: never, value: unknown) => boolean>> = {
  type: (types: string | string[], value) => [types].flat().some((type) => isOfType(type, value)),
  enum: (values: unknown[], value) => values.some((one) => JSON.stringify(one) === JSON.stringify(value)),
  maxLength: (limit: number, value) => typeof value !== "string" || [...value].length <= limit,
  minLength: (limit: number, value) => typeof value !== "string" || [...value].length >= limit,
  pattern: (pattern: string, value) => typeof value !== "string" || mayMatch(pattern, value),
  maximum: (limit: number, value) => typeof value !== "number" || value <= limit,
  minimum: (limit: number, value) => typeof value !== "number" || value >= limit,
  maxItems: (limit: number, value) => !Array.isArray(value) || value.length <= limit,
  minItems: (limit: number, value) => !Array.isArray(value) || value.length >= limit,
};

const isOfType = (type: string, value: unknown): boolean => {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  return type === "object" ? isObject(value) : typeof value === type;
};

/** Returns the first keyword of the schema that the example breaks. Examples may leave out required fields. */
const brokenKeyword = (schema: Json, value: unknown): string | undefined =>
  Object.keys(TESTS).find((keyword) => {
    if (schema[keyword] === undefined) return false;
    try {
      return TESTS[keyword]?.(schema[keyword] as never, value) === false;
    } catch {
      return false;
    }
  });
