/** Reads parameters, request bodies and responses of an operation. */

import { objectAt } from "../../../helpers/contract/documents/document.ts";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { essenceOf } from "../../../helpers/contract/media-type.ts";
import { escapeSegment } from "../../../helpers/contract/pointer.ts";
import { type Dialect, translateSchema } from "../../../helpers/contract/schemas/dialect.ts";
import type { ApiOperation, ApiParameter, ApiResponse, Content, Sender } from "./model.ts";
import { listIn, objectIn, resolveAt, textIn } from "./resolve.ts";
import type { View } from "./sender-views.ts";
import { sunsetOf } from "./sunset.ts";

/** The place of a message's description, and its sender. */
export interface MessageLocation {
  readonly dialect: Dialect;
  readonly view: View;
  readonly pointer: string;
  /** The owner of an inline description. */
  readonly owner: string;
  readonly sender: Sender;
}

/**
 * @param owners the path item, then the operation. A parameter of the operation replaces a parameter of the path item.
 */
export const parametersOf = (
  location: MessageLocation,
  owners: readonly (readonly [Json, string])[],
): ApiParameter[] => {
  const { document } = location.dialect;
  const all = owners.flatMap(([owner, pointer]) =>
    listIn(document, owner, "parameters", pointer).map((value, index) => {
      const { node, inner } = entered(location, value, `${pointer}/parameters/${index}`);
      const place = textIn(document, node, "in", inner.pointer) as ApiParameter["in"];
      return parameterOf(inner, node, textIn(document, node, "name", inner.pointer), place);
    }),
  );
  return [...new Map(all.map((one) => [parameterKey(one), one])).values()];
};

/** Returns the description at the pointer, or the target of a reference there. */
const entered = (location: MessageLocation, value: unknown, at: string) => {
  const { node, pointer, component } = resolveAt(location.dialect.document, value, at);
  return { node, inner: { ...location, pointer, owner: component ?? location.owner } };
};

/** Returns the key of a parameter; header names are case-insensitive (RFC 9110, 5.1). */
export const parameterKey = ({ in: place, name }: Pick<ApiParameter, "in" | "name">): string =>
  `${place} ${place === "header" ? name.toLowerCase() : name}`;

const STYLES: Readonly<Record<string, string>> = {
  query: "form",
  cookie: "form",
  path: "simple",
  header: "simple",
};

const parameterOf = (
  location: MessageLocation,
  node: Json,
  name: string,
  place: ApiParameter["in"],
): ApiParameter => {
  const [mediaType] = Object.keys(isObject(node.content) ? node.content : {});
  const content = mediaType === undefined ? undefined : contentOf(location, node)[mediaType];
  const style = typeof node.style === "string" ? node.style : (STYLES[place] ?? "simple");
  return {
    owner: location.owner,
    name,
    in: place,
    required: node.required === true || place === "path",
    deprecated: node.deprecated === true,
    sunset: sunsetOf(node),
    schema: content ?? schemaOf(location, node.schema, `${location.pointer}/schema`),
    style,
    explode: typeof node.explode === "boolean" ? node.explode : style === "form",
    allowReserved: node.allowReserved === true,
    allowEmptyValue: node.allowEmptyValue === true && place === "query",
    ...(mediaType !== undefined && { mediaType }),
  };
};

const schemaOf = (location: MessageLocation, node: unknown, pointer: string): unknown =>
  node === undefined
    ? true
    : location.view(translateSchema(location.dialect, node, pointer), location.sender);

/** Reads media types in lower case. Omits their parameters, which do not affect the body. */
const contentOf = (location: MessageLocation, node: Json): Content => {
  const { document } = location.dialect;
  const content = objectIn(document, node, "content", location.pointer);
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, value]) => {
      const pointer = `${location.pointer}/content/${escapeSegment(mediaType)}`;
      const { schema } = objectAt(document, value, pointer);
      return [essenceOf(mediaType), schemaOf(location, schema, `${pointer}/schema`)];
    }),
  );
};

export const bodyOf = (location: MessageLocation, value: unknown): ApiOperation["body"] => {
  if (value === undefined) return undefined;
  const { node, inner } = entered(location, value, `${location.pointer}/requestBody`);
  return { owner: inner.owner, required: node.required === true, content: contentOf(inner, node) };
};

export const responsesOf = (location: MessageLocation, operation: Json): Record<string, ApiResponse> => {
  const pointer = `${location.pointer}/responses`;
  const listed = objectIn(location.dialect.document, operation, "responses", location.pointer);
  return Object.fromEntries(
    Object.entries(listed)
      .filter(([status]) => !status.startsWith("x-"))
      .map(([status, value]) => {
        const { node, inner } = entered(location, value, `${pointer}/${status}`);
        const [headers, content] = [headersOf(inner, node), contentOf(inner, node)];
        const key = status === "default" ? status : status.toUpperCase();
        return [key, { owner: inner.owner, headers, content }];
      }),
  );
};

/** Reads headers without `Content-Type`, which the content determines (OpenAPI, Response Object). */
const headersOf = (location: MessageLocation, response: Json): ApiParameter[] =>
  Object.entries(objectIn(location.dialect.document, response, "headers", location.pointer))
    .filter(([name]) => name.toLowerCase() !== "content-type")
    .map(([name, value]) => {
      const { node, inner } = entered(location, value, `${location.pointer}/headers/${escapeSegment(name)}`);
      return parameterOf(inner, node, name, "header");
    });
