/** Walks down a schema and records a rule for each keyword at each place. */
import type { Contract, JsonSchema, Level, Rule } from "../contract.ts";
import type { Json } from "../json.ts";
import { getOrInsert } from "../memoize.ts";
import { componentNamed, escapeSegment, referenced } from "../pointer.ts";
import { flatten } from "./flatten.ts";
import { isChecked } from "./formats.ts";
import keywords from "./keywords.json" with { type: "json" };
import { isNull, withNull } from "./keywords.ts";
import { inPlace, requiredOf, schemasIn } from "./schema-visitor.ts";
import { untriedIn } from "./untried.ts";

/** The prefix of ids (`base`), and the shared ids for types of strings and of other values (`x-rule-ids`). */
export interface RuleIds {
  readonly base?: string;
  readonly string: string;
  readonly other: string;
  /** The requirement that the rules of single alternatives (`anyOf`, `oneOf`) share. Only the whole body shows them. */
  readonly alternative?: string;
  /** The requirement that a whole request body fits its schema, beside the rules of its places. */
  readonly whole?: string;
  /** `false` if the bodies of refusals are not checked. */
  readonly refusals?: false;
}

interface Walk {
  readonly schemas: Contract["schemas"];
  /** Returns the full id of a requirement from its id in the contract. */
  readonly fill: (id: string) => string;
  readonly ids: RuleIds;
  readonly rules: Rule[];
  /** Component schemas that the walk has entered, so that recursion ends. */
  readonly path: Set<string>;
}

export interface Place {
  readonly pointer: string;
  /** Id of the place without its keyword; `null` if all rules share the requirement `ids.other`. */
  readonly base: string | null;
  readonly level: Level;
  /** Level of rules that share one requirement for the body. A single documented place does not raise this level. */
  readonly sharedLevel: Level;
  /** The properties that all rules of the place share. */
  readonly fixed: Pick<
    Rule,
    | "operationId"
    | "direction"
    | "status"
    | "mediaType"
    | "place"
    | "parameter"
    | "schemaName"
    | "within"
    | "alternative"
  >;
  /** One requirement for every rule of the component that contains the place (`x-requirement`). */
  readonly whole?: string | undefined;
  /** Whether the object that contains the place requires it; absent at the top and for array items. */
  readonly presence?: "required" | "optional" | undefined;
  /** The properties that other parts of the same `allOf` require. */
  readonly demanded?: readonly string[];
  /** The schema of null, if the document allows null beside the schema of the place. */
  readonly orNull?: JsonSchema | undefined;
}

/** Returns the rules of a schema, in the order of the document. @param top `sharedLevel` is the level if absent */
export const rulesIn = (
  source: Pick<Walk, "schemas" | "fill" | "ids">,
  schema: JsonSchema,
  top: Pick<Place, "level" | "fixed"> & Partial<Pick<Place, "sharedLevel">>,
): Rule[] => {
  const rules: Rule[] = [];
  const place = { pointer: "", base: source.ids.base ?? null, sharedLevel: top.level, ...top };
  walkSchema({ ...source, rules, path: new Set() }, schema, place);
  return rules;
};

const walkSchema = (walk: Walk, raw: JsonSchema, place: Place): void => {
  const name = componentNamed(raw.$ref);
  if (name !== undefined && walk.path.has(name)) return;
  if (name !== undefined) walk.path.add(name);
  const resolved = resolveRef(walk.schemas, raw);
  const schema = place.orNull === undefined ? resolved : withNull(resolved, place.orNull);
  const here = enter(walk, schema, name, place);
  record(walk, schema, here);
  descend(walk, schema, here);
  if (name !== undefined) walk.path.delete(name);
};

/**
 * Resolves a `$ref` with siblings (OpenAPI 3.1). Keywords that both have hold together, annotations of the siblings
 * override annotations of the target, and both sets of requirement names are merged.
 */
export const resolveRef = (schemas: Contract["schemas"], schema: JsonSchema): JsonSchema => {
  if (typeof schema.$ref !== "string") return schema;
  return getOrInsert(resolved, schema, () => {
    const target = resolveRef(schemas, referenced(schema.$ref, schemas) ?? {});
    const { $ref: _, ...siblings } = schema;
    const names = { ...(target["x-requirements"] as Json), ...(siblings["x-requirements"] as Json) };
    const shared = Object.keys(siblings).filter((name) => target[name] !== undefined && !/^x-/.test(name));
    const [one, other] = [target, siblings].map((side) =>
      Object.fromEntries(shared.map((name) => [name, side[name]])),
    );
    return {
      ...target,
      ...siblings,
      ...(shared.length > 0 && flatten({ allOf: [one, other] }, schemas)),
      ...(Object.keys(names).length > 0 && { "x-requirements": names }),
    };
  });
};

