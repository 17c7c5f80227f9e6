/** Reads an OpenAPI document (3.0 or 3.1, YAML or JSON) for the diff; what was parsed once is kept by content. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Dialect } from "../../contract/dialect.ts";
import { type OpenApiDocument, readDocument } from "../../contract/document.ts";
import { isObject, type Json } from "../../contract/json.ts";
import { openApiVersionOf } from "../../contract/provider-document.ts";
import { digestOf, readSource } from "../../contract/source-file.ts";
import { liftSchemaRefs } from "./lift-refs.ts";
import type { ApiDocument, Schemas } from "./model.ts";
import { operationsOf } from "./operations.ts";
import { securitySchemesOf } from "./security-schemes.ts";
import { componentSchemas, viewIn } from "./sender-views.ts";

/** @throws ContractError naming file, line, pointer and mend */
export const readApiDocument = (path: string): ApiDocument => apiDocumentOf(parsedOnce(resolve(path)));

/** @throws ContractError naming file, line, pointer and mend */
export const apiDocumentOf = (document: OpenApiDocument): ApiDocument => {
  const dialect: Dialect = { document, is30: openApiVersionOf(document).startsWith("3.0") };
  const { info } = document.root;
  const schemas = componentSchemas(dialect);
  const view = viewIn(document, schemas);
  const senders = {
    caller: view(schemas, "caller") as Schemas,
    service: view(schemas, "service") as Schemas,
  };
  return {
    file: document.main.name,
    version: String((isObject(info) && info.version) || "unknown"),
    digest: digestOf(document.sources.map(({ text }) => text)),
    root: document.root,
    operations: operationsOf(dialect, view),
    schemas: senders,
    securitySchemes: securitySchemesOf(document),
  };
};

const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/assay/", import.meta.url));
/** A change of these makes what was kept stale. */
const PARSERS = ["../../contract/document.ts", "lift-refs.ts"].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
);

/** Only a document of one file is kept: its digest says nothing of the others that it refers to. */
const parsedOnce = (path: string): OpenApiDocument => {
  const main = readSource(path);
  const name = digestOf([main.text, ...PARSERS.map((file) => readFileSync(file, "utf8"))]).slice(7, 39);
  const kept = join(CACHE, `document-${name}.json`);
  const known = keptRoot(kept);
  if (known !== undefined) return { root: known, main, sources: [main] };
  const read = readDocument(path);
  const document = { ...read, root: liftSchemaRefs(read.root) };
  if (document.sources.length === 1) keep(kept, document.root);
  return document;
};

const keptRoot = (path: string): Json | undefined => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Json;
  } catch {
    return undefined;
  }
};

/** Written aside and renamed, since commands may run at the same time. A cache that can't be written is no error. */
const keep = (path: string, root: Json): void => {
  try {
    mkdirSync(CACHE, { recursive: true });
    const aside = `${path}.${process.pid}`;
    writeFileSync(aside, JSON.stringify(root));
    renameSync(aside, path);
  } catch {
    return;
  }
};
