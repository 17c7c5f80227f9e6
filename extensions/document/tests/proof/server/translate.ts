/**
 * Turns schemas of OpenAPI 3.0 and 3.1 into JSON Schema 2020-12 for one direction of messages. `readOnly` properties are not
 * required in requests, and `writeOnly` ones not in answers (OpenAPI 3.0.3, 4.7.24.2).
 */
import { type Files, isObject, type Json, type Node } from "./files.ts";

export type Direction = "sent" | "answered";

export interface Reading {
  readonly files: Files;
  readonly is30: boolean;
  /** Whether `nullable` allows null wherever it stands, or only as OpenAPI 3.0.3 defines it. */
  readonly isNullWide: boolean;
  /** By pattern of another dialect: the same in the dialect of JavaScript with `u`. */
  readonly dialects: Readonly<Record<string, string>>;
}

const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const MAPS = ["properties", "patternProperties", "dependentSchemas", "$defs"];
const SINGLE = [
  ...[
    "items",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "propertyNames",
  ],
  ...["not", "if", "then", "else"],
];
/** Keywords whose schemas apply to the same value. */
const SAME_VALUE = ["allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"];

/** Returns a schema that contains all that it refers to. */
export const translated = (reading: Reading, direction: Direction, node: Node): Json => {
  const { files, is30 } = reading;
  const lacked = direction === "sent" ? "readOnly" : "writeOnly";
  const $defs: Record<string, unknown> = {};
  const names = new Map<string, string>();

  /** The properties that a message in this direction need not have. */
  const lackedBy = (node: Node, entered: readonly unknown[]): string[] => {
    const { file, value } = node;
    if (!isObject(value) || entered.includes(value)) return [];
    if (typeof value.$ref === "string") return lackedBy(files.target(node), [...entered, value]);
    const own = Object.entries((value.properties ?? {}) as Json).filter(([, property]) =>
      [{ file, value: property }, files.target({ file, value: property })].some(
        (one) => isObject(one.value) && one.value[lacked] === true,
      ),
    );
    const parts = (value.allOf ?? []) as unknown[];
    return [
      ...own.map(([name]) => name),
      ...parts.flatMap((part) => lackedBy({ file, value: part }, [...entered, value])),
    ];
  };

  const reference = (text: string, node: Node, exempt: readonly string[]): Json => {
    const key = [files.keyOf(text, node.file), ...exempt].join(" ");
    const known = names.get(key) ?? `d${names.size}`;
    if (!names.has(key)) {
      names.set(key, known);
      const { $ref } = node.value as Json;
      $defs[known] = translate(files.target({ file: node.file, value: { $ref } }), exempt);
    }
    return { $ref: `#/$defs/${known}` };
  };

  /** Returns the schema that each value of the property names: by its mapping, or by the name of a component. */
  const discriminatorOf = (node: Node, { propertyName, mapping = {} }: Json): Json => {
    const { oneOf, anyOf } = node.value as Readonly<Record<string, Json[] | undefined>>;
    const schemas: Json = {};
    for (const { $ref } of oneOf ?? anyOf ?? []) {
      const text = String($ref);
      const key = files.keyOf(text, node.file);
      const mapped = Object.entries(mapping as Json).filter(
        ([, one]) => files.keyOf(asReference(String(one)), node.file) === key,
      );
      for (const name of [text.split("/").at(-1) ?? "", ...mapped.map(([value]) => value)])
        schemas[name] = reference(text, { file: node.file, value: { $ref: text } }, []);
    }
    return { propertyName, schemas };
  };

  const translate = (node: Node, outer: readonly string[]): unknown => {
    const { file, value } = node;
    if (!isObject(value)) return value;
    const exempt = [...new Set([...outer, ...lackedBy(node, [])])].sort();
    if (typeof value.$ref === "string") {
      const { $ref: _, ...siblings } = value;
      const target = reference(value.$ref, node, exempt);
      return is30 ? target : { ...target, ...(translate({ file, value: siblings }, exempt) as Json) };
    }
    const inner = (child: unknown, keyword: string): unknown =>
      translate({ file, value: child }, SAME_VALUE.includes(keyword) ? exempt : []);
    const result: Json = {};
    for (const [keyword, content] of Object.entries(value)) {
      if (LISTS.includes(keyword)) result[keyword] = (content as unknown[]).map((one) => inner(one, keyword));
      else if (MAPS.includes(keyword))
        result[keyword] = Object.fromEntries(
          Object.entries(content as Json).map(([name, one]) => [name, inner(one, keyword)]),
        );
      else if (SINGLE.includes(keyword)) result[keyword] = inner(content, keyword);
      else if (CONSTRAINTS.has(keyword)) result[keyword] = content;
      else if (keyword === "discriminator") result[keyword] = discriminatorOf(node, content as Json);
    }
    if (Array.isArray(result.required))
      result.required = result.required.filter((name) => !exempt.includes(name));
    if (isObject(result.properties) && direction === "sent")
      for (const name of lackedBy({ file, value: { properties: value.properties } }, []))
        result.properties[name] = true;
    if (typeof result.pattern === "string")
      result.pattern = reading.dialects[result.pattern] ?? result.pattern;
    return withNull(reading, value, withRange(is30 ? withExclusive(result) : result));
  };
  const root = translate(node, []) as Json;
  return Object.keys($defs).length === 0 ? root : { ...root, $defs };
};

/** A mapping may name a component without its address. */
const asReference = (text: string): string => (/[#/]/.test(text) ? text : `#/components/schemas/${text}`);

const CONSTRAINTS: ReadonlySet<string> = new Set([
  ...["type", "enum", "const", "required", "dependentRequired", "minProperties", "maxProperties"],
  ...[
    "minItems",
    "maxItems",
    "uniqueItems",
    "minContains",
    "maxContains",
    "minLength",
    "maxLength",
    "pattern",
  ],
  ...["format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
]);

const withExclusive = (schema: Json): Json => {
  const result = { ...schema };
  for (const [limit, flag] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (typeof result[flag] !== "boolean") continue;
    if (result[flag] && result[limit] !== undefined) {
      result[flag] = result[limit];
      delete result[limit];
    } else delete result[flag];
  }
  return result;
};

/** The formats of integers that OpenAPI names, which the validator does not know. */
const ENDS: Readonly<Record<string, number>> = { int32: 2 ** 31, int64: 2 ** 63 };

const withRange = (schema: Json): Json => {
  const end = ENDS[String(schema.format)];
  if (end === undefined) return schema;
  const { format: _, ...rest } = schema;
  const { minimum = -end, maximum = end - 1 } = rest;
  return { ...rest, minimum: Math.max(Number(minimum), -end), maximum: Math.min(Number(maximum), end - 1) };
};

const withNull = ({ is30, isNullWide }: Reading, { nullable }: Json, schema: Json): Json => {
  if (!is30 || nullable !== true) return schema;
  const listed = Array.isArray(schema.enum) ? schema.enum : undefined;
  if (!isNullWide)
    return typeof schema.type === "string" && (listed === undefined || listed.includes(null))
      ? { ...schema, type: [schema.type, "null"] }
      : schema;
  const { $defs, ...own } = schema;
  return { anyOf: [{ type: "null" }, own], ...($defs !== undefined && { $defs }) };
};
