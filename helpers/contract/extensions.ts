/** The extensions of an operation (`x-…`): facts that the suite or the sandbox needs and OpenAPI cannot express. */
import type { Hazard, Operation, Parameter, ResourcePlace, Service } from "./contract.ts";
import { dayOf } from "./day.ts";
import { defined, type Json } from "./json.ts";
import { SUNSET } from "./schemas/dialect.ts";

/** @param node the operation in its document */
export const extensionsOf = (node: Json) => ({
  aliases: listOf<string>(node["x-aliases"]),
  refusalHazards: listOf<Hazard>(node["x-refusal-hazards"]),
  produces: listOf<ResourcePlace>(node["x-produces"]),
  removes: (node["x-removes"] ?? {}) as Operation["removes"],
  finds: listOf<ResourcePlace>(node["x-finds"]),
  shows: listOf<ResourcePlace>(node["x-shows"]),
  needs: listOf<string>(node["x-needs"]),
  kinds: (node["x-kinds"] ?? {}) as Operation["kinds"],
  own: (node["x-own"] ?? {}) as Operation["own"],
  parameterSets: listOf<string[]>(node["x-parameter-sets"]),
  repeatable: node["x-repeatable"] !== false,
  legacy: node["x-legacy"] === true,
  beta: node["x-beta"] === true,
  internal: node["x-internal"] === true,
  outbound: node["x-direction"] === "outbound",
  requiredFrom: (node["x-required-from"] ?? {}) as Operation["requiredFrom"],
  ...(defined({
    list: node["x-list"],
    paging: node["x-paging"],
    securityAlternatives: node["x-security-alternatives"],
    unauthenticated: node["x-unauthenticated"],
    token: node["x-token"],
    progress: node["x-progress"],
    deliveries: node["x-deliveries"],
    singleHeader: node["x-single-header"],
    sunset: dayOf(node[SUNSET]),
    creates: node["x-creates"],
    leaves: node["x-leaves"],
  }) as Partial<Operation>),
});

/** Returns a single value as a list. */
const listOf = <Item>(value: unknown): readonly Item[] =>
  value === undefined ? [] : ([value].flat(1) as Item[]);

/** Returns the ids of `x-requirements`, by keyword. */
export const namedRequirements = (service: Service, ...nodes: Json[]): Parameter["requirements"] =>
  Object.fromEntries(
    nodes.flatMap((node) =>
      Object.entries((node["x-requirements"] ?? {}) as Json)
        .filter(([, id]) => typeof id === "string")
        .map(([keyword, id]) => [keyword, `${service}.${id}`]),
    ),
  );
