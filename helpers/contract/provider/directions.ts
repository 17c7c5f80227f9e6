/**
 * The schemas of one direction: `readOnly` properties are in answers only, and `writeOnly` ones in requests only, also
 * where they are required (OpenAPI 3.0, 4.7.24.2; JSON Schema Validation, 9.4).
 */

import { isObject, type Json } from "../json.ts";
import { atPointer, componentNamed, escapeSegment } from "../pointer.ts";
import { selectingValues } from "../schemas/discriminators.ts";
import { inPlace, propertiesOf, withSchemas } from "../schemas/schema-visitor.ts";

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
    if (!isObject(node)) return node;
    const lacks = [...outer, ...lackedBy(schemas, node, LACKED[direction])];
    const view: Json = { ...node };
    if (isObject(node.properties) && direction === "sent")
      view.properties = Object.fromEntries(
        Object.entries(node.properties).filter(([name]) => !lacks.includes(name)),
      );
    for (const [keyword, value] of Object.entries(view))
      view[keyword] = withSchemas(keyword, value, (one) => viewOf(one, keyword === "allOf" ? lacks : []));
    const component = componentNamed(node.$ref);
    if (component !== undefined) view.$ref = named(component);
    if (Array.isArray(node.required)) view.required = node.required.filter((name) => !lacks.includes(name));
    if (Array.isArray(view.required) && view.required.length === 0) delete view.required;
    if (isObject(node.discriminator))
      view.discriminator = withViews(node.discriminator, [node.oneOf, node.anyOf].flat(), named);
    return view;
  };
  return (schema) => viewOf(schema, []);
};

/** Returns the names that an object lacks, by its properties and by the properties of the parts that hold with it. */
const lackedBy = (schemas: Readonly<Record<string, Json>>, node: Json, keyword: string): string[] =>
  inPlace(schemas, node, "always").flatMap((part) =>
    Object.entries(propertiesOf(part)).flatMap(([name, property]) =>
      inPlace(schemas, property, "itself").some((one) => one[keyword] === true) ? [name] : [],
    ),
  );

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
