/** Finds contradictions within one document: examples that break their own schema, and impossible responses. */
import type { OpenApiDocument } from "./document.ts";
import { mayMatch } from "./expressions.ts";
import { isObject, type Json } from "./json.ts";
import { DATA_KEYWORDS } from "./keywords.ts";
import { atPointer, escapeSegment, pointerIn } from "./pointer.ts";
import { besides } from "./schema-visitor.ts";

export interface Contradiction {
  /** The schema that the example breaks, as a JSON pointer in the document, or the response. */
  readonly pointer: string;
  readonly keyword: string;
  /** Where the example is, and what is wrong with it. */
  readonly problem: string;
}

export const contradictionsIn = ({ root }: OpenApiDocument): readonly Contradiction[] => {
  const found = new Map<string, Contradiction>();
  const add = (one: Contradiction): void => {
    const key = `${one.pointer} ${one.keyword}`;
    if (!found.has(key)) found.set(key, one);
  };
  visit(root, root, "", add);
  return [...found.values()];
};

const visit = (root: Json, node: unknown, pointer: string, add: (found: Contradiction) => void): void => {
  if (Array.isArray(node))
    for (const [index, item] of node.entries()) visit(root, item, `${pointer}/${index}`, add);
  if (!isObject(node)) return;
  for (const [value, { schema, at }] of examplesOf(root, node, pointer))
    check(root, schema, value, { at, place: "" }, 0, add);
  const statuses = isObject(node.responses) ? Object.entries(node.responses) : [];
  for (const [status, response] of statuses) {
    if (!EMPTY.includes(status) || !isObject(response) || response.content === undefined) continue;
    const problem = `the status ${status} has no body (RFC 9110), but the document shows one`;
    add({ pointer: `${pointer}/responses/${status}`, keyword: "content", problem });
  }
  for (const [key, value] of Object.entries(node))
    if (!DATA_KEYWORDS.has(key) || pointer.endsWith("/properties"))
      visit(root, value, `${pointer}/${escapeSegment(key)}`, add);
};

/** Statuses of responses without a body. */
const EMPTY: readonly string[] = ["204", "205", "304"];

/** Returns the examples of a schema, of a parameter or of a media type, with the pointers of schema and example. */
const examplesOf = (
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

const resolved = (root: Json, node: unknown): unknown =>
  isObject(node) && typeof node.$ref === "string" ? atPointer(root, pointerIn(node.$ref)) : node;

const DEEPEST = 30;

/** @param position the example, and the place within it */
const check = (
  root: Json,
  pointer: string,
  value: unknown,
  position: { readonly at: string; readonly place: string },
  depth: number,
  add: (found: Contradiction) => void,
): void => {
  const schema = atPointer(root, pointer);
  if (!isObject(schema) || depth > DEEPEST) return;
  if (typeof schema.$ref === "string") {
    if (schema.$ref.startsWith("#/")) check(root, pointerIn(schema.$ref), value, position, depth + 1, add);
    return;
  }
  // An alternative may allow what the others forbid.
  if (value === null && (schema.nullable === true || schema.type === undefined)) return;
  for (const [, step] of besides(schema, "always"))
    check(root, `${pointer}${step}`, value, position, depth + 1, add);
  const broken = brokenKeyword(schema, value);
  if (broken !== undefined) {
    const shown = JSON.stringify(value).slice(0, 60);
    const where = `${position.at}${position.place === "" ? "" : `, ${position.place},`}`;
    add({ pointer, keyword: broken, problem: `the example at ${where} is ${shown}` });
    return;
  }
  const below = (step: string, inner: unknown, inside: string): void =>
    check(
      root,
      `${pointer}/${step}`,
      inner,
      { ...position, place: `${position.place}/${inside}` },
      depth + 1,
      add,
    );
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
