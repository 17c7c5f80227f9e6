/** Derives each sender's view of component schemas. The sender determines which properties are required. */

import type { OpenApiDocument } from "../../../helpers/contract/documents/document.ts";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { escapeSegment } from "../../../helpers/contract/pointer.ts";
import { type Dialect, translateSchema } from "../../../helpers/contract/schemas/dialect.ts";
import { inPlace, withinChanged } from "../../../helpers/contract/schemas/schema-visitor.ts";
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
  return isMarked
    ? (schema, sender) => withinChanged(schema, (node) => withoutOthers(node, schemas, FOREIGN[sender]))
    : (schema) => schema;
};

const FOREIGN: Readonly<Record<Sender, string>> = { caller: "readOnly", service: "writeOnly" };

const withoutOthers = (node: Json, schemas: Schemas, mark: string): Json => {
  const { required, properties } = node;
  if (!Array.isArray(required) || !isObject(properties)) return node;
  const kept = required.filter(
    (name) => !inPlace(schemas, properties[String(name)], "always").some((part) => part[mark] === true),
  );
  if (kept.length === required.length) return node;
  const { required: _, ...rest } = node;
  return kept.length === 0 ? rest : { ...rest, required: kept };
};
