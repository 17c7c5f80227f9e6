/** Reads the credentials that an operation requires, as they are sent. */
import { type OpenApiDocument, objectAt } from "../../../helpers/contract/documents/document.ts";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import type { Credential, Security } from "./model.ts";
import { listIn, objectIn, resolveAt } from "./resolve.ts";

export const securitySchemesOf = (document: OpenApiDocument): Record<string, Json> => {
  const { root } = document;
  const components = objectIn(document, root, "components", "");
  const schemes = Object.entries(objectIn(document, components, "securitySchemes", "/components"));
  return Object.fromEntries(
    schemes.map(([name, value]) => [
      name,
      resolveAt(document, value, `/components/securitySchemes/${name}`).node,
    ]),
  );
};

/** Reads the security of an operation, or else of the document. An empty list requires no credentials. */
export const securityOf = (document: OpenApiDocument, operation: Json, label: string): Security => {
  const own = operation.security !== undefined;
  const holder = own ? operation : document.root;
  const schemes = securitySchemesOf(document);
  const listed = listIn(document, holder, "security", "").map((alternative) =>
    Object.entries(objectAt(document, alternative, "/security")).map(
      ([scheme, scopes]): Credential => ({
        scheme,
        wire: wireOf(schemes[scheme], scheme),
        scopes: Array.isArray(scopes) ? scopes.map(String).sort() : [],
      }),
    ),
  );
  return { owner: own ? label : "the document", alternatives: listed.length === 0 ? [[]] : listed };
};

/** Whether the credentials satisfy one of the alternatives. */
export const isEnough = (
  given: readonly Pick<Credential, "wire" | "scopes">[],
  { alternatives }: Pick<Security, "alternatives">,
): boolean =>
  alternatives.some((wanted) =>
    wanted.every((one) =>
      given.some(
        ({ wire, scopes }) => wire === one.wire && one.scopes.every((scope) => scopes.includes(scope)),
      ),
    ),
  );

/** Returns the form of a scheme on the wire. Schemes with the same form are equal, even if their names differ. */
export const wireOf = (scheme: Json | undefined, name: string): string => {
  if (!isObject(scheme)) return `scheme ${name}`;
  switch (scheme.type) {
    case "apiKey":
      return `${scheme.in} ${scheme.in === "header" ? String(scheme.name).toLowerCase() : scheme.name}`;
    case "http":
      return `header authorization: ${String(scheme.scheme).toLowerCase()}`;
    case "mutualTLS":
      return "client certificate";
    default:
      return "header authorization: bearer";
  }
};
