/** Joins a contract with the provider's document: names and shapes from the document, behaviour from the contract. */

import type {
  Bindings,
  Contract,
  JsonSchema,
  MediaTypes,
  Operation,
  RequestBody,
  ResourcePlace,
  Response,
  Service,
  Shapes,
} from "../contract.ts";
import { errorAt } from "../documents/locate.ts";
import { defined } from "../json.ts";
import type { ListShape } from "../list-end.ts";
import { successBodies } from "../lookups.ts";
import { withoutNames } from "../names.ts";
import { operationsOf, securitySchemesOf } from "../operations.ts";
import { atPointer, escapeSegment, referenced, segmentsOf } from "../pointer.ts";
import { partsOf } from "../schemas/schema-visitor.ts";
import { annotated, type Carrier, carryAnnotations } from "./annotations.ts";
import { noteOurPlaces } from "./binding-fields.ts";
import { identifyPlace, relocated } from "./binding-places.ts";
import { nameResourcesIn, withNamedResources } from "./binding-resources.ts";
import { assertBound, bindingsOf, boundWithin, NONE } from "./bindings.ts";
import { listedBy } from "./dropped-statuses.ts";
import { inventedIn } from "./invented-fields.ts";
import { type ProviderDocument, placesOf } from "./provider-document.ts";
import { joinParameters } from "./provider-parameters.ts";
import { joinSecuritySchemes, ownNames } from "./provider-security.ts";

/**
 * Replaces assumed shapes with the provider's, and keeps documented shapes. Pairs operations by operationId, then by
 * method and path. Keeps and lists operations that only one side has.
 * @param corrections the user's, of the bindings
 * @throws ContractError when the provider's document is invalid, or a correction names a place that it does not have
 */
export const joinProvider = (
  ours: Shapes & Pick<Contract, "securitySchemes">,
  provider: ProviderDocument,
  service: Service,
  corrections: Bindings,
): Shapes & Pick<Contract, "securitySchemes" | "provider" | "differences" | "bindings"> => {
  const theirs = operationsOf(provider.document, service, "provider", true);
  refuseDuplicates(provider, theirs);
  const partners = partnersOf(ours.operations, theirs);
  const join = createJoin(ours.schemas, schemasOf(provider));
  const joined = joinOperations(join, ours.operations, partners, corrections);
  const matched = new Set(partners.values());
  const added = theirs.filter((operation) => !matched.has(operation));
  const { version, digest, document } = provider;
  const theirSchemes = securitySchemesOf(document);
  const named = withNamedResources(ours);
  const nameIn = nameResourcesIn(ours);
  return {
    operations: [
      ...joined,
      ...added.map((operation) => named(nameIn(ownNames(operation, ours, theirSchemes)))),
    ],
    schemas: join.schemas,
    securitySchemes: joinSecuritySchemes(ours.securitySchemes, theirSchemes),
    provider: { file: document.main.name, version, digest },
    bindings: bindingsOf(ours, { operations: joined, schemas: join.schemas }),
    differences: {
      ...differencesOf(ours.operations, partners, added),
      invented: ours.operations.flatMap((own, index) => {
        const both = partners.has(own) ? joined[index] : undefined;
        return both === undefined ? [] : inventedIn([ours.schemas, own], [join.schemas, both]);
      }),
      contradictions: provider.contradictions.map(placesOf),
      statuses: Object.fromEntries([...partners].map(([own, theirs]) => [own.operationId, listedBy(theirs)])),
    },
  };
};

const refuseDuplicates = ({ document }: ProviderDocument, theirs: readonly Operation[]): void => {
  const seen = new Set<string>();
  const twice = theirs.find(({ operationId }) => seen.size === seen.add(operationId).size);
  if (twice === undefined) return;
  const problem = `operationId ${twice.operationId} occurs twice`;
  const hint = "Give each operation a unique operationId.";
  throw errorAt(document.main, `/paths/${escapeSegment(twice.path)}`, problem, hint);
};

/** Returns method and path; the names of path parameters do not matter. */
const routeOf = ({ method, path }: Operation): string => `${method} ${withoutNames(path).replace(/\/$/, "")}`;

