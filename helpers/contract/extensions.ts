/** The extensions of an operation (`x-…`): facts that the suite or the sandbox needs and OpenAPI cannot express. */
import type { Hazard, Operation, Paging, Parameter, ResourcePlace, Service } from "./contract.ts";
import { dayOf } from "./day.ts";
import type { Json } from "./json.ts";
import type { ListShape } from "./list-end.ts";
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
  errorCodes: (node["x-error-codes"] ?? {}) as Operation["errorCodes"],
  repeatable: node["x-repeatable"] !== false,
  legacy: node["x-legacy"] === true,
  beta: node["x-beta"] === true,
  internal: node["x-internal"] === true,
  outbound: node["x-direction"] === "outbound",
  ...given<"list", ListShape>("list", node["x-list"]),
  ...given<"paging", Paging>("paging", node["x-paging"]),
  ...given<"securityAlternatives", string[][]>("securityAlternatives", node["x-security-alternatives"]),
  ...given<"unauthenticated", number[]>("unauthenticated", node["x-unauthenticated"]),
  ...given<"token", string>("token", node["x-token"]),
  ...given<"progress", string>("progress", node["x-progress"]),
  ...given<"deliveries", string>("deliveries", node["x-deliveries"]),
  ...given<"singleHeader", "unjudged">("singleHeader", node["x-single-header"]),
  ...given<"sunset", string>("sunset", dayOf(node[SUNSET])),
  requiredFrom: (node["x-required-from"] ?? {}) as Operation["requiredFrom"],
  ...given<"creates", string>("creates", node["x-creates"]),
  ...given<"leaves", string>("leaves", node["x-leaves"]),
});

/** Returns a single value as a list. */
const listOf = <Item>(value: unknown): readonly Item[] =>
  value === undefined ? [] : ([value].flat(1) as Item[]);

const given = <Name extends string, Value>(name: Name, value: unknown): { readonly [Key in Name]?: Value } =>
  (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };

/** Returns the ids of `x-requirements`, by keyword. */
export const namedRequirements = (service: Service, ...nodes: Json[]): Parameter["requirements"] =>
  Object.fromEntries(
    nodes.flatMap((node) =>
      Object.entries((node["x-requirements"] ?? {}) as Json)
        .filter(([, id]) => typeof id === "string")
        .map(([keyword, id]) => [keyword, `${service}.${id}`]),
    ),
  );
