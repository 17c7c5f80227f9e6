/** Processes one request to an operation: authenticate, read, validate, handle. */
import type { IncomingHttpHeaders } from "node:http";
import type { JsonSchema, Operation, Parameter } from "../../helpers/contract/contract.ts";
import { essenceOf, JSON_TYPE, jsonTypeIn } from "../../helpers/contract/media-type.ts";
import { memoize } from "../../helpers/contract/memoize.ts";
import { placeInForm } from "../../helpers/contract/schemas/form-fields.ts";
import { type Answer, type Call, type Refusal, refusalFor } from "./call.ts";
import { withAnyParent } from "./deviations/any-parent.ts";
import { withPageFiltered } from "./deviations/filtered-pages.ts";
import { withoutIgnored } from "./deviations/from-relations.ts";
import { withGivenValues } from "./deviations/given-values.ts";
import { withLateReads } from "./deviations/late-reads.ts";
import { mixed } from "./deviations/mixed-answers.ts";
import { withSibling } from "./deviations/siblings.ts";
import { sentForm, withoutFiles } from "./forms.ts";
import { cookiesIn, typedParameters } from "./parameters.ts";
import type { OpenService } from "./service.ts";
import { statelessAnswer } from "./stateless.ts";
import type { ServiceInstance } from "./tenant.ts";
import type { Validators, Violation } from "./validators.ts";
import type { Fields } from "./values/fields.ts";
import { parsedJson, withLargeAsTexts } from "./values/parsed-json.ts";
import { violationsInWords } from "./wording.ts";

export interface Incoming {
  readonly headers: IncomingHttpHeaders;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Fields;
  readonly bytes: Buffer;
}

export const answerTo = async (
  instance: ServiceInstance,
  operation: Operation,
  incoming: Incoming,
): Promise<Answer> => {
  const { open, effects } = instance;
  const { headers, path } = incoming;
  const { validators, behaves: faulty } = effects;
  const query = withPageSize(
    instance,
    operation,
    typedParameters(operation, "query", incoming.query, validators.flatten),
  );
  const callWith = (body: unknown): Call => ({
    operation,
    headers,
    path,
    query,
    body,
    validators,
    faulty,
    differs: faulty,
  });
  const unauthenticated = open.authenticate(callWith(undefined));
  if (unauthenticated !== undefined) return unauthenticated;
  const recorded = instance.playback?.answer(operation, incoming);
  if (recorded !== undefined) return recorded;
  const parameters = invalidParameters(operation, incoming, query, validators);
  if (parameters !== undefined) return refuse(instance, operation, parameters);
  const read = await readBody(operation, incoming, instance);
  if ("refusal" in read) return refuse(instance, operation, read.refusal);
  const sent = { ...callWith(read.body), query: withoutIgnored(operation, query, faulty) };
  const refusal = invalid({ ...sent, body: read.numeric ?? read.body }, read);
  if (refusal !== undefined) return refuse(instance, operation, refusal);
  const call = read.place === "part" ? { ...sent, body: withoutFiles(operation, read.body) } : sent;
  const { contract } = instance.mounted;
  const handled = (one: Call): Promise<Answer> => {
    const handle = (service: OpenService): Answer | Promise<Answer> =>
      // A state before a log-in does not know its token.
      (service === open ? undefined : service.authenticate(one)) ??
      service.handlers[operation.operationId]?.(one) ??
      statelessAnswer(instance, one);
    return mixed(instance, operation, one, () => withLateReads(instance, operation, handle));
  };
  const answer = await withSibling(instance, contract, call, (one) =>
    withGivenValues(instance, contract, one, (read) =>
      withPageFiltered(contract, read, (page) => withAnyParent(instance, page, handled)),
    ),
  );
  return instance.playback?.handled(operation, incoming, answer) ?? answer;
};

const refuse = ({ mounted, open }: ServiceInstance, operation: Operation, refusal: Refusal): Answer => {
  const { service, contract } = mounted;
  const answer = service.refuse(documented(operation, refusal), { contract, operation });
  return open.inWords?.(answer, operation) ?? answer;
};

const SIZES = ["limit", "size", "pageSize"];

/** Applies the page size of a permitted difference when neither the call nor the contract gives one. */
const withPageSize = (
  { habits: { pageSize } }: ServiceInstance,
  { parameters }: Operation,
  query: Fields,
): Fields => {
  if (pageSize === undefined) return query;
  const size = parameters.find(({ name, in: place }) => place === "query" && SIZES.includes(name));
  if (size === undefined) return query;
  return size.schema.default === undefined ? { [size.name]: pageSize, ...query } : query;
};

/** Replaces an undocumented client error by 400, because all documents define the meaning of 400. */
export const documented = ({ responses }: Operation, refusal: Refusal): Refusal =>
  refusal.status < 500 && responses[refusal.status] === undefined ? { ...refusal, status: 400 } : refusal;

/** Returns 2 if a request has valid parameters of the operation and names resources that exist, 1 if only its path is valid. */
export const fitOf = (
  { open, effects: { validators } }: ServiceInstance,
  operation: Operation,
  incoming: Incoming,
): number => {
  const query = typedParameters(operation, "query", incoming.query, validators.flatten);
  const isUnknown = operation.parameters.some(
    ({ in: place, name, resource }) =>
      place === "path" &&
      resource !== undefined &&
      open.gave?.(resource, incoming.path[name] ?? "") === false,
  );
  if (!isUnknown && violationsIn(operation, incoming, query, validators).length === 0) return 2;
  const path = typedParameters(operation, "path", incoming.path, validators.flatten);
  return (validators.parameters(operation, "path")?.(path) ?? []).length === 0 ? 1 : 0;
};

