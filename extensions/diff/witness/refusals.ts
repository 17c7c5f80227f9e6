/** Finds why a document refuses a message. Judges like a server or client that follows the document exactly. */
import { isSame } from "../../../helpers/contract/json.ts";
import { covers } from "../../../helpers/contract/media-type.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { percentDecoded } from "../../../helpers/contract/pointer.ts";
import { parameterKey } from "../document/messages.ts";
import {
  type ApiOperation,
  type ApiParameter,
  type ApiResponse,
  type Content,
  isSuccess,
  responseFor,
  sendersOf,
} from "../document/model.ts";
import { isEnough } from "../document/security-schemes.ts";
import type { Judge, SenderJudge } from "./judge.ts";
import type { Message, Refusal, RequestMessage, ResponseMessage } from "./message.ts";
import { type NamedTexts, readingsOf } from "./parameter-texts.ts";

/** Returns all refusals of a message by a document; an empty list if the document allows it. */
export const refusals = (judge: Judge, operation: ApiOperation | undefined, message: Message): Refusal[] => {
  if (message.kind === "request") return refusalsOfRequest(judge, message);
  return operation === undefined ? [] : refusalsOfResponse(judge, operation, message);
};

const refusalsOfRequest = (judge: Judge, request: RequestMessage): Refusal[] => {
  const found = findOperation(judge, request);
  if (found === undefined) return [noOperation(judge, request)];
  const { operation, pathTexts } = found;
  const own = judge.of(sendersOf(operation).request);
  const texts = { query: request.query, header: request.headers, cookie: request.cookies, path: pathTexts };
  return [
    ...serverRefusals(operation, request),
    ...operation.parameters.flatMap((parameter) =>
      parameterRefusals(own, parameter, texts[parameter.in], request.means),
    ),
    ...answerRefusals(operation, request),
    ...bodyRefusals(own, operation, request),
    ...credentialRefusals(operation, request),
  ];
};

/** Finds the operation of a request; templates with more literal segments win (OpenAPI, Path Templating Matching). */
export const findOperation = (
  judge: Judge,
  { delivery, method, path }: RequestMessage,
): { readonly operation: ApiOperation; readonly pathTexts: NamedTexts } | undefined => {
  if (delivery !== undefined) {
    const operation = judge.operations.get(delivery);
    return operation && { operation, pathTexts: [] };
  }
  const calls = judge.document.operations.filter((one) => one.kind === "call" && one.method === method);
  const [best] = calls
    .flatMap((operation) => {
      const pathTexts = matched(operation.path, path);
      return pathTexts === undefined ? [] : [{ operation, pathTexts }];
    })
    .sort((a, b) => a.pathTexts.length - b.pathTexts.length);
  return best;
};

const matched = (template: string, path: string): NamedTexts | undefined => {
  const { names, pattern } = getOrInsert(templates, template, () => {
    const [parts, given] = [template.split(/\{[^}]*\}/), [...template.matchAll(/\{([^}]*)\}/g)]];
    const literals = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return {
      names: given.map(([, name = ""]) => name),
      pattern: new RegExp(`^${literals.join("([^/]+)")}$`),
    };
  });
  const values = pattern.exec(path)?.slice(1);
  return values && names.map((name, at) => [name, percentDecoded(values[at] as string)] as const);
};

const templates = new Map<string, { readonly names: readonly string[]; readonly pattern: RegExp }>();

const noOperation = (judge: Judge, { delivery, method, path }: RequestMessage): Refusal => {
  const others = judge.document.operations
    .filter((one) => one.kind === "call" && matched(one.path, path) !== undefined)
    .map((one) => one.method);
  const served =
    others.length > 0 ? `serves only ${[...new Set(others)].join(", ")} there` : "has no such path";
  const text = delivery === undefined ? `it ${served}` : "it describes no such delivery";
  return refusal("operation", method, text);
};

const serverRefusals = ({ servers }: ApiOperation, { server }: RequestMessage): Refusal[] =>
  server === undefined || servers.urls.includes(server)
    ? []
    : [refusal("server", "servers", `it serves this at ${servers.urls.join(", ")}`)];

