/** Finds the parts of a contract by name. Each index is made once, because a document may have thousands of operations. */
import { because, type Reason } from "../reasons/reason.ts";
import type {
  Contract,
  JsonSchema,
  Operation,
  Parameter,
  Requirement,
  ResourcePlace,
  Response,
  Rule,
} from "./contract.ts";
import { getOrInsert, groupBy, memoize } from "./memoize.ts";
import { loose } from "./names.ts";
import { componentNamed } from "./pointer.ts";
import type { SecurityScheme } from "./security-scheme.ts";

/** Returns the operations by their operationId. */
export const operationsById = memoize(
  ({ operations }: Contract) => new Map(operations.map((operation) => [operation.operationId, operation])),
);

export const requirementOf = (contract: Contract, id: string): Requirement | undefined =>
  requirementsById(contract).get(id);

const requirementsById = memoize(
  ({ requirements }: Contract) => new Map(requirements.map((one) => [one.id, one] as const)),
);

/** Returns the response that the document describes for a status, by itself or by its class. */
export const responseOf = (
  { responses, statusClasses = {} }: Pick<Operation, "responses" | "statusClasses">,
  status: number,
): Response | undefined => responses[status] ?? responses[statusClasses[`${String(status)[0]}XX`] ?? ""];

/** Returns the schemas of the bodies of successes. */
export const successBodies = ({ responses }: Pick<Operation, "responses">): JsonSchema[] =>
  Object.values(responses).flatMap(({ status, content }) => (status < 300 ? Object.values(content) : []));

/** Whether an operation makes something on the target, with or without an identifier that its answer shows. */
export const creates = ({ produces, leaves }: Pick<Operation, "produces" | "leaves">): boolean =>
  produces.length > 0 || leaves !== undefined;

/** Whether the announced last day of an operation has begun: it may end earlier in another time zone. */
export const mayHaveEnded = (sunset: Operation["sunset"], at = Date.now()): boolean =>
  sunset !== undefined && at >= Date.parse(sunset);

/** Whether the service makes the call itself, or its document lets it refuse every call: nobody is blamed for that. */
export const mayAlwaysRefuse = (one: Operation): boolean =>
  [one.outbound, one.internal, one.beta, one.legacy, mayHaveEnded(one.sunset)].includes(true) ||
  // The status that a document lacks stands for its class.
  Object.values(one.responses).every(({ status, ofClass }) => status >= 400 || ofClass === "2XX");

/** Returns the rules of the requests of an operation, in the order of the document. */
export const requestRulesOf = ({ rules }: Contract, operationId: string): readonly Rule[] =>
  rulesByUse(rules).get(`${operationId} request`) ?? [];

/** Returns the rules of the successes of an operation, in the order of the document. */
export const successRulesOf = (rules: readonly Rule[], operationId = ""): readonly Rule[] =>
  rulesByUse(rules).get(`${operationId} success`) ?? [];

const rulesByUse = memoize((rules: readonly Rule[]) =>
  groupBy(rules, ({ operationId, direction, status = 0 }) =>
    [operationId, direction === "response" && status < 300 ? "success" : direction].join(" "),
  ),
);

/** Returns the rules of a requirement, in the order of the document. */
export const rulesOfRequirement = (contract: Contract, id: string): readonly Rule[] =>
  rulesByRequirement(contract).get(id) ?? [];

const rulesByRequirement = memoize(({ rules }: Contract) => groupBy(rules, ({ requirement }) => requirement));

/** Returns the rules of bodies of a media type. A contract may have thousands, which every response needs. */
export const rulesOfType = memoize((rules: readonly Rule[]) => {
  const known = new Map<string, readonly Rule[]>();
  return (type: string): readonly Rule[] =>
    getOrInsert(known, type, () => rules.filter((rule) => (rule.mediaType ?? type) === type));
});

/** Says what settles a name or a shape that the contract assumes: the provider's document, unless it was given. */
export const unsettled = ({ service, provider }: Contract, seen: string): Reason =>
  provider === null ? because("document-would-settle", seen, service) : because("document-leaves-open", seen);

/** Explains a refusal of a call that should be valid. @param seen the refusal */
export const doubtAboutCall = (
  contract: Contract,
  { level, requestBody, parameters }: Operation,
  seen: string,
): Reason =>
  [requestBody?.level ?? level, ...parameters.map((one) => one.level)].includes("assumed")
    ? unsettled(contract, `${seen}, and which payload is valid is assumed`)
    : because("call-incomplete", seen);

/** Returns the parameter that has the name in the contract, although the provider's document may name it otherwise. */
export const parameterNamed = (
  { parameters }: Operation,
  name = "",
  place: Parameter["in"] = "query",
): Parameter | undefined =>
  parameters.find(({ in: own, name: theirs, ours = theirs }) => own === place && loose(ours) === loose(name));

/** Returns the last parameter of the path: the one that names what the call is about. */
export const lastOfPath = ({ parameters }: Pick<Operation, "parameters">): Parameter | undefined =>
  parameters.findLast(({ in: place }) => place === "path");

/**
 * Returns the kind of the resource that a call names by a parameter of its path, or by a field at the top of its body.
 * @param name by default the last parameter of the path
 */
export const resourceNamed = (contract: Contract, operation: Operation, name?: string): string | undefined =>
  name === undefined
    ? lastOfPath(operation)?.resource
    : (parameterNamed(operation, name, "path")?.resource ??
      placesIn(contract, operation, "request").find(({ pointer }) => pointer === `/${name}`)?.resource);

/** Returns the places of resources in the body of a request, or of a successful answer. */
export const placesIn = (
  contract: Contract,
  { operationId }: Pick<Operation, "operationId">,
  direction: Rule["direction"] = "response",
): readonly ResourcePlace[] => [...(placesBy(contract)[direction].get(operationId)?.values() ?? [])];

/** The places by operation, then by pointer. */
const placesBy = memoize((contract: Contract) => {
  const places = {
    request: new Map<string, Map<string, ResourcePlace>>(),
    response: new Map(
      contract.operations.map(({ operationId, shows }) => [
        operationId,
        new Map(shows.map((place) => [place.pointer, place])),
      ]),
    ),
  };
  for (const { direction, status = 0, schema, pointer, operationId, place, within } of contract.rules) {
    const resource = schema["x-resource"] ?? (direction === "request" && schema["x-names"]);
    if (typeof resource !== "string" || status >= 300 || place !== undefined || within !== undefined)
      continue;
    const own = getOrInsert(places[direction], operationId, () => new Map());
    if (!own.has(pointer)) own.set(pointer, { resource, pointer });
  }
  return places;
});

const headerName = (scheme: SecurityScheme | undefined): string => scheme?.header.toLowerCase() ?? "";

/** Returns the lower-case header of a scheme; an empty text if there is no such scheme. @param scheme its name */
export const headerOf = ({ securitySchemes }: Pick<Contract, "securitySchemes">, scheme: string): string =>
  headerName(securitySchemes.find(({ name }) => name === scheme));

/** Returns the lower-case header of the access token; an empty text if there is none. Nobody configures its value. */
export const tokenHeader = ({ securitySchemes }: Pick<Contract, "securitySchemes">): string =>
  headerName(securitySchemes.find(({ configuration }) => configuration === undefined));

/** `the schema Parcel`; `its schema` if it has no name in the contract. */
export const schemaWords = ({ schemas }: Pick<Contract, "schemas">, schema: JsonSchema): string => {
  const name = componentNamed(schema.$ref) ?? Object.keys(schemas).find((one) => schemas[one] === schema);
  return name === undefined ? "its schema" : `the schema ${name}`;
};
