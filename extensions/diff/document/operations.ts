/** Reads the operations of an OpenAPI document: paths, callbacks and webhooks. */

import type { OpenApiDocument } from "../../../helpers/contract/documents/document.ts";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { escapeSegment } from "../../../helpers/contract/pointer.ts";
import type { Dialect } from "../../../helpers/contract/schemas/dialect.ts";
import { withoutDocumentation } from "./documentation.ts";
import { bodyOf, type MessageLocation, parametersOf, responsesOf } from "./messages.ts";
import type { ApiOperation, Sender, Servers } from "./model.ts";
import { objectIn, resolveAt } from "./resolve.ts";
import { securityOf } from "./security-schemes.ts";
import type { View } from "./sender-views.ts";
import { sunsetOf } from "./sunset.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** The place of a path item, and the labels of its operations. */
interface PathLocation {
  readonly dialect: Dialect;
  readonly view: View;
  readonly kind: ApiOperation["kind"];
  readonly path: string;
  /** Returns the key of an operation; it is equal in both documents for the same path. */
  readonly keyOf: (method: string) => string;
  readonly labelOf: (method: string) => string;
  readonly pointer: string;
}

/** @throws ContractError naming line and pointer of the invalid part */
export const operationsOf = (dialect: Dialect, view: View): ApiOperation[] => {
  const { root } = dialect.document;
  const paths = Object.entries(objectIn(dialect.document, root, "paths", "")).filter(([path]) =>
    path.startsWith("/"),
  );
  const webhooks = Object.entries(objectIn(dialect.document, root, "webhooks", ""));
  return [
    ...paths.flatMap(([path, item]) =>
      operationsAt(item, {
        dialect,
        view,
        kind: "call",
        path,
        keyOf: (method) => `${method} ${path.replaceAll(/\{[^}]*\}/g, "{}")}`,
        labelOf: (method) => `${method} ${path}`,
        pointer: `/paths/${escapeSegment(path)}`,
      }),
    ),
    ...webhooks.flatMap(([name, item]) =>
      operationsAt(item, {
        ...delivered(`delivery ${name}`, `/webhooks/${escapeSegment(name)}`),
        dialect,
        view,
      }),
    ),
  ];
};

const delivered = (name: string, pointer: string): Omit<PathLocation, "dialect" | "view"> => ({
  kind: "delivery",
  path: "",
  keyOf: (method) => `${name} ${method}`,
  labelOf: (method) => `${name} ${method}`,
  pointer,
});

const operationsAt = (value: unknown, location: PathLocation): ApiOperation[] => {
  const { node, pointer } = resolveAt(location.dialect.document, value, location.pointer);
  return METHODS.filter((method) => node[method] !== undefined).flatMap((method) =>
    operationAt(method, node, { ...location, pointer }),
  );
};

/** Returns the operation, and the deliveries that its callbacks describe. */
const operationAt = (method: string, item: Json, location: PathLocation): ApiOperation[] => {
  const { dialect, view, kind } = location;
  const { document } = dialect;
  const pointer = `${location.pointer}/${method}`;
  const { node } = resolveAt(document, item[method], pointer);
  const label = location.labelOf(method.toUpperCase());
  const [caller, service]: Sender[] = kind === "call" ? ["caller", "service"] : ["service", "caller"];
  const asked: MessageLocation = { dialect, view, pointer, owner: label, sender: caller as Sender };
  const operation: ApiOperation = {
    key: location.keyOf(method.toUpperCase()),
    ...{ kind, label, pointer },
    operationId: typeof node.operationId === "string" ? node.operationId : undefined,
    method: method.toUpperCase(),
    path: location.path,
    deprecated: node.deprecated === true,
    sunset: sunsetOf(node),
    parameters: parametersOf(asked, [
      [item, location.pointer],
      [node, pointer],
    ]),
    body: bodyOf(asked, node.requestBody),
    responses: responsesOf({ ...asked, sender: service as Sender }, node),
    security: securityOf(document, node, label),
    servers: serversOf(document, item, node, label),
    limits: limitsOf(document.root, node),
    facts: {
      tags: Array.isArray(node.tags) ? node.tags.map(String).sort() : undefined,
      stability: node["x-stability-level"] ?? node["x-stability"],
      encoding: encodingOf(resolveAt(document, node.requestBody ?? {}, `${pointer}/requestBody`).node),
    },
  };
  return [operation, ...callbacksOf(node, pointer, operation, location)];
};

const callbacksOf = (
  node: Json,
  pointer: string,
  { key }: ApiOperation,
  { dialect, view }: PathLocation,
): ApiOperation[] =>
  Object.entries(objectIn(dialect.document, node, "callbacks", pointer)).flatMap(([name, value]) => {
    const callback = resolveAt(dialect.document, value, `${pointer}/callbacks/${escapeSegment(name)}`);
    return Object.entries(callback.node)
      .filter(([expression]) => !expression.startsWith("x-"))
      .flatMap(([expression, item]) =>
        operationsAt(item, {
          ...delivered(
            `delivery ${name} of ${key} to ${expression}`,
            `${callback.pointer}/${escapeSegment(expression)}`,
          ),
          dialect,
          view,
        }),
      );
  });

/** Returns how the parts of a body are encoded, by media type (OpenAPI, Encoding Object). */
const encodingOf = ({ content }: Json): unknown => {
  const encodings = Object.entries(isObject(content) ? content : {}).flatMap(([mediaType, value]) =>
    isObject(value) && value.encoding !== undefined
      ? [[mediaType, withoutDocumentation(value.encoding)] as const]
      : [],
  );
  return encodings.length === 0 ? undefined : Object.fromEntries(encodings);
};

const LIMIT = /^x-.*(limit|quota|throttl)/i;

/** Returns the document's extensions that state a limit. Extensions of the operation override them. */
const limitsOf = (root: Json, node: Json): Json =>
  Object.fromEntries(
    [root, isObject(root.info) ? root.info : {}, node].flatMap((owner) =>
      Object.entries(owner).filter(([name]) => LIMIT.test(name)),
    ),
  );

/** Returns the servers of the operation, or else of the path, or else of the document; `/` if there are none. */
const serversOf = (document: OpenApiDocument, item: Json, node: Json, label: string): Servers => {
  const own = [node, item].find(({ servers }) => Array.isArray(servers));
  const { servers } = own ?? document.root;
  const listed = Array.isArray(servers) && servers.length > 0 ? servers : [{ url: "/" }];
  const urls = listed.filter(isObject).flatMap(addresses);
  const variables = listed.filter(isObject).map((server) => withoutDocumentation(server.variables ?? {}));
  return { owner: own === undefined ? "the document" : label, urls: [...new Set(urls)], variables };
};

/** The limit for combinations of variables. */
const MOST_ADDRESSES = 64;

/** Returns one address for each combination of values of the variables. */
const addresses = ({ url, variables }: Json): string[] => {
  let urls = [String(url).replace(/(?<=.)\/$/, "")];
  for (const [name, variable] of Object.entries(isObject(variables) ? variables : {})) {
    if (!isObject(variable)) continue;
    const values = Array.isArray(variable.enum) ? variable.enum : [variable.default];
    urls = urls.flatMap((one) => values.map((value) => one.replaceAll(`{${name}}`, String(value))));
    if (urls.length > MOST_ADDRESSES) return urls.slice(0, MOST_ADDRESSES);
  }
  return urls;
};
