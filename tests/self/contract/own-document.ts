/** A contract of ours written as a provider's document: the same operations and shapes, without our extensions. */
import type { Contract, MediaTypes, Operation } from "../../../helpers/contract/contract.ts";

export type Json = Record<string, unknown>;

export interface Document extends Json {
  openapi: string;
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Json> };
}

export interface OperationObject extends Json {
  operationId: string;
  parameters: ParameterObject[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>;
}

export interface ParameterObject extends Json {
  name: string;
  in: string;
  required: boolean;
  schema: Json;
}

/** @param forms other schemas for schemas of the contract */
export const ownDocument = (
  { operations, schemas }: Contract,
  forms: ReadonlyMap<unknown, Json> = new Map(),
): Document => {
  const paths: Document["paths"] = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? {};
    paths[operation.path] = { ...item, [operation.method.toLowerCase()]: operationObject(operation, forms) };
  }
  const info = { title: "Own", version: "1" };
  return {
    openapi: "3.1.0",
    info,
    paths,
    components: { schemas: bare(schemas, forms) as Record<string, Json> },
  };
};

/** Returns the operations of a document by operationId. */
export const operationObjects = ({ paths }: Document): ReadonlyMap<string, OperationObject> =>
  new Map(
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .map((operation) => [operation.operationId, operation]),
  );

const operationObject = (
  { operationId, parameters, requestBody, responses }: Operation,
  forms: ReadonlyMap<unknown, Json>,
): OperationObject => ({
  operationId,
  parameters: parameters.map(({ name, in: place, required, schema }) => ({
    name,
    in: place,
    required,
    schema: bare(schema, forms) as Json,
  })),
  ...(requestBody && {
    requestBody: { required: requestBody.required, content: contentOf(requestBody.content, forms) },
  }),
  responses: Object.fromEntries(
    Object.values(responses).map(({ status, content }) => [
      String(status),
      { description: "", ...(Object.keys(content).length > 0 && { content: contentOf(content, forms) }) },
    ]),
  ),
});

const contentOf = (content: MediaTypes, forms: ReadonlyMap<unknown, Json>) =>
  Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [type, { schema: bare(schema, forms) as Json }]),
  );

/** Returns a copy without extensions (`x-…`). */
const bare = (node: unknown, forms: ReadonlyMap<unknown, Json>): unknown => {
  const form = forms.get(node);
  if (form !== undefined) return form;
  if (Array.isArray(node)) return node.map((item) => bare(item, forms));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !key.startsWith("x-"))
      .map(([key, value]) => [key, bare(value, forms)]),
  );
};
