/** Turns a call into a request: URL and headers come from the contract and the target, the rest from the call. */
import type { Contract, Operation } from "../contract/contract.ts";
import { JSON_TYPE } from "../contract/media-type.ts";
import { memoize } from "../contract/memoize.ts";
import { CODINGS } from "../exchange/coding.ts";
import type { ClientRequest } from "../exchange/draft.ts";
import type { Target } from "../target/target.ts";
import type { Call } from "./call.ts";
import { placedKeys, withCookies } from "./credentials.ts";
import { withFreshKeys } from "./fresh-keys.ts";
import { idsSentBy } from "./resource-providers.ts";

/** @throws Error when the target has no base URL for the service, or a path parameter is missing */
export const requestOf = (
  contract: Contract,
  operation: Operation,
  target: Target,
  call: Call,
): ClientRequest & Required<Pick<ClientRequest, "headers">> => {
  const baseUrl = target.baseUrls[operation.service];
  if (baseUrl === undefined) throw new Error(`no base URL for ${operation.service}`);
  const keys = placedKeys(contract, operation, target, call);
  return {
    service: operation.service,
    operationId: operation.operationId,
    method: call.method ?? operation.method,
    url: addressOf(
      `${isAbsolute(call.at) ? "" : baseUrl}${call.at ?? pathOf(operation, call)}`,
      queryOf({ ...call.query, ...keys.query }),
    ),
    headers: {
      accept: acceptedBy(operation),
      ...((call.method ?? operation.method) === "GET" && { "accept-encoding": CODINGS }),
      ...withCookies(keys, {
        ...contentType(operation, call),
        ...(call.isRepeated ? call.headers : withFreshKeys(contract, operation, call)),
      }),
    },
    ...(call.abandon && { abandon: true }),
    ...(call.raw === undefined ? call.json !== undefined && { json: call.json } : { body: call.raw.body }),
    ids: idsSentBy(contract, operation, call),
    hazards: operation.hazards,
  };
};

/** A path of a document may contain a query, or a fragment, which only tells operations apart. */
const addressOf = (path: string, query: string): string => {
  const [address = ""] = path.split("#");
  return query === "" ? address : `${address}${address.includes("?") ? "&" : "?"}${query}`;
};

/** Whether the call has another server, as a token endpoint may have. */
const isAbsolute = (at = ""): boolean => /^https?:/.test(at);

/** Returns the path of an operation with the values of a call. */
export const pathOf = (operation: Operation, call: Call): string => {
  let path = "";
  for (const [index, part] of partsOf(operation).entries()) {
    const isText = index % 2 === 0;
    const value = isText ? part : call.path?.[part];
    if (value === undefined) throw new Error(`${operation.operationId}: path parameter ${part} is not given`);
    path += isText ? part : encoded(operation, part, value);
  }
  return path;
};

/** Encodes a value. The signs of a form that is not plain text stay as they are. */
const encoded = ({ parameters }: Operation, name: string, value: string): string => {
  const text = encodeURIComponent(value);
  const { written } = parameters.find((one) => one.in === "path" && one.name === name) ?? {};
  return written === undefined || written === "json"
    ? text
    : text.replaceAll(/%(?:2C|3B|3D)/g, decodeURIComponent);
};

/** Returns the texts of the path and the parameters between them, in turns. */
const partsOf = memoize(({ path }: Operation): readonly string[] => path.split(/\{([^}]+)\}/));

const queryOf = (query: NonNullable<Call["query"]>): string => {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  );
  return String(new URLSearchParams(entries as [string, string][]));
};

const contentType = ({ requestBody }: Operation, call: Call): Record<string, string> => {
  const type =
    call.raw === undefined ? call.json !== undefined && requestBody?.jsonType : call.raw.contentType;
  return type ? { "content-type": type } : {};
};

/**
 * Returns the media types of the successful answers, without the other types if JSON is among them. If none has a body, these
 * are the types of all answers, and any other: the document does not say what the success is.
 */
const acceptedBy = memoize(({ responses }: Operation): string => {
  const all = Object.values(responses);
  const own = all.filter(({ status, content }) => status < 300 && Object.keys(content).length > 0);
  const typed = own.length > 0 ? own : all;
  const json = typed.flatMap(({ content, jsonType = JSON_TYPE }) => (JSON_TYPE in content ? [jsonType] : []));
  const types = json.length > 0 ? json : typed.flatMap(({ content }) => Object.keys(content));
  if (own.length === 0) return [...new Set(types.length > 0 ? types : [JSON_TYPE]), "*/*;q=0.9"].join(", ");
  return [...new Set(types), ...(json.length > 0 ? [] : [`${JSON_TYPE};q=0.9`])].join(", ");
});
