/**
 * A keyword that a server leaves out makes a mistake only if there is a witness: a value that is invalid with the keyword,
 * and valid without it.
 */
import { isObject, type Json } from "./files.ts";
import { FORMATS, type Maker, type Texts, validatorOf } from "./values.ts";

export interface Weakened {
  /** The pointer of the schema with the keyword. */
  readonly where: string;
  readonly keyword: string;
  /** The schema without it. */
  readonly weak: Json;
}

const LEAVABLE: ReadonlySet<string> = new Set([
  ...["type", "enum", "const", "dependentRequired", "minProperties", "maxProperties", "minItems", "maxItems"],
  ...["uniqueItems", "contains", "minContains", "maxContains", "minLength", "maxLength", "pattern", "format"],
  ...[
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "discriminator",
    "then",
    "else",
  ],
  ...[
    "anyOf",
    "oneOf",
    "not",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "dependentSchemas",
  ],
]);

/** Returns the schema without each of its keywords in turn. */
export const weakened = (root: Json): Weakened[] => {
  const found: Weakened[] = [];
  const visit = (node: unknown, path: readonly string[]): void => {
    if (Array.isArray(node)) for (const [index, one] of node.entries()) visit(one, [...path, String(index)]);
    if (!isObject(node)) return;
    const isSchema = !NAMED.has(path.at(-1) ?? "");
    for (const [keyword, value] of Object.entries(node)) {
      if (isSchema && keyword === "required") {
        for (const name of value as string[])
          found.push({
            where: path.map((step) => `/${step}`).join(""),
            keyword: `required ${name}`,
            weak: changed(root, path, (schema) => {
              schema.required = (schema.required as string[]).filter((one) => one !== name);
            }),
          });
      } else if (isSchema && (LEAVABLE.has(keyword) || (keyword === "items" && value === false))) {
        found.push({
          where: path.map((step) => `/${step}`).join(""),
          keyword,
          weak: changed(root, path, (schema) => {
            delete schema[keyword];
          }),
        });
      }
      if (!(isSchema && VALUES.has(keyword))) visit(value, [...path, keyword]);
    }
  };
  visit(root, []);
  return found;
};

const NAMED: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs", "dependentSchemas"]);
const VALUES: ReadonlySet<string> = new Set([
  "enum",
  "const",
  "required",
  "dependentRequired",
  "discriminator",
]);

const changed = (root: Json, path: readonly string[], change: (schema: Json) => void): Json => {
  const copy = structuredClone(root);
  change(path.reduce<Json>((node, step) => node[step] as Json, copy));
  return copy;
};

export interface Witnesses {
  readonly maker: Maker;
  readonly texts: Texts;
}

const TURNS = 6;

/** Returns a value that is invalid by the whole schema and valid by the weaker one. */
export const witness = (
  { maker, texts }: Witnesses,
  strict: Json,
  weak: Json,
  canBe: (value: unknown) => boolean = () => true,
): { readonly value: unknown } | undefined => {
  const [isValid, isAllowed] = [validatorOf(strict), validatorOf(weak)];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const value = maker.make(strict);
    for (const candidate of editsOf(value, poolOf(strict, texts)))
      if (canBe(candidate) && isAllowed(candidate) && !isValid(candidate)) return { value: candidate };
  }
  return undefined;
};

/** Values that some keyword of the schema may forbid. */
const poolOf = (schema: Json, texts: Texts): unknown[] => {
  const pool: unknown[] = [
    "",
    "x",
    "other",
    "y".repeat(40),
    null,
    true,
    0,
    -1,
    1.5,
    0.3,
    1e6,
    -1e6,
    [],
    {},
    ["a", 1],
    { extra: 1 },
  ];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isObject(node)) return;
    for (const [keyword, value] of Object.entries(node)) {
      if (typeof value === "number") {
        pool.push(value - 1, value + 1, value + 0.5, value, value * 1.5);
        if (/Length/.test(keyword)) pool.push("a".repeat(Math.max(0, value - 1)), "a".repeat(value + 1));
      }
      if (keyword === "pattern" || keyword === "format")
        pool.push(...((keyword === "pattern" ? texts[String(value)] : FORMATS[String(value)])?.bad ?? []));
      if (keyword === "enum" || keyword === "const") pool.push(...[value].flat());
      visit(value);
    }
  };
  visit(schema);
  return pool;
};

/** Returns the value with one place changed, for each place and change. */
function* editsOf(value: unknown, pool: readonly unknown[]): Generator<unknown> {
  yield* pool;
  if (Array.isArray(value)) {
    yield value.slice(0, -1);
    for (const one of [...value.slice(0, 1), "a", 1, {}]) {
      yield [...value, one];
      yield Array.from({ length: 12 }, (_, index) => value[index] ?? one);
    }
    yield [...value, ...value];
    for (const [index, item] of value.entries())
      for (const edited of editsOf(item, pool)) yield value.with(index, edited);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const { [name]: _, ...rest } = value;
      yield rest;
    }
    yield {};
    yield { ...value, extra: 1 };
    yield { ...value, "not-a-name!": "text" };
    yield { ...value, ...Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`more${index}`, 1])) };
    for (const [name, inner] of Object.entries(value))
      for (const edited of editsOf(inner, pool)) yield { ...value, [name]: edited };
  }
}
