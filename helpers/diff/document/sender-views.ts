/** Derives each sender's view of component schemas. The sender determines which properties are required. */

import { type Dialect, translateSchema } from "../../contract/dialect.ts";
import type { OpenApiDocument } from "../../contract/document.ts";
import { isObject, type Json, rewritten } from "../../contract/json.ts";
import { componentNamed, escapeSegment } from "../../contract/pointer.ts";
import type { Schemas, Sender } from "./model.ts";

/** Translates `components.schemas` to JSON Schema 2020-12. */
export const componentSchemas = (dialect: Dialect): Schemas => {
  const { components } = dialect.document.root;
  const schemas = isObject(components) && isObject(components.schemas) ? components.schemas : {};
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      translateSchema(dialect, schema, `/components/schemas/${escapeSegment(name)}`),
    ]),
  );
};

/** Returns a schema as the sender must follow it. Properties that only the other side sends are not required. */
export type View = (schema: unknown, sender: Sender) => unknown;

/** Returns the view of a document. Returns a schema unchanged if it contains no `readOnly` or `writeOnly`. */
export const viewIn = (document: OpenApiDocument, schemas: Schemas): View => {
  const isMarked = document.sources.some(({ text }) => /readOnly|writeOnly/.test(text));
  return isMarked ? (schema, sender) => viewOf(schema, schemas, sender) : (schema) => schema;
};

const viewOf = (node: unknown, schemas: Schemas, sender: Sender): unknown =>
  rewritten(
    node,
    (object) => withoutOthers(object, schemas, FOREIGN[sender]),
    (key) => DATA.has(key),
  );

const DATA: ReadonlySet<string> = new Set(["enum", "const", "default", "examples"]);
const FOREIGN: Readonly<Record<Sender, string>> = { caller: "readOnly", service: "writeOnly" };

const withoutOthers = (node: Json, schemas: Schemas, mark: string): Json => {
  const { required, properties } = node;
  if (!Array.isArray(required) || !isObject(properties)) return node;
  const kept = required.filter((name) => !isMarked(properties[String(name)], schemas, mark));
  if (kept.length === required.length) return node;
  const { required: _, ...rest } = node;
  return kept.length === 0 ? rest : { ...rest, required: kept };
};

const isMarked = (
  node: unknown,
  schemas: Schemas,
  mark: string,
  entered: readonly string[] = [],
): boolean => {
  if (!isObject(node)) return false;
  if (node[mark] === true) return true;
  const name = componentNamed(node.$ref);
  const target = name === undefined || entered.includes(name) ? undefined : schemas[name];
  return [target, ...(Array.isArray(node.allOf) ? node.allOf : [])].some((inner) =>
    isMarked(inner, schemas, mark, name === undefined ? entered : [...entered, name]),
  );
};
