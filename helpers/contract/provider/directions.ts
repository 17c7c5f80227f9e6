/**
 * The schemas of one direction: `readOnly` properties are in answers only, and `writeOnly` ones in requests only, also
 * where they are required (OpenAPI 3.0, 4.7.24.2; JSON Schema Validation, 9.4).
 */

import { isObject, type Json } from "../json.ts";
import { atPointer, componentNamed, escapeSegment, referenced } from "../pointer.ts";
import { selectingValues } from "../schemas/discriminators.ts";

type Direction = "sent" | "answered";

/** The keyword of the properties that a message in this direction lacks. */
const LACKED: Readonly<Record<Direction, string>> = { sent: "readOnly", answered: "writeOnly" };

const COMPONENTS = "#/components/schemas/";

/**
 * Replaces the schema of each body by the schema of its direction. A component with such properties gets a second form for
 * each direction, under a name of its own.
 */
export const withDirections = (root: Json): Json => {
  const schemas = (atPointer(root, "/components/schemas") ?? {}) as Record<string, Json>;
  if (!JSON.stringify(root).match(/"(?:readOnly|writeOnly)":true/)) return root;
  const made: Record<string, unknown> = {};
  const views = { sent: viewer(schemas, made, "sent"), answered: viewer(schemas, made, "answered") };
  const bodies = (node: unknown, view: (schema: unknown) => unknown): unknown => {
    if (Array.isArray(node)) return node.map((one) => bodies(one, view));
    if (!isObject(node)) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        key === "requestBody" || key === "requestBodies"
          ? bodies(value, views.sent)
          : key === "responses"
            ? bodies(value, views.answered)
            : key === "schema"
              ? view(value)
              : bodies(value, view),
      ]),
    );
  };
  const asItIs = (schema: unknown): unknown => schema;
  const { components, ...rest } = root;
  const { schemas: _, ...parts } = (components ?? {}) as Json;
  return {
    ...(bodies(rest, asItIs) as Json),
    components: { ...(bodies(parts, asItIs) as Json), schemas: { ...schemas, ...made } },
  };
};

/** Returns a function that makes the form of a schema in a direction. */
const viewer = (
  schemas: Readonly<Record<string, Json>>,
  made: Record<string, unknown>,
  direction: Direction,
): ((schema: unknown) => unknown) => {
  const lacked = LACKED[direction];
  const resolved = (node: unknown): unknown =>
    isObject(node) && componentNamed(node.$ref) !== undefined
      ? resolved(referenced(node.$ref, schemas))
      : node;
  /** The names that an object lacks, by its properties and by the properties of the parts that hold with it. */
  const lackedBy = (node: unknown, entered: readonly unknown[] = []): string[] => {
    const schema = resolved(node);
    if (!isObject(schema) || entered.includes(schema)) return [];
    const own = Object.entries((schema.properties ?? {}) as Json).flatMap(([name, property]) => {
      const whole = resolved(property);
      const isLacked = [property, whole].some((one) => isObject(one) && one[lacked] === true);
      return isLacked ? [name] : [];
    });
    const parts = (schema.allOf ?? []) as unknown[];
    return [...own, ...parts.flatMap((part) => lackedBy(part, [...entered, schema]))];
  };
  const named = (name: string): string => {
    const view = `${name}-${direction}`;
    if (!(view in made)) {
      // A schema may contain itself.
      made[view] = {};
      made[view] = viewOf(schemas[name], []);
    }
    return `${COMPONENTS}${escapeSegment(view)}`;
  };
  const viewOf = (node: unknown, outer: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((one) => viewOf(one, outer));
    if (!isObject(node)) return node;
    const lacks = new Set([...outer, ...lackedBy(node)]);
    return Object.fromEntries(
      Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
        const component = key === "$ref" ? componentNamed(value) : undefined;
        if (component !== undefined) return [[key, named(component)]];
        if (key === "required" && Array.isArray(value)) {
          const left = value.filter((name) => !lacks.has(String(name)));
          return left.length === 0 ? [] : [[key, left]];
        }
        if (key === "properties" && isObject(value))
          return [
            [
              key,
              Object.fromEntries(
                Object.entries(value).flatMap(([name, property]) =>
                  direction === "sent" && lacks.has(name) ? [] : [[name, viewOf(property, [])]],
                ),
              ),
            ],
          ];
        if (DATA.has(key)) return [[key, value]];
        if (key === "discriminator" && isObject(value))
          return [[key, withViews(value, [node.oneOf, node.anyOf].flat(), named)]];
        return [[key, viewOf(value, key === "allOf" ? [...lacks] : [])]];
      }),
    );
  };
  return (schema) => viewOf(schema, []);
};

/** Returns a discriminator whose values select the views of the alternatives that they selected. */
const withViews = (
  discriminator: Json,
  branches: readonly unknown[],
  named: (component: string) => string,
): Json => {
  const views = branches.flatMap((branch) =>
    (selectingValues(discriminator, branch) ?? []).map((value) => [
      value,
      named(componentNamed((branch as Json).$ref) ?? ""),
    ]),
  );
  return { ...discriminator, mapping: { ...(discriminator.mapping as Json), ...Object.fromEntries(views) } };
};

/** Keywords whose values are data. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "example", "examples"]);