/** Pairs the operations of one operationId, and then the others of one route. */
const partnersOf = (
  ours: readonly Operation[],
  theirs: readonly Operation[],
): ReadonlyMap<Operation, Operation> => {
  const partners = new Map<Operation, Operation>();
  for (const keyOf of [({ operationId }: Operation) => operationId, routeOf]) {
    const taken = new Set(partners.values());
    const free = new Map(theirs.filter((one) => !taken.has(one)).map((one) => [keyOf(one), one]));
    for (const operation of ours.filter((one) => !partners.has(one))) {
      const partner = free.get(keyOf(operation));
      if (partner !== undefined) partners.set(operation, partner);
    }
  }
  return partners;
};

const differencesOf = (
  ours: readonly Operation[],
  partners: ReadonlyMap<Operation, Operation>,
  added: readonly Operation[],
): Pick<Contract["differences"], "lacking" | "added"> => ({
  lacking: ours.filter((operation) => !partners.has(operation)).map(({ operationId }) => operationId),
  added: added.map(({ method, path, operationId }) => `${method} ${path} (${operationId})`),
});

const schemasOf = ({ document }: ProviderDocument): Record<string, JsonSchema> => {
  const schemas = (atPointer(document.root, "/components/schemas") ?? {}) as Record<string, JsonSchema>;
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, { ...schema, "x-level": "provider" }]),
  );
};

export interface Join {
  readonly carrier: Carrier;
  /** The schemas of both. If both have a name, uses the provider's schema when ours is assumed, and ours otherwise. */
  readonly schemas: Contract["schemas"];
}

const createJoin = (ours: Contract["schemas"], theirs: Record<string, JsonSchema>): Join => {
  const carrier: Carrier = { ours, theirs, done: new WeakMap() };
  const size = (schema: JsonSchema): number => partsOf(theirs, schema).length;
  // Annotate parts before the schemas that are composed of them.
  const ordered = Object.entries(theirs).sort(([, one], [, other]) => size(one) - size(other));
  for (const [name, schema] of ordered) carryAnnotations(carrier, ours[name], schema);
  const staying = Object.entries(ours).filter(
    ([name, schema]) => theirs[name] === undefined || schema["x-level"] !== "assumed",
  );
  return { carrier, schemas: { ...theirs, ...Object.fromEntries(staying) } };
};

const joinOperations = (
  join: Join,
  ours: readonly Operation[],
  partners: ReadonlyMap<Operation, Operation>,
  corrections: Bindings,
): Operation[] => {
  // Operations may share a component: what a correction says of it has to be noted first.
  const corrected = ours.filter(({ operationId }) => corrections[operationId] !== undefined);
  const joined = new Map(
    [...new Set([...corrected, ...ours])].map((operation) => {
      const partner = partners.get(operation);
      const bound = corrections[operation.operationId] ?? {};
      return [operation, partner === undefined ? operation : joinOperation(join, operation, partner, bound)];
    }),
  );
  return ours.map((operation) => joined.get(operation) as Operation);
};

const joinOperation = (
  join: Join,
  ours: Operation,
  theirs: Operation,
  bound: Bindings[string],
): Operation => {
  assertBound(ours.operationId, bound, theirs, join.carrier.theirs);
  const path = covers(theirs.path, ours.path) ? ours.path : theirs.path;
  const { parameters, names } = joinParameters(join, { ...theirs, path }, ours, bound);
  const inResponse = boundWithin(bound, "response ");
  const responses = joinResponses(join, ours, theirs, inResponse);
  const body = joinBody(join, ours, theirs, boundWithin(bound, "request "));
  const { requestBody: _, list, token, progress, paging, ...kept } = ours;
  const { placed, shown } = placing(join, successBodies({ responses }), inResponse);
  const renamed = paging && names.paging(paging);
  const theirList = list && listAt(list, placed);
  return {
    ...kept,
    ...{ method: theirs.method, path, ...defined({ sunset: theirs.sunset }) },
    deprecated: ours.deprecated || theirs.deprecated,
    parameters,
    responses,
    produces: shown(ours.produces),
    finds: shown(ours.finds),
    parameterSets: names.sets(ours.parameterSets),
    ...(body && { requestBody: body }),
    ...(theirList && { list: theirList }),
    ...(theirs.statusClasses && { statusClasses: theirs.statusClasses }),
    ...defined({ token: token && placed(token), progress: progress && placed(progress) }),
    ...(renamed && { paging: renamed }),
  };
};