/** Resolved schemas. Rules of one place share one object, so that its validator is compiled once. */
const resolved = new WeakMap<JsonSchema, JsonSchema>();

const enter = (walk: Walk, schema: JsonSchema, name: string | undefined, place: Place): Place => {
  const ownLevel = schema["x-level"] as Level | undefined;
  const { pointer, presence, demanded, orNull, whole, fixed, sharedLevel } = place;
  return {
    pointer,
    presence,
    ...(demanded && { demanded }),
    ...(orNull && { orNull }),
    level: ownLevel ?? place.level,
    sharedLevel: ownLevel === undefined || ownLevel === "documented" ? sharedLevel : ownLevel,
    base: walk.ids.base === undefined ? null : ((schema["x-id"] as string | undefined) ?? place.base),
    fixed: name === undefined ? fixed : { ...fixed, schemaName: name },
    whole: (schema["x-requirement"] as string | undefined) ?? (name === undefined ? whole : undefined),
  };
};

const record = (walk: Walk, schema: JsonSchema, place: Place): void => {
  const { pointer, presence, fixed, base } = place;
  const contradictions = contradictedIn(schema);
  const push = (keyword: string, value: unknown, id: string | null, untried?: string): void => {
    if (id === null) return;
    const contradicted = untried === undefined ? contradictions[keyword] : undefined;
    const isShared = untried === undefined && base === null && id === walk.ids.other;
    const level = isShared ? place.sharedLevel : place.level;
    const rule = { ...fixed, requirement: walk.fill(id), pointer, keyword, value, schema, level };
    walk.rules.push({ ...rule, ...(untried && { untried }), ...(contradicted && { contradicted }) });
  };
  const named = (keyword: string, suffix = suffixOf(keyword)) => idOf(walk, schema, place, keyword, suffix);
  if (presence === "required") push("required", true, named("required"));
  if (presence === "optional" && schema["x-optional"] === true) push("optional", true, named("optional"));
  for (const [keyword, { value, reason }] of Object.entries(untriedIn(schema)))
    push(keyword, value, named(keyword), reason);
  if (schema.discriminator !== undefined && walk.ids.base !== undefined && fixed.parameter === undefined)
    push("discriminator", schema.discriminator, named("discriminator"), DISCRIMINATOR);
  const open = openIn(schema);
  for (const [keyword, suffix] of keywordsOf(schema)) {
    const reason = open[keyword];
    // No text is shorter than an empty one; a request with an empty text must be accepted.
    const isEmpty = fixed.direction === "response" && keyword === "minLength" && schema.minLength === 0;
    if (reason !== undefined) push(keyword, schema[keyword], named(keyword), reason);
    else if (!isEmpty) push(keyword, schema[keyword], named(keyword, suffix));
  }
  if (schema["x-values"] === true && fixed.direction === "request" && base !== null) {
    for (const value of schema.enum as unknown[]) push("enum-value", value, `${base}.${String(value)}`);
  }
};

/** Returns the keywords of ours that bind no server, each with the reason: they are there for the sandbox and for made values. */
export const openIn = (schema: JsonSchema): Readonly<Record<string, string>> =>
  (schema["x-open"] ?? {}) as Readonly<Record<string, string>>;

/** OpenAPI 3.1.1, 4.8.25: validation should fail, and need not. */
const DISCRIMINATOR = "whether another value is refused is left open";

/** Returns the keywords that an example of the same document breaks, each with both places. */
export const contradictedIn = (schema: JsonSchema): Readonly<Record<string, string>> =>
  (schema["x-contradicted"] ?? {}) as Readonly<Record<string, string>>;

type Keywords = readonly (readonly [keyword: string, suffix: string | null])[];

const SUFFIXES: Readonly<Record<string, string | null | undefined>> = keywords.suffixes;
const KEYWORDS = Object.entries(keywords.suffixes);

/** `minProperties` -> `min-properties` */
const suffixOf = (keyword: string): string | null => {
  const { [keyword]: suffix = keyword.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) } =
    SUFFIXES;
  return suffix;
};

/** Keywords that are rules only if the contract names a requirement for them. */
const ONLY_WHERE_NAMED = ["anyOf", "default"];

const keywordsBySchema = new WeakMap<JsonSchema, Keywords>();

/** Returns the keywords of the schema that are rules, with the last segment of their ids. */
const keywordsOf = (schema: JsonSchema): Keywords => {
  const known = keywordsBySchema.get(schema);
  if (known !== undefined) return known;
  const exact = schema.minLength !== undefined && schema.minLength === schema.maxLength;
  const keywords: Keywords = [
    ...KEYWORDS.filter(([keyword]) => restricts(keyword, schema)).map(
      ([keyword, suffix]) =>
        [keyword, exact && /^m..Length$/.test(keyword) ? "exact-length" : suffix] as const,
    ),
    ...ONLY_WHERE_NAMED.filter(
      (keyword) => schema[keyword] !== undefined && typeof namesOf(schema)[keyword] === "string",
    ).map((keyword) => [keyword, keyword] as const),
  ];
  if (typeof schema === "object") keywordsBySchema.set(schema, keywords);
  return keywords;
};

