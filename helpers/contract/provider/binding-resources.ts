/** Which resource a name identifies: fields and parameters that mean one resource wherever the contract uses them. */
import type { Contract, JsonSchema, Operation, Parameter, Shapes } from "../contract.ts";
import { isObject, objectsIn, rewritten } from "../json.ts";
import { groupBy, memoize } from "../memoize.ts";
import { loose, pathUpTo } from "../names.ts";
import { segmentsOf } from "../pointer.ts";
import { propertiesOf } from "../schemas/schema-visitor.ts";

/**
 * Returns the operation with the resources of its path parameters. The same path in the contract shows what a parameter
 * identifies, and else its name.
 */
export const withNamedResources = (ours: Shapes): ((own: Operation) => Operation) => {
  const names = resourceNamesOf(ours.schemas, ours.operations);
  const places = resourcesByPath(ours.operations);
  const named = (operation: Operation, parameter: Parameter): Parameter => {
    if (parameter.in !== "path" || parameter.resource !== undefined) return parameter;
    const resource = places.get(pathUpTo(operation.path, parameter.name)) ?? names.get(loose(parameter.name));
    return resource === undefined ? parameter : { ...parameter, resource };
  };
  return (operation) => ({
    ...operation,
    parameters: operation.parameters.map((parameter) => named(operation, parameter)),
  });
};

const resourcesByPath = (operations: readonly Operation[]): ReadonlyMap<string, string> =>
  new Map(
    operations.flatMap(({ path, parameters }) =>
      parameters.flatMap(({ in: place, name, resource }) =>
        place === "path" && resource !== undefined ? [[pathUpTo(path, name), resource] as const] : [],
      ),
    ),
  );

/** Adds the resource to each field whose name identifies one resource in the contract. */
export const nameResourcesIn = (ours: Shapes): (<Schemas>(schemas: Schemas) => Schemas) => {
  const names = resourceNamesOf(ours.schemas, ours.operations);
  const named = (name: string, schema: unknown): unknown => {
    const resource = names.get(loose(name));
    const isOpen = isObject(schema) && schema["x-resource"] === undefined && isIdentifier(schema);
    return resource !== undefined && isOpen ? { ...schema, "x-resource": resource } : schema;
  };
  return (schemas) =>
    rewritten(schemas, (node) => {
      if (!isObject(node.properties)) return node;
      const entries = Object.entries(node.properties).map(
        ([name, schema]) => [name, named(name, schema)] as const,
      );
      const isSame = entries.every(([name, schema]) => (node.properties as JsonSchema)[name] === schema);
      return isSame ? node : { ...node, properties: Object.fromEntries(entries) };
    }) as typeof schemas;
};

const isIdentifier = ({ $ref, type, properties, items }: JsonSchema): boolean =>
  properties === undefined &&
  items === undefined &&
  ($ref !== undefined || [type].flat().some((one) => one === "string" || one === "integer"));

/** Maps normalized names to resources. A name that often means something else is left out. */
export const resourceNames = memoize(
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
  const named = groupBy(
    identifiers.filter(([name]) => IDENTIFIER.test(name)),
    ([name]) => name,
  );
  return new Map(
    [...named].flatMap(([name, uses]) => {
      const [most] = [...groupBy(uses, ([, resource]) => resource)].sort(
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

const namesIn = (tree: unknown): Named[] =>
  [...objectsIn(tree)].flatMap((node) =>
    Object.entries(propertiesOf(node)).flatMap(([name, schema]) =>
      isObject(schema) && schema.$ref === undefined ? [[name, schema["x-resource"]] as const] : [],
    ),
  );
