/** Recognizes identifiers of the contract's resources at places that only the provider's document has. */
import type { Contract, JsonSchema, Operation, Parameter } from "./contract.ts";
import { isObject, rewritten } from "./json.ts";
import { loose } from "./names.ts";
import { resourceNamesOf } from "./resource-names.ts";

type Shapes = Pick<Contract, "operations" | "schemas">;

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

/** `/customers/{customerId}/notes/{noteId}`, `noteId` → `/customers/{}/notes/{}` */
const pathUpTo = (path: string, parameter: string): string =>
  path.slice(0, path.indexOf(`{${parameter}}`) + parameter.length + 2).replaceAll(/\{[^}]*\}/g, "{}");

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
