/** Names of fields that identify one resource wherever the contract uses them, for example `customerId`. */
import type { Contract, JsonSchema, Operation } from "./contract.ts";
import { isObject } from "./json.ts";
import { loose } from "./names.ts";
import { grouped, oncePer } from "./once.ts";
import { segmentsOf } from "./pointer.ts";

/** Maps normalized names to resources. A name that often means something else is left out. */
export const resourceNames = oncePer(
  (schemas: Contract["schemas"]): ReadonlyMap<string, string> => single(namesIn(schemas)),
);

/** Maps normalized names to resources, like `resourceNames`, with the parameters of the operations. */
export const resourceNamesOf = (
  schemas: Contract["schemas"],
  operations: readonly Operation[],
): ReadonlyMap<string, string> => {
  const inPlace = operations.flatMap(({ produces, finds }) => [...produces, ...finds]);
  return new Map([
    ...single([
      ...namesIn(schemas),
      ...operations.flatMap(({ parameters }) =>
        parameters.map(({ name, resource }) => [name, resource] as const),
      ),
    ]),
    ...single(inPlace.map(({ pointer, resource }) => [segmentsOf(pointer).at(-1) ?? "", resource])),
  ]);
};

type Named = readonly [name: string, resource: unknown];

const single = (all: readonly Named[]): ReadonlyMap<string, string> => {
  const identifiers = all.map(([name, resource]) => [loose(name), resource] as const);
  const named = grouped(
    identifiers.filter(([name]) => IDENTIFIER.test(name)),
    ([name]) => name,
  );
  return new Map(
    [...named].flatMap(([name, uses]) => {
      const [most] = [...grouped(uses, ([, resource]) => resource)].sort(
        ([, a], [, b]) => b.length - a.length,
      );
      const [resource, those = []] = most ?? [];
      const isUsual = typeof resource === "string" && those.length / uses.length >= USUAL;
      return isUsual ? [[name, resource] as const] : [];
    }),
  );
};

/** The share of its uses in which a name has to mean the same resource. */
const USUAL = 0.6;

/** Other names, such as `url`, mean different things at different places. */
const IDENTIFIER = /.id$/;

const namesIn = (node: unknown): Named[] => {
  if (Array.isArray(node)) return node.flatMap(namesIn);
  if (!isObject(node)) return [];
  const own = Object.entries(isObject(node.properties) ? node.properties : {}).flatMap(([name, schema]) =>
    isObject(schema) && schema.$ref === undefined
      ? [[name, (schema as JsonSchema)["x-resource"]] as const]
      : [],
  );
  return [...own, ...Object.values(node).flatMap(namesIn)];
};