const parameterRefusals = (
  judge: SenderJudge,
  parameter: ApiParameter,
  texts: NamedTexts,
  means: RequestMessage["means"] = {},
): Refusal[] => {
  const place = parameterKey(parameter);
  if (parameter.allowEmptyValue && texts.some(([name, text]) => name === parameter.name && text === ""))
    return [];
  const readings = readingsOf(parameter, texts);
  if (readings === undefined) return [refusal(place, "style", "it is not in the style of the parameter")];
  if (place in means && !readings.some((reading) => isSame(reading, means[place])))
    return [refusal(place, "style", `it does not read it as ${JSON.stringify(means[place])}`)];
  if (readings.length === 0) return parameter.required ? [refusal(place, "required", "it is required")] : [];
  const complaints = readings.map((value) => schemaRefusals(judge, place, parameter.schema, value));
  return complaints.find((refusals) => refusals.length === 0) ?? closest(complaints);
};

/** Returns the refusals of the reading that has an allowed type, or else of the first reading. */
const closest = ([first = [], ...others]: readonly Refusal[][]): Refusal[] =>
  [first, ...others].find(
    (one) => !one.some(({ keyword, pointer }) => keyword === "type" && pointer === ""),
  ) ?? first;

/** Returns why no response is the one that the sender waits for, or has the media type that the sender accepts. */
const answerRefusals = ({ responses }: ApiOperation, { accept, awaits }: RequestMessage): Refusal[] => {
  const listed = Object.keys(responses).join(", ");
  const offered = Object.entries(responses).flatMap(([status, { content }]) =>
    isSuccess(status, responses) ? Object.keys(content) : [],
  );
  return [
    ...(awaits !== undefined && !Object.keys(responses).some((status) => isSuccess(status, responses))
      ? [refusal("status", awaits, `it answers with no success: it lists ${listed}`)]
      : []),
    ...(accept !== undefined && !offered.some((one) => covers(one, accept))
      ? [refusal("accept", accept, `it answers only with ${offered.join(", ")}`)]
      : []),
  ];
};

const bodyRefusals = (judge: SenderJudge, { body }: ApiOperation, request: RequestMessage): Refusal[] => {
  if (body === undefined) return [];
  if ("body" in request) return contentRefusals(judge, body.content, request, "body");
  return body.required ? [refusal("body", "required", "a body is required")] : [];
};

const LISTS = { body: "it accepts", "response body": "it lists" } as const;

const contentRefusals = (
  judge: SenderJudge,
  content: Content,
  { mediaType = "", body }: Message,
  place: keyof typeof LISTS,
): Refusal[] => {
  const listed = Object.keys(content);
  const covering = listed.find((one) => covers(one, mediaType));
  return covering === undefined && listed.length > 0
    ? [refusal("media type", mediaType, `${LISTS[place]} ${listed.join(", ")}`)]
    : schemaRefusals(judge, place, content[covering ?? ""] ?? true, body);
};

const credentialRefusals = ({ security }: ApiOperation, { credentials }: RequestMessage): Refusal[] => {
  if (isEnough(credentials, security)) return [];
  const wanted = security.alternatives.map((all) => all.map(({ wire }) => wire).join(" and "));
  return [refusal("credentials", "security", `it asks for ${wanted.join(", or ")}`)];
};

const refusalsOfResponse = (judge: Judge, operation: ApiOperation, message: ResponseMessage): Refusal[] => {
  const response = responseFor(operation, String(message.status));
  if (response === undefined) {
    const listed = Object.keys(operation.responses).join(", ");
    return [refusal("status", String(message.status), `it lists ${listed}`)];
  }
  const own = judge.of(sendersOf(operation).response);
  const headers = response.headers.flatMap((header) => parameterRefusals(own, header, message.headers));
  return [...headers, ...responseBodyRefusals(own, response, message)];
};

/** Returns the refusals of a body; a response without `content` does not restrict it. */
const responseBodyRefusals = (
  judge: SenderJudge,
  { content }: ApiResponse,
  message: ResponseMessage,
): Refusal[] => {
  if (Object.keys(content).length === 0) return [];
  if (!("body" in message)) return [refusal("response body", "content", "a body is needed")];
  return contentRefusals(judge, content, message, "response body");
};

const refusal = (place: string, keyword: string, text: string): Refusal => ({
  place,
  pointer: "",
  keyword,
  text,
});

/** @param at the pointer of the value in the place */
export const schemaRefusals = (
  judge: SenderJudge,
  place: string,
  schema: unknown,
  value: unknown,
  at = "",
): Refusal[] =>
  judge.validate(schema, value).map(({ pointer: inner, keyword, message }) => {
    const pointer = `${at}${inner}`;
    return { place, pointer, keyword, text: `${pointer === "" ? "it" : pointer} ${message}` };
  });
