/** Schemas -> rules: each keyword at each place of a body, with the id of the requirement that it stands for. */
import type { JsonSchema, Level, Operation, Rule, Service } from "./contract.ts";
import { atPointer, type Json } from "./document.ts";

/** What ids start with (`base`), and the ids that types of strings and of other values belong to (`x-rule-ids`). */
interface RuleIds {
  readonly base?: string;
  readonly string: string;
  readonly other: string;
}

/** @param root the OpenAPI document, all `$ref`s local */
export const rulesOf = (root: Json, service: Service, operations: readonly Operation[]): Rule[] =>
  operations.flatMap((operation) => [
    ...Object.values(operation.requestBody?.content ?? {}).flatMap((schema) =>
      walkBody(root, service, operation, "request", schema),
    ),
    ...Object.values(operation.responses).flatMap((response) =>
      Object.values(response.content).flatMap((schema) =>
        walkBody(root, service, operation, "response", schema, response.status),
      ),
    ),
  ]);

const walkBody = (
  root: Json,
  service: Service,
  operation: Operation,
  direction: Rule["direction"],
  schema: JsonSchema,
  status?: number,
): Rule[] => {
  const fill = (id: string) =>
    `${service}.${id}`
      .replaceAll("{operationId}", operation.operationId)
      .replaceAll("{status}", String(status ?? ""));
  const ids = (root["x-rule-ids"] as Record<string, RuleIds>)[direction] as RuleIds;
  const walk: Walk = {
    root,
    fill,
    ids,
    shared: { operationId: operation.operationId, direction, ...(status !== undefined && { status }) },
    rules: [],
    path: new Set(),
  };
  visit(walk, schema, { pointer: "", base: ids.base ?? null, level: operation.level, places: {} });
  return walk.rules;
};

interface Walk {
  readonly root: Json;
  readonly fill: (id: string) => string;
  readonly ids: RuleIds;
  readonly shared: Pick<Rule, "operationId" | "direction" | "status">;
  readonly rules: Rule[];
  /** Component schemas on the way down, so that recursion ends. */
  readonly path: Set<string>;
}

interface Place {
  readonly pointer: string;
  /** Id of the place without keyword; `null` where all rules share the requirement `ids.other`. */
  readonly base: string | null;
  readonly level: Level;
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
  const name = typeof raw.$ref === "string" ? raw.$ref.split("/").at(-1) : undefined;
  if (name !== undefined && walk.path.has(name)) return;
  if (name !== undefined) walk.path.add(name);
  const schema = resolveRef(walk.root, raw);
  const here = enter(walk, schema, name, place);
  record(walk, schema, here);
  descend(walk, schema, here);
  if (name !== undefined) walk.path.delete(name);
};

/** `$ref` with siblings (OpenAPI 3.1): the siblings win, and the two lists of requirement names are joined. */
export const resolveRef = (root: Json, schema: JsonSchema): JsonSchema => {
  if (typeof schema.$ref !== "string") return schema;
  const target = resolveRef(root, (atPointer(root, schema.$ref.slice(1)) ?? {}) as JsonSchema);
  const { $ref: _, ...siblings } = schema;
  const names = { ...(target["x-requirements"] as Json), ...(siblings["x-requirements"] as Json) };
  return { ...target, ...siblings, ...(Object.keys(names).length > 0 && { "x-requirements": names }) };
};

const enter = (walk: Walk, schema: JsonSchema, name: string | undefined, place: Place): Place => {
  const own = schema["x-requirement"] as string | undefined;
  const { whole, ...rest } = place;
  const kept = own ?? (name === undefined ? whole : undefined);
  return {
    ...rest,
    base: walk.ids.base === undefined ? null : ((schema["x-id"] as string | undefined) ?? place.base),
    level: (schema["x-level"] as Level | undefined) ?? place.level,
    places: name === undefined ? place.places : { ...place.places, schemaName: name },
    ...(kept !== undefined && { whole: kept }),
  };
};

const record = (walk: Walk, schema: JsonSchema, place: Place): void => {
  const add = (keyword: string, value: unknown, requirement: string | null) => {
    if (requirement === null) return;
    const { pointer, level, places } = place;
    walk.rules.push({
      ...walk.shared,
      ...places,
      requirement: walk.fill(requirement),
      pointer,
      keyword,
      value,
      schema,
      level,
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
  if (schema["x-values"] === true && walk.shared.direction === "request" && place.base !== null) {
    for (const value of schema.enum as unknown[]) add("enum-value", value, `${place.base}.${String(value)}`);
  }
};

/** The requirement id of a keyword, without the service; `null` when the contract says that it has none. */
const idOf = (
  walk: Walk,
  schema: JsonSchema,
  place: Place,
  keyword: string,
  suffix: string | null,
): string | null => {
  if (place.whole !== undefined) return place.whole;
  const named = (schema["x-requirements"] as Record<string, string | false> | undefined)?.[keyword];
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
      pointer: `${place.pointer}/${property.replaceAll("~", "~0").replaceAll("/", "~1")}`,
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
