/** Derives the requirements that every operation has from its documented statuses and its security. */
import type { Level, Operation, Parameter, Requirement, Rule } from "./contract.ts";
import { ownPlaces } from "./own-places.ts";
import { textsIn } from "./response-parts.ts";

/** A requirement that an operation may have: whether it has it, the end of its id, its kind, its statement and its level. */
type Row = readonly [isStated: boolean, suffix: string, kind: string, statement: string, level?: Level];

/**
 * @param source document and section, as requirements cite them
 * @param all operations and rules of the service
 */
export const operationRequirements = (
  operation: Operation,
  source: string,
  { operations, rules }: { readonly operations: readonly Operation[]; readonly rules: readonly Rule[] },
): Requirement[] => {
  const { operationId: id, level, security, shows, produces, deliveries } = operation;
  const own = ownPlaces(operation, rules).map(({ parameter }) => parameter);
  const isOfSeveral = own.some((parameter) => canNameTwo(operation, parameter, operations));
  const isMaking = produces.length > 0 && deliveries === undefined;
  const success = successStatuses(operation).join(" or ");
  const unknown = identifiersOf(operation).map(
    ({ name }): Row => [
      true,
      `unknown-${name}`,
      "status",
      `${id} ${unknownWords(operation)} an unknown ${name}.`,
    ],
  );
  return statedIn(operation, source, level, [
    [true, "success", "status", `${id} answers a valid call with ${success}.`],
    [security.length > 1, "unauthenticated", "auth", `${id} refuses a call without credentials with 401.`],
    ...unknown,
    [refusesMediaTypes(operation), REQUEST_TYPE, "request", `${id} ${REFUSES_TYPES}`],
    [refusesStates(operation), STALE, "behaviour", `${id} ${REFUSES_STATES}`],
    [isOfSeveral, OWN_RESOURCE, "behaviour", `${id} ${ANSWERS_OWN}`, shows.length > 0 ? "assumed" : level],
    [isMaking, DISTINCT_IDS, "behaviour", `${id} gives each resource that it creates its own identifier.`],
  ]);
};

const REFUSES_TYPES = "refuses a body of a media type that its document does not list.";
const REFUSES_STATES = "refuses a call whose If-Match names another state of the resource with 412.";
const ANSWERS_OWN = "answers about the resource that its path names.";

/** @param level of the rows that state none */
const statedIn = (
  { operationId, service, hazards }: Operation,
  source: string,
  level: Level,
  rows: readonly Row[],
): Requirement[] =>
  rows.flatMap(([isStated, suffix, kind, statement, own = level]) =>
    isStated
      ? {
          ...{ id: `${service}.${operationId}.${suffix}`, service, level: own, statement, source },
          ...{ operations: [operationId], kind, subject: "service", observable: "needs-setup", hazards },
          setup: "a call that the service accepts",
        }
      : [],
  );

/** Derives the requirements about media types, texts and headers of answers, if a document states them. */
export const answerRequirements = (operation: Operation, source: string, level: Level): Requirement[] => {
  const { operationId, responses, refusalHazards, outbound } = operation;
  // The scenarios of a log-in state what they try.
  if (level === "provider" && (refusalHazards.length > 0 || outbound)) return [];
  const answers = Object.values(responses).filter(({ mediaTypes }) => mediaTypes !== undefined);
  const isTyped = answers.some(
    ({ mediaTypes = [] }) => mediaTypes.length > 0 && !mediaTypes.includes(ANY_TYPE),
  );
  const isText = answers.some(({ content }) => textsIn(content).length > 0);
  const types = `The answers of ${operationId} have media types that its document lists.`;
  const headers = headersOf(operation).map((name): Row => {
    const statement = `The header ${name} of the answers of ${operationId} is as documented.`;
    return [true, headerSuffix(name), "response", statement];
  });
  return statedIn(operation, source, level, [
    [isTyped, MEDIA_TYPE, "response", types],
    [isText, TEXT, "response", `The texts that ${operationId} answers with fit their schema.`],
    ...headers,
  ]);
};

const ANY_TYPE = "*/*";

/** Whether a document lists 415 itself, and each media type of the body by its name. */
const refusesMediaTypes = ({ requestBody, responses }: Operation): boolean => {
  const refusal = responses[415];
  return (
    requestBody?.required === true &&
    refusal?.mediaTypes !== undefined &&
    refusal.ofClass === undefined &&
    !Object.keys(requestBody.content).some((type) => type.includes("*"))
  );
};

/** Whether a document lists 412 itself, and the condition that it answers (RFC 9110, 13.1.1). */
const refusesStates = ({ parameters, responses }: Operation): boolean =>
  responses[412] !== undefined &&
  responses[412].ofClass === undefined &&
  parameters.some(({ in: place, name }) => namesCondition(place, name));

/** Whether a place is a form in a body. */
export const isInForm = (place: string | undefined): place is "form" | "part" =>
  place === "form" || place === "part";

/** Whether a parameter is a condition that only a value of the server fulfils, or `*`. */
export const namesCondition = (place: string | undefined, name = ""): boolean =>
  place === "header" && /^if-match$/i.test(name);

/** The end of the ids of requirements about conditions of requests. */
export const STALE = "stale-condition";

/** The end of the ids of requirements about the media types of requests. */
export const REQUEST_TYPE = "request.media-type";

/** The end of the ids of requirements about the media types of answers. */
export const MEDIA_TYPE = "response.media-type";

/** The end of the ids of requirements about texts in other media types than JSON. */
export const TEXT = "response.text";

/** Returns the end of the id of the requirement about a header of answers. */
export const headerSuffix = (name: string): string => `response.header.${name.toLowerCase()}`;

/** Returns the names of the headers of answers that a document demands or restricts. */
export const headersOf = ({ responses }: Operation): string[] => [
  ...new Set(
    Object.values(responses).flatMap(({ headers = {} }) =>
      Object.entries(headers).flatMap(([name, { required, schema }]) =>
        required || Object.keys(schema).length > 0 ? [name] : [],
      ),
    ),
  ),
];

/** Whether a run can learn a second resource. For a document of others, a run knows one unless a call makes or lists more. */
const canNameTwo = ({ shows }: Operation, { resource }: Parameter, all: readonly Operation[]): boolean =>
  shows.length === 0 ||
  all.some(({ produces, finds }) => [...produces, ...finds].some((place) => place.resource === resource));

const unknownWords = ({ responses }: Operation): string =>
  responses[404]?.ofClass === undefined ? "answers 404 to" : "refuses";

/** Returns the statuses with which an operation refuses an unknown identifier: any client error of a class such as `4XX`. */
export const unknownStatuses = ({ responses }: Operation): readonly number[] =>
  responses[404]?.ofClass === undefined ? [404] : Array.from({ length: 100 }, (_, index) => 400 + index);

/** The end of the ids of requirements about the resource in the path. */
export const OWN_RESOURCE = "own-resource";

/** The end of the ids of requirements about the identifiers of created resources. */
export const DISTINCT_IDS = "distinct-ids";

/** Returns the documented success statuses. Excludes 203, which asks the client for more input first. */
export const successStatuses = ({ responses }: Operation): number[] =>
  Object.values(responses)
    .map(({ status }) => status)
    .filter((status) => status >= 200 && status < 300 && status !== 203);

/** Returns the path parameters for which the document answers an unknown value with 404. */
export const identifiersOf = ({ parameters, responses }: Operation): Parameter[] =>
  responses["404"] === undefined
    ? []
    : parameters.filter((parameter) => parameter.in === "path" && parameter.resource !== undefined);
