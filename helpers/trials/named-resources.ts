/** Finds the resources that the bodies of an operation name, by the places that the contract gives them. */
import type { Contract, JsonSchema, Operation } from "../contract/contract.ts";
import { JSON_TYPE } from "../contract/media-type.ts";
import { getOrInsert, memoize, memoizeBySchemas } from "../contract/memoize.ts";
import { formIn } from "../contract/schemas/form-fields.ts";
import { inPlace, propertiesOf, schemasIn } from "../contract/schemas/schema-visitor.ts";
import { providersOf } from "./resource-providers.ts";

/** Orders the resources of a body: asking for a child first tells what its parent is for, as with the parameters. */
export const childrenFirst = (contract: Contract, operation: Operation) =>
  getOrInsert(needs(contract), operation, () => inOrder(contract, operation));

/** The resources of the bodies by contract, then by operation. */
const needs = memoize((_: Contract) => new WeakMap<Operation, ReturnType<typeof inOrder>>());

const inOrder = (
  contract: Contract,
  operation: Operation,
): readonly (readonly [resource: string, required: boolean])[] => {
  const named = [...resourcesNamedBy(operation, contract)];
  const isChild = (resource: string): boolean =>
    providersOf(contract, resource, "shared").list.some(({ operation: { parameters } }) =>
      named.some(([parent]) => parameters.some((one) => one.resource === parent && one.required)),
    );
  return named.sort(([one], [other]) => Number(isChild(other)) - Number(isChild(one)));
};

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
