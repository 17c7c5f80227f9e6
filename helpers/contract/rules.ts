/** Schemas -> rules: each keyword at each place of a body or parameter, with the id of the requirement behind it. */
import type { Contract, JsonSchema, Level, Operation, Parameter, Rule, Service } from "./contract.ts";
import { escapeSegment, type Json } from "./document.ts";

/** What ids start with (`base`), and the ids that types of strings and of other values belong to (`x-rule-ids`). */
export interface RuleIds {
  readonly base?: string;
  readonly string: string;
  readonly other: string;
}

export interface RuleSource {
  readonly service: Service;
  readonly operations: readonly Operation[];
  /** All `$ref`s in them name one of them: `#/components/schemas/…`. */
  readonly schemas: Contract["schemas"];
  readonly ruleIds: Readonly<Record<Rule["direction"], RuleIds>>;
}

/** Of each operation: rules of its request body, of its response bodies, of its parameters. */
export const rulesOf = (source: RuleSource): Rule[] =>
  source.operations.flatMap((operation) => [
    ...Object.values(operation.requestBody?.content ?? {}).flatMap((schema) =>
      walkBody(source, operation, "request", schema),
    ),
    ...Object.values(operation.responses).flatMap((response) =>
      Object.values(response.content).flatMap((schema) =>
        walkBody(source, operation, "response", schema, response.status),
      ),
    ),
    ...operation.parameters.flatMap((parameter) => walkParameter(source, operation, parameter)),
  ]);

/** Id of the requirement that all rules of one body share, where the contract derives no others. */
export const sharedRequirement = (
  { service, ruleIds }: Pick<RuleSource, "service" | "ruleIds">,
  operationId: string,
  direction: Rule["direction"],
): string | undefined => {
  const { base, other } = ruleIds[direction];
  return base === undefined ? filler(service, operationId)(other) : undefined;
};

const filler =
  (service: Service, operationId: string, status?: number) =>
  (id: string): string =>
    `${service}.${id}`.replaceAll("{operationId}", operationId).replaceAll("{status}", String(status ?? ""));

const walkBody = (
  { service, schemas, ruleIds }: RuleSource,
  operation: Operation,
  direction: Rule["direction"],
  schema: JsonSchema,
  status?: number,
): Rule[] => {
  const ids = ruleIds[direction];
  const walk: Walk = {
    schemas,
    fill: filler(service, operation.operationId, status),
    ids,
    shared: { operationId: operation.operationId, direction, ...(status !== undefined && { status }) },
    rules: [],
    path: new Set(),
  };
  const level = operation.level === "documented" && ids.base === undefined ? "assumed" : operation.level;
  visit(walk, schema, {
    pointer: "",
    base: ids.base ?? null,
    level: operation.level,
    sharedLevel: level,
    places: {},
  });
  return walk.rules;
};

/** What a parameter carries is text: that it is a string or a list, and how wide a number is, nothing can break. */
const UNBREAKABLE_TYPES: readonly unknown[] = ["string", "array"];
const UNBREAKABLE_FORMATS: readonly unknown[] = ["int32", "int64", "float", "double"];

const walkParameter = (
  { service, schemas }: RuleSource,
  { operationId }: Operation,
  parameter: Parameter,
): Rule[] => {
  const { name, in: place, level, requirements } = parameter;
  if (place === "cookie") return [];
  const base = `${operationId}.parameter.${name}`;
  const walk: Walk = {
    schemas,
    fill: filler(service, operationId),
    ids: { base, string: `${base}.type`, other: `${base}.type` },
    shared: { operationId, direction: "request", place, parameter: name },
    rules: [],
    path: new Set(),
  };
  visit(walk, parameter.schema, { pointer: "", base, level, sharedLevel: level, places: {} });
  const rules = walk.rules.filter(
    ({ keyword, value }) =>
      !(keyword === "type" && UNBREAKABLE_TYPES.includes(value)) &&
      !(keyword === "format" && UNBREAKABLE_FORMATS.includes(value)),
  );
  if (place === "path" || !parameter.required) return rules;
  const required: Rule = {
    ...walk.shared,
    requirement: requirements.required ?? `${service}.${base}.required`,
    pointer: "",
    keyword: "required",
    value: true,
    schema: resolveRef(schemas, parameter.schema),
    level,
  };
  return [required, ...rules];
};

interface Walk {
  readonly schemas: Contract["schemas"];
  readonly fill: (id: string) => string;
  readonly ids: RuleIds;
  readonly shared: Pick<Rule, "operationId" | "direction" | "status" | "place" | "parameter">;
  readonly rules: Rule[];
  /** Component schemas on the way down, so that recursion ends. */
  readonly path: Set<string>;
}

interface Place {
  readonly pointer: string;
  /** Id of the place without keyword; `null` where all rules share the requirement `ids.other`. */
  readonly base: string | null;
  readonly level: Level;
  /** Level of rules whose requirement all of the body shares: that one place of it is documented lifts none of them. */
  readonly sharedLevel: Level;
  readonly places: Pick<Rule, "schemaName" | "within" | "alternative">;
  /** One requirement for every rule of the enclosing component (`x-requirement`). */
  readonly whole?: string;
  /** Whether the enclosing object demands it; absent at the top and for array items. */
  readonly presence?: "required" | "optional";
}

const KEYWORD_NAMES: Record<string, string> = {
  pattern: "pattern",
  enum: "enum",
  format: "format",
  minLength: "min-length",
  maxLength: "max-length",
  minimum: "minimum",
  maximum: "maximum",
  exclusiveMinimum: "minimum",
  exclusiveMaximum: "maximum",
  minItems: "min-items",
  maxItems: "max-items",
  uniqueItems: "unique-items",
  const: "const",
};