const violationsIn = (
  operation: Operation,
  { headers, path }: Incoming,
  query: Fields,
  validators: Validators,
): readonly Violation[] =>
  placesOf(operation).flatMap((place) => {
    const received = place === "path" ? path : place === "cookie" ? cookiesIn(headers.cookie) : headers;
    const sent = place === "query" ? query : typedParameters(operation, place, received, validators.flatten);
    return validators.parameters(operation, place)?.(sent) ?? [];
  });

const invalidParameters = (
  operation: Operation,
  incoming: Incoming,
  query: Fields,
  validators: Validators,
): Refusal | undefined => {
  const violations = violationsIn(operation, incoming, query, validators);
  if (violations.length === 0) return undefined;
  const refusal = refusalFor("invalid-parameter", { violations });
  const status = operation.responses[400] === undefined && operation.responses[404] !== undefined ? 404 : 400;
  return { ...refusal, status, message: `${refusal.message}${violationsInWords(violations)}.` };
};

/** Returns the places in which an operation has parameters that can be invalid. */
const placesOf = memoize(({ parameters }: Operation) =>
  (["path", "query", "header", "cookie"] as const).filter((place) =>
    parameters.some((parameter) => parameter.in === place && !isAnyText(parameter)),
  ),
);

/** Whether any text is valid. A path parameter is always present and always a text. */
const isAnyText = ({ in: place, schema }: Parameter): boolean =>
  place === "path" && Object.keys(schema).every((keyword) => keyword === "type" && schema.type === "string");

interface Body {
  readonly body: unknown;
  /** The same with a number for each large identifier, as schemas demand. */
  readonly numeric?: unknown;
  readonly place?: Parameter["in"];
  /** The schema of a further media type of JSON. */
  readonly schema?: JsonSchema | undefined;
}

const readBody = async (
  operation: Operation,
  { headers, bytes }: Incoming,
  { effects: { behaves: faulty, validators }, large }: ServiceInstance,
): Promise<Body | { readonly refusal: Refusal }> => {
  if (operation.requestBody === undefined) return { body: undefined };
  const { required, content, jsonType } = operation.requestBody;
  const type = essenceOf(headers["content-type"] ?? "");
  // A form without fields has no bytes.
  if (bytes.length === 0 && !(placeInForm(type) === "form" && Object.hasOwn(content, type))) {
    const demanded = required || faulty(`body-demanded-${operation.operationId}`);
    if (!demanded || faulty("missing-body-accepted")) return { body: undefined };
    return { refusal: refusalFor("missing-body") };
  }
  const isAny = faulty(`any-content-type-${operation.operationId}`);
  const types = Object.keys(content).map((one) => (one === JSON_TYPE ? (jsonType ?? one) : one));
  const isListed = types.some((one) => essenceOf(one) === type);
  const isJson =
    content[JSON_TYPE] !== undefined && (isAny || (isListed && jsonTypeIn([type]) !== undefined));
  if (!(isListed || isAny) || faulty("content-type-refused")) {
    const message = `The body must have one of these content types: ${types.join(", ")}.`;
    return { refusal: refusalFor("content-type", { message }) };
  }
  const place = isJson ? undefined : placeInForm(type);
  if (place !== undefined) {
    const sent = await sentForm(String(headers["content-type"]), bytes);
    if (sent === undefined) return { refusal: refusalFor("malformed-request", { message: UNREAD }) };
    return { body: typedParameters(operation, place, sent, validators.flatten), place };
  }
  if (!isJson) return { body: type.startsWith("text/") ? bytes.toString("utf8") : undefined };
  try {
    return { ...readJson(bytes, large), schema: type === JSON_TYPE ? undefined : content[type] };
  } catch {
    if (faulty("malformed-json-accepted")) return { body: undefined };
    return { refusal: refusalFor("malformed-json") };
  }
};

const UNREAD = "The body is no form of its content type.";

/** @throws SyntaxError or TypeError for what is not JSON in UTF-8 */
const readJson = (bytes: Buffer, large: ServiceInstance["large"]): Pick<Body, "body" | "numeric"> => {
  // JSON is UTF-8, and a reader may ignore a byte order mark (RFC 8259, 8.1).
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const numeric = parsedJson(text);
  if (large.size === 0) return { body: numeric, numeric };
  return { body: parsedJson(withLargeAsTexts(text, (digits) => large.has(digits))), numeric };
};

const invalidBody = (violations: readonly Violation[]): Refusal =>
  refusalFor("invalid-body", {
    violations,
    message: `The body does not fit its schema: ${violationsInWords(violations)}.`,
  });

const invalid = (
  { operation, validators, body, faulty }: Call,
  { place, schema }: Body,
): Refusal | undefined => {
  if (body === undefined || faulty("schema-not-enforced")) return undefined;
  const own = schema === undefined ? validators.body(operation) : validators.answer(schema);
  const validate = place === undefined ? own : validators.parameters(operation, place);
  const violations = validate?.(body) ?? [];
  return violations.length === 0 ? undefined : invalidBody(violations);
};
