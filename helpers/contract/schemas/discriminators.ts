/** The values by which a discriminator selects the alternatives of a union. */
import { isObject, type Json } from "../json.ts";
import { componentNamed } from "../pointer.ts";

/**
 * Returns the values that map to the component of an alternative, or without a mapping its name (OpenAPI, Discriminator
 * Object); `undefined` if the alternative is not a component.
 */
export const selectingValues = ({ mapping }: Json, branch: unknown): readonly string[] | undefined => {
  const name = isObject(branch) ? componentNamed(branch.$ref) : undefined;
  if (name === undefined) return undefined;
  const values = Object.entries(isObject(mapping) ? mapping : {})
    .filter(([, target]) => (componentNamed(target) ?? target) === name)
    .map(([value]) => value);
  return values.length > 0 ? values : [name];
};