/** Finds the places of bodies at which the provider's document has what the contract names. */
const placing = ({ schemas }: Join, bodies: readonly JsonSchema[], bound: Bindings[string]) => {
  const placed = (pointer: string): string | undefined => {
    const known = bound[pointer];
    if (known !== undefined) return known === NONE ? undefined : known;
    return bodies.map((body) => relocated(schemas, body, pointer)).find((place) => place !== undefined);
  };
  const shown = (places: readonly ResourcePlace[]): ResourcePlace[] =>
    places.flatMap(({ resource, pointer }) => {
      const place = placed(pointer);
      if (place === undefined) return [];
      for (const body of bodies) identifyPlace(schemas, body, segmentsOf(place), resource);
      return [{ resource, pointer: place }];
    });
  return { placed, shown };
};

/** Returns the places of a list and of the facts about it; `undefined` if the provider's document shows no such list. */
const listAt = (
  { items, ...facts }: ListShape,
  placed: (pointer: string) => string | undefined,
): ListShape | undefined => {
  const place = placed(items);
  if (place === undefined) return undefined;
  const known = Object.entries(facts).map(([fact, pointer]) => [fact, placed(pointer) ?? pointer]);
  return { items: place, ...Object.fromEntries(known) };
};

/**
 * Whether the template matches the path and gives its parameters the same names: `/users/{type}` covers
 * `/users/business`.
 */
const covers = (template: string, path: string): boolean => {
  const [wide, narrow] = [template.split("/"), path.split("/")];
  return (
    wide.length === narrow.length &&
    wide.every(
      (segment, index) =>
        segment === narrow[index] || (/^\{.*\}$/.test(segment) && !narrow[index]?.startsWith("{")),
    )
  );
};

const joinBody = (
  join: Join,
  ours: Operation,
  theirs: Operation,
  bound: Bindings[string],
): RequestBody | undefined => {
  const [own, given] = [ours.requestBody, theirs.requestBody];
  if (own === undefined || given === undefined) return own ?? (given && { ...given, level: "provider" });
  if (!isAssumed(join, own.content)) return own;
  const required = own.required || given.required;
  const content = shaped(join, own.content, given.content, bound);
  return { ...own, required, content, ...defined({ jsonType: given.jsonType }), level: "provider" };
};

const joinResponses = (
  join: Join,
  ours: Operation,
  theirs: Operation,
  bound: Bindings[string],
): Operation["responses"] => {
  const statuses = [...new Set([...Object.keys(ours.responses), ...Object.keys(theirs.responses)])].sort();
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      joinResponse(join, ours.responses[status], theirs.responses[status], bound),
    ]),
  ) as Operation["responses"];
};

const joinResponse = (
  join: Join,
  own: Response | undefined,
  given: Response | undefined,
  bound: Bindings[string],
): Response | undefined => {
  if (own === undefined || given === undefined) return own ?? given;
  const { mediaTypes = [], headers = {} } = given;
  // A documented media type is right even if the provider's document does not list it.
  const types = [...mediaTypes, ...Object.keys(own.content).filter((type) => !mediaTypes.includes(type))];
  const parts = { mediaTypes: mediaTypes.length === 0 ? [] : types, headers };
  if (!isAssumed(join, own.content)) return { ...own, ...parts };
  return {
    ...own,
    ...parts,
    content: { ...own.content, ...shaped(join, own.content, given.content, bound) },
    ...defined({ jsonType: given.jsonType }),
  };
};

/** Whether every body that the contract shows is assumed; true if it shows none. */
const isAssumed = ({ carrier: { ours } }: Join, content: MediaTypes): boolean =>
  Object.values(content).every(
    ({ $ref, "x-level": level = referenced($ref, ours)?.["x-level"] }) => level === "assumed",
  );

const shaped = ({ carrier }: Join, own: MediaTypes, given: MediaTypes, bound: Bindings[string]): MediaTypes =>
  Object.fromEntries(
    Object.entries(given).map(([type, schema]) => {
      const counterpart = own[type] ?? Object.values(own)[0];
      carryAnnotations(carrier, counterpart, schema);
      noteOurPlaces(carrier, counterpart, schema, bound);
      const noted = counterpart === undefined ? schema : annotated(carrier, counterpart, schema);
      return [type, { ...noted, "x-level": "provider" }];
    }),
  );
