/** Parameters, request bodies and responses of an operation. */

import { type Dialect, translateSchema } from "../../contract/dialect.ts";
import { objectAt } from "../../contract/document.ts";
import { isObject, type Json } from "../../contract/json.ts";
import { escapeSegment } from "../../contract/pointer.ts";
import type { ApiBody, ApiParameter, ApiResponse, Content, Sender } from "./model.ts";
import { listIn, objectIn, resolveAt, textIn } from "./resolve.ts";
import type { View } from "./sender-views.ts";

/** Where a message is described, and who sends it. */
export interface MessageSite {
  readonly dialect: Dialect;
  readonly view: View;
  readonly pointer: string;
  /** What an inline description belongs to. */
  readonly owner: string;
  readonly sender: Sender;
}

/** @param owners the path item, then the operation, whose parameters take the place of those of the path */
export const parametersOf = (
  site: MessageSite,
  owners: readonly (readonly [Json, string])[],
): ApiParameter[] => {
  const { document } = site.dialect;
  const all = owners.flatMap(([owner, pointer]) =>
    listIn(document, owner, "parameters", pointer).map((value, index) => {
      const { node, inner } = entered(site, value, `${pointer}/parameters/${index}`);
      const place = textIn(document, node, "in", inner.pointer) as ApiParameter["in"];
      return parameterOf(inner, node, textIn(document, node, "name", inner.pointer), place);
    }),
  );
  return [...new Map(all.map((one) => [parameterKey(one), one])).values()];
};

/** What a site describes at the pointer, or what a reference there leads to. */
const entered = (site: MessageSite, value: unknown, at: string) => {
  const { node, pointer, component } = resolveAt(site.dialect.document, value, at);
  return { node, inner: { ...site, pointer, owner: component ?? site.owner } };
};

/** Names of headers come in any letter case (RFC 9110, 5.1). */
export const parameterKey = ({ in: place, name }: Pick<ApiParameter, "in" | "name">): string =>
  `${place} ${place === "header" ? name.toLowerCase() : name}`;

const STYLES: Readonly<Record<string, string>> = {
  query: "form",
  cookie: "form",
  path: "simple",
  header: "simple",
};

const parameterOf = (
  site: MessageSite,
  node: Json,
  name: string,
  place: ApiParameter["in"],
): ApiParameter => {
  const [mediaType] = Object.keys(isObject(node.content) ? node.content : {});
  const content = mediaType === undefined ? undefined : contentOf(site, node)[mediaType];
  const style = typeof node.style === "string" ? node.style : (STYLES[place] ?? "simple");
  return {
    owner: site.owner,
    name,
    in: place,
    required: node.required === true || place === "path",
    deprecated: node.deprecated === true,
    schema: content ?? schemaOf(site, node.schema, `${site.pointer}/schema`),
    style,
    explode: typeof node.explode === "boolean" ? node.explode : style === "form",
    allowReserved: node.allowReserved === true,
    ...(mediaType !== undefined && { mediaType }),
  };
};

const schemaOf = (site: MessageSite, node: unknown, pointer: string): unknown =>
  node === undefined ? true : site.view(translateSchema(site.dialect, node, pointer), site.sender);

/** Media types in lower case and without parameters, which say nothing of the body. */
const contentOf = (site: MessageSite, node: Json): Content => {
  const { document } = site.dialect;
  const content = objectIn(document, node, "content", site.pointer);
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, value]) => {
      const pointer = `${site.pointer}/content/${escapeSegment(mediaType)}`;
      const { schema } = objectAt(document, value, pointer);
      return [plainMediaType(mediaType), schemaOf(site, schema, `${pointer}/schema`)];
    }),
  );
};

const plainMediaType = (mediaType: string): string =>
  (mediaType.split(";")[0] as string).trim().toLowerCase();

export const bodyOf = (site: MessageSite, value: unknown): ApiBody | undefined => {
  if (value === undefined) return undefined;
  const { node, inner } = entered(site, value, `${site.pointer}/requestBody`);
  return { owner: inner.owner, required: node.required === true, content: contentOf(inner, node) };
};

export const responsesOf = (site: MessageSite, operation: Json): Record<string, ApiResponse> => {
  const pointer = `${site.pointer}/responses`;
  const listed = Object.entries(objectIn(site.dialect.document, operation, "responses", site.pointer));
  return Object.fromEntries(
    listed
      .filter(([status]) => !status.startsWith("x-"))
      .map(([status, value]) => {
        const { node, inner } = entered(site, value, `${pointer}/${status}`);
        const response = {
          owner: inner.owner,
          headers: headersOf(inner, node),
          content: contentOf(inner, node),
        };
        return [status === "default" ? status : status.toUpperCase(), response];
      }),
  );
};

/** `Content-Type` is told by the content (OpenAPI, Response Object). */
const headersOf = (site: MessageSite, response: Json): ApiParameter[] =>
  Object.entries(objectIn(site.dialect.document, response, "headers", site.pointer))
    .filter(([name]) => name.toLowerCase() !== "content-type")
    .map(([name, value]) => {
      const { node, inner } = entered(site, value, `${site.pointer}/headers/${escapeSegment(name)}`);
      return parameterOf(inner, node, name, "header");
    });
