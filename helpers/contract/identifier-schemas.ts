/** The schemas of the identifiers that a server gives, by resource. */
import type { Contract, JsonSchema } from "./contract.ts";
import { isObject } from "./json.ts";
import { grouped } from "./once.ts";

type Source = Pick<Contract, "operations" | "schemas">;

/** Returns the schemas of parameters and fields that have an identifier (`x-resource`) of each resource. */
export const identifierSchemas = ({ operations, schemas }: Source): ReadonlyMap<string, readonly JsonSchema[]> => {
  const given = new Set(
    operations.flatMap(({ produces, finds }) => [...produces, ...finds].map(({ resource }) => resource)),
  );
  const found = [
    ...operations.flatMap(({ parameters }) =>
      parameters.flatMap(({ resource, schema }) => (resource === undefined ? [] : [{ resource, schema }])),
    ),
    ...annotatedIn([schemas, operations.map(({ requestBody, responses }) => [requestBody, responses])]),
  ].filter(({ resource }) => given.has(resource));
  const named = grouped(found, ({ resource }) => resource);
  return new Map([...named].map(([resource, all]) => [resource, all.map(({ schema }) => schema)]));
};

const annotatedIn = (node: unknown): { readonly resource: string; readonly schema: JsonSchema }[] => {
  if (Array.isArray(node)) return node.flatMap(annotatedIn);
  if (!isObject(node)) return [];
  const inner = Object.values(node).flatMap(annotatedIn);
  const resource = node["x-resource"];
  return typeof resource === "string" ? [{ resource, schema: node }, ...inner] : inner;
};
