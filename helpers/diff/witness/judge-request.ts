/** Why a document refuses a request: a small model of a server that does what the document says and no more. */

import { parameterKey } from "../document/messages.ts";
import type { ApiOperation, ApiParameter, Credential, Sender } from "../document/model.ts";
import type { Judge } from "./judge.ts";
import { covers, schemaRefusals } from "./judge-content.ts";
import type { Refusal, RequestMessage } from "./message.ts";
import { readingsOf } from "./parameter-texts.ts";

/** None where the document allows it. */
export const refusalsOfRequest = (judge: Judge, request: RequestMessage): Refusal[] => {
  const found = findOperation(judge, request);
  if (found === undefined) return [noOperation(judge, request)];
  const { operation, pathTexts } = found;
  const sender: Sender = operation.kind === "call" ? "caller" : "service";
  return [
    ...serverRefusals(operation, request),
    ...operation.parameters.flatMap((parameter) =>
      parameterRefusals(judge, parameter, textsAt(parameter, request, pathTexts), sender),
    ),
    ...bodyRefusals(judge, operation, request, sender),
    ...credentialRefusals(operation, request),
  ];
};

interface Found {
  readonly operation: ApiOperation;
  readonly pathTexts: readonly (readonly [string, string])[];
}

/** Templates with more of the path written out come first (OpenAPI, Path Templating Matching). */
const findOperation = (judge: Judge, { delivery, method, path }: RequestMessage): Found | undefined => {
  if (delivery !== undefined) {
    const operation = judge.operations.get(delivery);
    return operation && { operation, pathTexts: [] };
  }
  const calls = judge.document.operations.filter((one) => one.kind === "call" && one.method === method);
  const [best] = calls
    .map((operation) => ({ operation, pathTexts: matched(operation.path, path) }))
    .filter((one): one is Found => one.pathTexts !== undefined)
    .sort((a, b) => a.pathTexts.length - b.pathTexts.length);
  return best;
};

const matched = (template: string, path: string): Found["pathTexts"] | undefined => {
  const names: string[] = [];
  const pattern = template
    .split(/(\{[^}]*\})/)
    .map((part) => {
      if (!part.startsWith("{")) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
      names.push(part.slice(1, -1));
      return "([^/]+)";
    })
    .join("");
  const values = new RegExp(`^${pattern}$`).exec(path)?.slice(1);
  return values && names.map((name, at) => [name, decodeURIComponent(values[at] as string)] as const);
};

const noOperation = (judge: Judge, { delivery, method, path }: RequestMessage): Refusal => {
  const others = judge.document.operations
    .filter((one) => one.kind === "call" && matched(one.path, path) !== undefined)
    .map((one) => one.method);
  const served =
    others.length > 0 ? `serves only ${[...new Set(others)].join(", ")} there` : "has no such path";
  const text = delivery === undefined ? `it ${served}` : "it describes no such delivery";
  return { place: "operation", pointer: "", keyword: method, text };
};

const serverRefusals = ({ servers }: ApiOperation, { server }: RequestMessage): Refusal[] =>
  server === undefined || servers.urls.includes(server)
    ? []
    : [
        {
          place: "server",
          pointer: "",
          keyword: "servers",
          text: `it serves this at ${servers.urls.join(", ")}`,
        },
      ];

const textsAt = (
  { in: place }: ApiParameter,
  { query, headers, cookies }: RequestMessage,
  path: Found["pathTexts"],
): Found["pathTexts"] => ({ query, header: headers, cookie: cookies, path })[place];

/** Also for headers of a response. */
export const parameterRefusals = (
  judge: Judge,
  parameter: ApiParameter,
  texts: readonly (readonly [string, string])[],
  sender: Sender,
): Refusal[] => {
  const place = parameterKey(parameter);
  const readings = readingsOf(parameter, texts);
  if (readings.length === 0)
    return parameter.required ? [{ place, pointer: "", keyword: "required", text: "it is required" }] : [];
  const complaints = readings.map((value) => schemaRefusals(judge, place, parameter.schema, value, sender));
  return complaints.some((refusals) => refusals.length === 0) ? [] : complaints.flat();
};

const bodyRefusals = (
  judge: Judge,
  { body }: ApiOperation,
  request: RequestMessage,
  sender: Sender,
): Refusal[] => {
  if (body === undefined) return [];
  if (!("body" in request))
    return body.required
      ? [{ place: "body", pointer: "", keyword: "required", text: "a body is required" }]
      : [];
  const mediaType = Object.keys(body.content).find((one) => covers(one, request.mediaType ?? ""));
  if (mediaType === undefined && Object.keys(body.content).length > 0) {
    const text = `it takes ${Object.keys(body.content).join(", ")}`;
    return [{ place: "media type", pointer: "", keyword: request.mediaType ?? "", text }];
  }
  return schemaRefusals(judge, "body", body.content[mediaType ?? ""] ?? true, request.body, sender);
};

const credentialRefusals = ({ security }: ApiOperation, { credentials }: RequestMessage): Refusal[] => {
  const enough = security.alternatives.some((alternative) =>
    alternative.every((one) => carries(credentials, one)),
  );
  if (enough) return [];
  const wanted = security.alternatives.map((alternative) =>
    alternative.map(({ wire }) => wire).join(" and "),
  );
  return [
    { place: "credentials", pointer: "", keyword: "security", text: `it asks for ${wanted.join(", or ")}` },
  ];
};

const carries = (given: RequestMessage["credentials"], wanted: Credential): boolean =>
  given.some(
    ({ wire, scopes }) => wire === wanted.wire && wanted.scopes.every((scope) => scopes.includes(scope)),
  );
