/** Reads an OpenAPI document (3.0 or 3.1, YAML or JSON) for the diff; caches parsed documents by content. */
import { cached } from "../../../helpers/contract/documents/cache.ts";
import type { OpenApiDocument } from "../../../helpers/contract/documents/document.ts";
import { locationOf } from "../../../helpers/contract/documents/git-source.ts";
import { liftSchemaRefs } from "../../../helpers/contract/documents/lift-refs.ts";
import { readDocument } from "../../../helpers/contract/documents/read-document.ts";
import { digestOf, readSource } from "../../../helpers/contract/documents/source-file.ts";
import type { Json } from "../../../helpers/contract/json.ts";
import { identified } from "../../../helpers/contract/provider/provider-document.ts";
import type { ApiDocument, Schemas, Sender } from "./model.ts";
import { operationsOf } from "./operations.ts";
import { securitySchemesOf } from "./security-schemes.ts";
import { componentSchemas, viewIn } from "./sender-views.ts";

/** @throws ContractError naming file, line, pointer and hint */
export const readApiDocument = (path: string): ApiDocument => apiDocumentOf(parsedOnce(locationOf(path)));

/** @throws ContractError naming file, line, pointer and hint */
export const apiDocumentOf = (document: OpenApiDocument): ApiDocument => {
  const { dialect: common, ...identity } = identified(document);
  const dialect = { ...common, isForComparison: true } as const;
  const schemas = componentSchemas(dialect);
  const view = viewIn(document, schemas);
  const viewOf = (sender: Sender) => (view({ $defs: schemas }, sender) as { $defs: Schemas }).$defs;
  return {
    file: document.main.name,
    ...identity,
    root: document.root,
    source: document.main,
    operations: operationsOf(dialect, view),
    schemas: { caller: viewOf("caller"), service: viewOf("service") },
    securitySchemes: securitySchemesOf(document),
  };
};

/** Parses a document; caches only documents of one file, since the digest does not cover referenced files. */
const parsedOnce = (path: string): OpenApiDocument => {
  const main = readSource(path);
  const { known, keep } = cached<Json>("document", [digestOf([main.text])]);
  if (known !== undefined) return { root: known, main, sources: [main] };
  const read = readDocument(path);
  const document = { ...read, root: liftSchemaRefs(read.root) };
  if (document.sources.length === 1) keep(document.root);
  return document;
};
