/** The schemas of the identifiers that a server gives, by resource. */
import type { Contract, JsonSchema, Operation } from "../contract.ts";
import { isObject } from "../json.ts";
import { groupBy } from "../memoize.ts";
import { schemasAt } from "./schema-visitor.ts";

/** Returns the schemas of parameters and fields that have an identifier of each resource that a server gives. */
export const identifierSchemas = ({
  operations,
  schemas,
}: Pick<Contract, "operations" | "schemas">): ReadonlyMap<string, readonly JsonSchema[]> => {
  const given = operations.flatMap((operation) => givenBy(operation, schemas));
  const resources = new Set(given.map(({ resource }) => resource));
  const named = [
    ...operations.flatMap(({ parameters }) =>
      parameters.flatMap(({ resource, schema }) => (resource === undefined ? [] : [{ resource, schema }])),
    ),
    ...annotatedIn([schemas, operations.map(({ requestBody, responses }) => [requestBody, responses])]),
  ].filter(({ resource }) => resources.has(resource));
  const all = groupBy([...given, ...named], ({ resource }) => resource);
  return new Map([...all].map(([resource, places]) => [resource, places.map(({ schema }) => schema)]));
};

interface Identifier {
  readonly resource: string;
  readonly schema: JsonSchema;
}

const givenBy = ({ produces, finds, responses }: Operation, schemas: Contract["schemas"]): Identifier[] =>
  [...produces, ...finds].flatMap(({ resource, pointer }) =>
    Object.values(responses)
      .filter(({ status }) => status < 300)
      .flatMap(({ content }) => Object.values(content))
      .flatMap((body) => schemasAt(schemas, body, pointer))
      .map((schema) => ({ resource, schema: schema as JsonSchema })),
  );

const annotatedIn = (node: unknown): Identifier[] => {
  if (Array.isArray(node)) return node.flatMap(annotatedIn);
  if (!isObject(node)) return [];
  const inner = Object.values(node).flatMap(annotatedIn);
  const resource = node["x-resource"];
  return typeof resource === "string" ? [{ resource, schema: node }, ...inner] : inner;
};
