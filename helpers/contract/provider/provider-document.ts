/** Reads the provider's own OpenAPI document (3.0 or 3.1) and prepares it to be joined with a contract. */

import type { OpenApiDocument } from "../documents/document.ts";
import { liftSchemaRefs } from "../documents/lift-refs.ts";
import { errorAt } from "../documents/locate.ts";
import { readDocument } from "../documents/read-document.ts";
import { digestOf } from "../documents/source-file.ts";
import { isObject, type Json } from "../json.ts";
import { atPointer, escapeSegment } from "../pointer.ts";
import { type Dialect, READ_EXTENSIONS, translateSchema } from "../schemas/dialect.ts";
import { loosened } from "../schemas/untried.ts";
import { type Contradiction, examplesOf, readExamples } from "./contradictions.ts";
import { withDirections } from "./directions.ts";
import { refuseEndless } from "./endless.ts";

export interface ProviderDocument {
  readonly document: OpenApiDocument;
  readonly version: string;
  readonly digest: string;
  readonly contradictions: readonly Contradiction[];
}

/**
 * Translates all schemas to JSON Schema 2020-12; removes most extensions (`x-…`), examples and descriptions.
 * @param folder contains all files that are read: the folder of the document unless another one is given
 * @throws ContractError naming file, line, pointer and hint
 */
export const readProviderDocument = (path: string, folder?: string): ProviderDocument => {
  const read = readDocument(path, folder);
  const document = { ...read, root: liftSchemaRefs(read.root) };
  const { dialect, ...identity } = identified(document);
  const { contradictions, shown } = readExamples(document);
  const root = loosened(translate(dialect, document.root, "") as Json);
  for (const one of contradictions) note(atPointer(root, one.pointer), one);
  for (const [pointer, texts] of shown) {
    const schema = atPointer(root, pointer);
    if (isObject(schema)) schema["x-shown"] = [...texts];
  }
  return { ...identity, contradictions, document: { ...document, root: withDirections(root) } };
};

/** Notes at a schema, by keyword, that an example of the same document breaks it. */
const note = (schema: unknown, found: Contradiction): void => {
  if (!isObject(schema) || schema[found.keyword] === undefined) return;
  schema["x-contradicted"] = { ...(schema["x-contradicted"] as Json), [found.keyword]: placesOf(found) };
};

/** Returns both places of a contradiction. */
export const placesOf = ({ pointer, keyword, problem }: Contradiction): string =>
  `${pointer}/${keyword}: ${problem}`;

/** Returns dialect, version and digest of a document. @throws ContractError as `readProviderDocument` */
export const identified = (
  document: OpenApiDocument,
): Omit<ProviderDocument, "document" | "contradictions"> & { readonly dialect: Dialect } => {
  const { info } = document.root;
  const is30 = openApiVersionOf(document).startsWith("3.0");
  refuseEmpty(document, is30);
  refuseEndless(document);
  return {
    dialect: { document, is30 },
    version: String((isObject(info) && info.version) || "unknown"),
    digest: digestOf(document.sources.map(({ text }) => text)),
  };
};

/** @throws ContractError when the document is not OpenAPI 3.0 or 3.1 */
const openApiVersionOf = ({ root, main }: OpenApiDocument): string => {
  if (typeof root.openapi === "string" && /^3\.[01](\.|$)/.test(root.openapi)) return root.openapi;
  const given = root.openapi ?? root.swagger;
  const problem = given === undefined ? "`openapi` is missing" : `OpenAPI ${given} is not supported`;
  const pointer = root.openapi === undefined ? "" : "/openapi";
  const convert =
    root.swagger === undefined ? "" : ", or convert it: npx swagger2openapi FILE --outfile openapi.json";
  throw errorAt(main, pointer, problem, `Give a document of OpenAPI 3.0 or 3.1${convert}.`);
};

/** @throws ContractError when the document lacks what each document has to have (OpenAPI, OpenAPI Object) */
const refuseEmpty = ({ root, main }: OpenApiDocument, is30: boolean): void => {
  const needed = is30 ? ["paths"] : ["paths", "webhooks", "components"];
  if (needed.some((key) => root[key] !== undefined)) return;
  const hint = "List the operations under `paths`, as OpenAPI requires.";
  throw errorAt(main, "/paths", "`paths` is missing", hint);
};

/** Keys that have no effect on a contract. */
const DROPPED = new Set(["description", "summary", "example", "examples", "externalDocs", "servers"]);

/** Matches pointers whose children are names, not keywords. */
const NAMED =
  /^\/components\/(schemas|parameters|responses|requestBodies|headers|securitySchemes|pathItems)$/;

const translate = (dialect: Dialect, node: unknown, pointer: string): unknown => {
  if (Array.isArray(node)) return node.map((item, index) => translate(dialect, item, `${pointer}/${index}`));
  if (!isObject(node)) return node;
  const named = NAMED.test(pointer) || pointer === "/paths";
  const isDropped = (key: string): boolean =>
    DROPPED.has(key) || (key.startsWith("x-") && !READ_EXTENSIONS.has(key));
  const entries = Object.entries(node).filter(([key]) => named || !isDropped(key));
  const example = named ? undefined : exampleBeside(dialect.document.root, node);
  return {
    ...Object.fromEntries(
      entries.map(([key, value]) => {
        const inner = `${pointer}/${escapeSegment(key)}`;
        const isSchema = pointer === "/components/schemas" || (key === "schema" && !named);
        return [key, (isSchema ? translateSchema : translate)(dialect, value, inner)];
      }),
    ),
    ...(example !== undefined && { "x-example": example }),
  };
};

/** Returns the example of a parameter or of a whole body, or else what its schema states. */
const exampleBeside = (root: Json, node: Json): unknown => {
  const { schema } = node;
  if (!isObject(schema)) return undefined;
  const own = examplesOf(root, node, "").map(([example]) => example);
  const [first] = Array.isArray(schema.examples) ? schema.examples : [];
  const only = Array.isArray(schema.enum) && schema.enum.length === 1 ? schema.enum[0] : undefined;
  return [...own, schema.example, first, schema.default, only].find((one) => one !== undefined);
};
