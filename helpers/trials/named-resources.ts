/** Finds the resources and their identifiers that requests and answers name, by the places that the contract gives them. */
import { instancesAt } from "../checks/rules.ts";
import type { Contract, JsonSchema, Operation } from "../contract/contract.ts";
import { formIn } from "../contract/form-fields.ts";
import { placesIn } from "../contract/lookups.ts";
import { JSON_TYPE } from "../contract/media-type.ts";
import { memoizeBySchemas } from "../contract/memoize.ts";
import { atPointer } from "../contract/pointer.ts";
import { inPlace, propertiesOf, schemasIn } from "../contract/schema-visitor.ts";
import { type Exchange, isAccepted, type PlacedId } from "../exchange/exchange.ts";
import type { GivenId } from "../exchange/repeatable.ts";
import type { Target } from "../target/target.ts";
import type { Call } from "./call.ts";
import { isIdentifier, providersOf } from "./resource-providers.ts";

/**
 * Returns the resources that the body of an operation names, and whether each is required: a field with `x-resource` always
 * has a known identifier; one with `x-names`, which is guessed from its name, has one if the resource can be arranged.
 */
export const resourcesNamedBy = (
  { requestBody }: Operation,
  { schemas }: Contract,
): ReadonlyMap<string, boolean> => {
  const { content = {} } = requestBody ?? {};
  return resourcesIn(content[JSON_TYPE] ?? formIn(content)?.[1] ?? NO_BODY, schemas);
};

const NO_BODY: JsonSchema = {};

const resourcesIn = memoizeBySchemas((body, schemas) => findResources(body, schemas, true, []));

const findResources = (
  schema: unknown,
  schemas: Contract["schemas"],
  required: boolean,
  entered: readonly unknown[],
): Map<string, boolean> => {
  const found = new Map<string, boolean>();
  if (entered.includes(schema)) return found;
  const add = (resource: string, needed: boolean) =>
    found.set(resource, needed || (found.get(resource) ?? false));
  const visit = (inner: unknown, needed: boolean) => {
    for (const [resource, must] of findResources(inner, schemas, needed, [...entered, schema]))
      add(resource, must);
  };
  const parts = inPlace(schemas, schema, "always");
  const needed = new Set(parts.flatMap(requiredIn));
  for (const part of parts) {
    if (typeof part["x-resource"] === "string") add(part["x-resource"], required);
    if (typeof part["x-names"] === "string") add(part["x-names"], false);
    for (const [name, property] of Object.entries(propertiesOf(part)))
      visit(property, required && needed.has(name));
    visit(part.items, required);
    for (const keyword of ["anyOf", "oneOf"])
      for (const [branch] of schemasIn(part, keyword)) visit(branch, false);
  }
  return found;
};

/** Returns the required properties, both documented and assumed. */
const requiredIn = (schema: JsonSchema): string[] => {
  const assumed = (schema["x-assumed"] ?? {}) as JsonSchema;
  return [schema.required ?? [], assumed.required ?? []].flat() as string[];
};

/** Returns the identifiers that an accepted call gives to resources. The caller may have chosen them. */
export const idsGivenBy = (
  { operationId, method, produces }: Operation,
  exchange: Exchange,
  bindings: Readonly<Record<string, string>>,
): GivenId[] => {
  if (!isAccepted(exchange)) return [];
  const { ids: sent = [], requestJson } = exchange;
  return produces.flatMap(({ resource, pointer: stated }) => {
    const own = sent.filter((one) => one.resource === resource && (method === "PUT" || one.in === "body"));
    const pointer = bindings[operationId] ?? stated;
    const answered = idsAt(exchange, pointer).map((value) => ({
      ...{ resource, value, pointer },
      isChosen: String(atPointer(requestJson, pointer)) === value,
    }));
    return [...own.map(({ value }) => ({ resource, value, pointer, isChosen: true })), ...answered];
  });
};

/**
 * Returns the identifiers that an accepted call names and that no answer gives: a caller chose them, so that a later call
 * which names them may need this one.
 */
export const idsChosenBy = (contract: Contract, { values }: Target, exchange: Exchange): GivenId[] =>
  exchange.request.method === "GET" || !isAccepted(exchange)
    ? []
    : (exchange.ids ?? [])
        .filter(({ in: place, value }) => place === "body" && value.length >= SHORTEST_CHOSEN)
        .filter(({ value, resource }) => {
          const isGiven = providersOf(contract, resource, "shared").list.length > 0;
          return !isGiven && !Object.values(values).includes(value);
        })
        .map(({ resource, value, name }) => ({ resource, value, pointer: name, isChosen: true }));

/** A shorter value that a client chooses, for example a currency, identifies nothing. */
const SHORTEST_CHOSEN = 10;

/** Returns the identifiers that an accepted answer shows. */
export const idsShownBy = (
  contracts: readonly Contract[],
  exchange: Exchange,
): Pick<GivenId, "resource" | "value">[] =>
  (isAccepted(exchange) ? contracts : [])
    .filter(({ service }) => service === exchange.service)
    .flatMap((contract) => placesIn(contract, exchange))
    .flatMap(({ resource, pointer }) => idsAt(exchange, pointer).map((value) => ({ resource, value })));

/** Returns the identifiers of resources in a call, with their places. */
export const idsSentBy = (contract: Contract, operation: Operation, call: Call): PlacedId[] => {
  const { path = {}, query = {}, headers = {}, json, raw } = call;
  const given = { ...(call.at === undefined && { path }), query, header: headers };
  const steps = operation.path.split(/[?#]/)[0]?.split("/") ?? [];
  const parameters = PLACES.flatMap((place) =>
    operation.parameters.flatMap(({ in: stated, name, resource }): PlacedId[] => {
      const value: unknown = given[place]?.[name];
      if (stated !== place || resource === undefined || !isIdentifier(value)) return [];
      const after = steps.length - 1 - steps.findIndex((step) => step.includes(`{${name}}`));
      return [{ in: place, name, resource, value: String(value), ...(place === "path" && { after }) }];
    }),
  );
  const fields = placesIn(contract, operation, "request").flatMap(({ resource, pointer }) =>
    instancesAt(json ?? raw?.form, pointer).flatMap((one): PlacedId[] =>
      isIdentifier(one.value) ? [{ in: "body", name: one.pointer, resource, value: String(one.value) }] : [],
    ),
  );
  return [...parameters, ...fields];
};

const PLACES = ["path", "query", "header"] as const;

/**
 * Returns all created ids. If the pointer names one list item, all items count, because a call may create several
 * records.
 */
export const idsAt = (exchange: Exchange, pointer: string): string[] =>
  instancesAt(exchange.response?.json, pointer.replaceAll(/\/\d+(?=\/)/g, "/*")).flatMap(({ value }) =>
    isIdentifier(value) ? [String(value)] : [],
  );
