/** Finds the places of secrets that only the documents show: credentials in headers and parameters, and marked fields. */
import type { JsonSchema, Shapes } from "./contract.ts";
import type { OpenApiDocument } from "./documents/document.ts";
import { isObject, objectsIn } from "./json.ts";
import { securitySchemesOf } from "./operations.ts";
import { segmentsOf } from "./pointer.ts";
import { partsOf, propertiesOf } from "./schemas/schema-visitor.ts";
import type { SecretPlace } from "./security-scheme.ts";

/** @param documents all documents of a service, because a security scheme of one may have no counterpart in the other */
export const secretPlacesOf = (
  documents: readonly OpenApiDocument[],
  { operations, schemas }: Shapes,
): SecretPlace[] => {
  // The other schemes use the header Authorization.
  const found: SecretPlace[] = documents
    .flatMap(securitySchemesOf)
    .map(({ header, place }) => place ?? { in: "header", name: header });
  const isMarked = (schema: JsonSchema): boolean =>
    partsOf(schemas, schema).some(({ format }) => format === "password");
  for (const { parameters } of operations)
    for (const { name, in: place, schema } of parameters)
      if ((place === "header" || place === "query") && isMarked(schema)) found.push({ in: place, name });
  const fields = [...objectsIn([operations, schemas])].flatMap((one) => Object.entries(propertiesOf(one)));
  for (const [name, schema] of fields) {
    if (!isObject(schema)) continue;
    const ours = ((schema["x-ours"] ?? []) as readonly string[]).map((one) => segmentsOf(one).at(-1) ?? "");
    if (isMarked(schema)) found.push({ in: "body", name });
    else if (ours.some((one) => one !== name)) found.push({ in: "body", name, ours });
  }
  return [...new Map(found.map((place) => [JSON.stringify(place), place])).values()];
};