const visit = (walk: Walk, raw: JsonSchema, place: Place): void => {
  const name = typeof raw.$ref === "string" ? componentOf(raw.$ref) : undefined;
  if (name !== undefined && walk.path.has(name)) return;
  if (name !== undefined) walk.path.add(name);
  const schema = resolveRef(walk.schemas, raw);
  const here = enter(walk, schema, name, place);
  record(walk, schema, here);
  descend(walk, schema, here);
  if (name !== undefined) walk.path.delete(name);
};

/** `$ref` with siblings (OpenAPI 3.1): the siblings win, and the two lists of requirement names are joined. */
const resolveRef = (schemas: Contract["schemas"], schema: JsonSchema): JsonSchema => {
  if (typeof schema.$ref !== "string") return schema;
  const known = resolved.get(schema);
  if (known !== undefined) return known;
  const target = resolveRef(schemas, schemas[componentOf(schema.$ref)] ?? {});
  const { $ref: _, ...siblings } = schema;
  const names = { ...(target["x-requirements"] as Json), ...(siblings["x-requirements"] as Json) };
  const result = {
    ...target,
    ...siblings,
    ...(Object.keys(names).length > 0 && { "x-requirements": names }),
  };
  resolved.set(schema, result);
  return result;
};

/** Rules of one place share one schema object, which validators are compiled for once. */
const resolved = new WeakMap<JsonSchema, JsonSchema>();

/** `#/components/schemas/Card` -> `Card` */
export const componentOf = (ref: string): string =>
  ref.slice("#/components/schemas/".length).replaceAll("~1", "/").replaceAll("~0", "~");

const enter = (walk: Walk, schema: JsonSchema, name: string | undefined, place: Place): Place => {
  const own = schema["x-requirement"] as string | undefined;
  const { whole, ...rest } = place;
  const kept = own ?? (name === undefined ? whole : undefined);
  const level = (schema["x-level"] as Level | undefined) ?? place.level;
  return {
    ...rest,
    level,
    sharedLevel: schema["x-level"] === undefined || level === "documented" ? place.sharedLevel : level,
    base: walk.ids.base === undefined ? null : ((schema["x-id"] as string | undefined) ?? place.base),
    places: name === undefined ? place.places : { ...place.places, schemaName: name },
    ...(kept !== undefined && { whole: kept }),
  };
};

const record = (walk: Walk, schema: JsonSchema, place: Place): void => {
  const add = (keyword: string, value: unknown, requirement: string | null) => {
    if (requirement === null) return;
    const { pointer, places } = place;
    const isShared = place.base === null && requirement === walk.ids.other;
    walk.rules.push({
      ...walk.shared,
      ...places,
      requirement: walk.fill(requirement),
      pointer,
      keyword,
      value,
      schema,
      level: isShared ? place.sharedLevel : place.level,
    });
  };
  if (place.presence === "required") add("required", true, idOf(walk, schema, place, "required", "required"));
  if (place.presence === "optional" && schema["x-optional"] === true) {
    add("optional", true, idOf(walk, schema, place, "optional", "optional"));
  }
  if (schema.type !== undefined) add("type", schema.type, idOf(walk, schema, place, "type", null));
  const exact = schema.minLength !== undefined && schema.minLength === schema.maxLength;
  for (const [keyword, suffix] of Object.entries(KEYWORD_NAMES)) {
    if (schema[keyword] === undefined) continue;
    const lengths = keyword === "minLength" || keyword === "maxLength";
    add(
      keyword,
      schema[keyword],
      idOf(walk, schema, place, keyword, exact && lengths ? "exact-length" : suffix),
    );
  }
  for (const keyword of ONLY_WHERE_NAMED) {
    if (schema[keyword] === undefined || typeof namesOf(schema)[keyword] !== "string") continue;
    add(keyword, schema[keyword], idOf(walk, schema, place, keyword, keyword));
  }
  if (schema["x-values"] === true && walk.shared.direction === "request" && place.base !== null) {
    for (const value of schema.enum as unknown[]) add("enum-value", value, `${place.base}.${String(value)}`);
  }
};

/** Keywords that are rules where the contract names a requirement for them. */
const ONLY_WHERE_NAMED = ["anyOf", "default"];

const namesOf = (schema: JsonSchema): Record<string, string | false> =>
  (schema["x-requirements"] ?? {}) as Record<string, string | false>;

/** The requirement id of a keyword, without the service; `null` when the contract says that it has none. */
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
  const { presence: _, ...inner } = place;
  const required = new Set((schema.required ?? []) as string[]);
  for (const [property, child] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)) {
    visit(walk, child, {
      ...inner,
      pointer: `${place.pointer}/${escapeSegment(property)}`,
      base: place.base === null ? null : `${place.base}.${property}`,
      presence: required.has(property) ? "required" : "optional",
    });
  }
  if (schema.items !== undefined) {
    visit(walk, schema.items as JsonSchema, { ...inner, pointer: `${place.pointer}/*` });
  }
  for (const part of (schema.allOf ?? []) as JsonSchema[]) visit(walk, part, inner);
  for (const branch of [
    ...((schema.anyOf ?? []) as JsonSchema[]),
    ...((schema.oneOf ?? []) as JsonSchema[]),
  ]) {
    const alternative = typeof branch.$ref === "string" ? branch.$ref.split("/").at(-1) : undefined;
    visit(walk, branch, { ...inner, places: { ...place.places, ...(alternative && { alternative }) } });
  }
  if (typeof schema["x-encrypts"] === "string") {
    const { schemaName: _name, ...places } = place.places;
    visit(
      walk,
      { $ref: `#/components/schemas/${schema["x-encrypts"]}` },
      {
        ...inner,
        pointer: "",
        places: { ...places, within: place.pointer },
      },
    );
  }
};