/** The types to which a keyword applies. It restricts no value of another type. */
const TYPES: Readonly<Record<string, readonly string[] | undefined>> = keywords.restricted;

const mayHave = (types: readonly string[] | undefined, type: unknown): boolean =>
  types === undefined || type === undefined || [type].flat().some((one) => types.includes(one as string));

/** Whether some value violates the keyword. No number of JSON is beyond the largest one. */
const restricts = (keyword: string, schema: JsonSchema): boolean => {
  const value = schema[keyword];
  if (value === undefined || !mayHave(TYPES[keyword], schema.type)) return false;
  if (keyword === "format") return isChecked(String(value));
  return !/^(exclusiveM|m)(in|ax)imum$/.test(keyword) || Math.abs(Number(value)) < Number.MAX_VALUE;
};

const namesOf = (schema: JsonSchema): Record<string, string | false> =>
  (schema["x-requirements"] ?? {}) as Record<string, string | false>;

/** Returns the requirement id of a keyword, without the service; `null` when the contract gives it none. */
const idOf = (
  walk: Walk,
  schema: JsonSchema,
  place: Place,
  keyword: string,
  suffix: string | null,
): string | null => {
  if (place.whole !== undefined) return place.whole;
  const named = namesOf(schema)[keyword];
  if (named === false) return null;
  if (named?.includes(".")) return named;
  if (place.base === null) return walk.ids.other;
  if (named === "self") return place.base;
  const segment = named ?? suffix;
  if (segment !== null) return `${place.base}.${segment}`;
  return schema.type === "string" ? walk.ids.string : walk.ids.other;
};

const descend = (walk: Walk, schema: JsonSchema, place: Place): void => {
  const { demanded: known = [], orNull, ...here } = place;
  const inner: Place = { ...here, presence: undefined };
  // Keywords of other types say nothing about a value: a text has no items (JSON Schema 2020-12, 7.6.1).
  const allows = (type: string): boolean => schema.type === undefined || [schema.type].flat().includes(type);
  const at = (keyword: string) => schemasIn(schema, keyword).map(([part]) => part as JsonSchema);
  const parts = at("allOf");
  const demanded =
    parts.length === 0 ? known : [...known, ...inPlace(walk.schemas, schema, "always").flatMap(requiredOf)];
  if (schema.properties !== undefined && allows("object")) descendProperties(walk, schema, inner, demanded);
  // The first items may differ from the others, so only the whole body shows each of them.
  if (schema.items !== undefined && schema.prefixItems === undefined && allows("array")) {
    walkSchema(walk, schema.items as JsonSchema, { ...inner, pointer: `${place.pointer}/*` });
  }
  for (const part of parts) walkSchema(walk, part, { ...inner, demanded, orNull });
  const branches = [...at("anyOf"), ...at("oneOf")];
  // Every value except null has to fit a schema that is written beside null.
  const nothing = branches.length === 2 ? branches.find(isNull) : undefined;
  for (const [index, branch] of branches.entries()) {
    if (nothing !== undefined) {
      if (branch !== nothing) walkSchema(walk, branch, { ...inner, orNull: nothing });
      continue;
    }
    const own = branches.length > 1 ? `${place.pointer} ${index + 1}` : undefined;
    const alternative = componentNamed(branch.$ref) ?? own;
    const fixed = alternative === undefined ? place.fixed : { ...place.fixed, alternative };
    walkSchema(walk, branch, { ...inner, fixed });
  }
  if (typeof schema["x-encrypts"] === "string") {
    const { schemaName: _, ...fixed } = place.fixed;
    const content = { $ref: `#/components/schemas/${schema["x-encrypts"]}` };
    walkSchema(walk, content, { ...inner, pointer: "", fixed: { ...fixed, within: place.pointer } });
  }
};

const descendProperties = (
  walk: Walk,
  schema: JsonSchema,
  inner: Place,
  demanded: readonly string[],
): void => {
  const required = [...((schema.required ?? []) as string[]), ...demanded];
  const properties = schema.properties as Record<string, JsonSchema>;
  for (const property in properties) {
    const { base } = inner;
    walkSchema(walk, properties[property] as JsonSchema, {
      ...inner,
      pointer: `${inner.pointer}/${escapeSegment(property)}`,
      base: base === null ? null : `${base}.${property}`,
      presence: required.includes(property) ? "required" : "optional",
    });
  }
};
