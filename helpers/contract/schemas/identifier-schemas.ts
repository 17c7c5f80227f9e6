/** The schemas of the identifiers that a server gives, by resource. */
import type { JsonSchema, Operation, Schemas, Shapes } from "../contract.ts";
import { objectsIn } from "../json.ts";
import { successBodies } from "../lookups.ts";
import { groupBy } from "../memoize.ts";
import { schemasAt } from "./schema-visitor.ts";

/** Returns the schemas of parameters and fields that have an identifier of each resource that a server gives. */
export const identifierSchemas = ({
  operations,
  schemas,
}: Shapes): ReadonlyMap<string, readonly JsonSchema[]> => {
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

const givenBy = (operation: Operation, schemas: Schemas): Identifier[] =>
  [...operation.produces, ...operation.finds].flatMap(({ resource, pointer }) =>
    successBodies(operation)
      .flatMap((body) => schemasAt(schemas, body, pointer))
      .map((schema) => ({ resource, schema: schema as JsonSchema })),
  );

const annotatedIn = (tree: unknown): Identifier[] =>
  [...objectsIn(tree)].flatMap((schema) => {
    const resource = schema["x-resource"];
    return typeof resource === "string" ? [{ resource, schema }] : [];
  });
