/** Carries what the contract says about a place (`x-…`) over to the same place of the provider's schema. */
import type { Contract, JsonSchema } from "./contract.ts";
import { isObject, type Json } from "./json.ts";
import { componentOf } from "./rule-walk.ts";
import { partsOf, typesOf } from "./schema-path.ts";

type Schemas = Contract["schemas"];

export interface Carrier {
  readonly ours: Schemas;
  /** Changed where they lie. */
  readonly theirs: { [name: string]: JsonSchema };
  /** Pairs that are done or under way, so that recursion ends. */
  readonly done: WeakMap<JsonSchema, WeakSet<JsonSchema>>;
}

/** Of two schemas of one body: walks both side by side, and annotates the second. */
export const carryAnnotations = (carrier: Carrier, ours: unknown, theirs: unknown): void => {
  if (!isObject(ours) || !isObject(theirs)) return;
  const ourParts = partsOf(carrier.ours, ours);
  for (const their of partsOf(carrier.theirs, theirs) as Json[]) {
    for (const our of ourParts) {
      if (!firstTime(carrier, our, their)) continue;
      if (isObject(our.properties) && isObject(their.properties)) {
        carryProperties(carrier, our, their as Json & { properties: Json });
      }
      if (isObject(our.items) && isObject(their.items)) {
        their.items = annotated(carrier, our.items, their.items);
        carryAnnotations(carrier, our.items, their.items);
      }
    }
  }
};

const firstTime = ({ done }: Carrier, ours: JsonSchema, theirs: JsonSchema): boolean => {
  const partners = done.get(theirs) ?? new WeakSet();
  if (partners.has(ours)) return false;
  done.set(theirs, partners.add(ours));
  return true;
};

const carryProperties = (carrier: Carrier, our: JsonSchema, their: Json & { properties: Json }): void => {
  for (const [name, place] of Object.entries(our.properties as Record<string, unknown>)) {
    const theirPlace = their.properties[name];
    if (!isObject(place) || !isObject(theirPlace)) continue;
    their.properties[name] = annotated(carrier, place, theirPlace);
    if (typeof namesOf(carrier, place).required === "string") {
      their.required = [...new Set([...((their.required ?? []) as string[]), name])];
    }
    carryAnnotations(carrier, place, their.properties[name]);
  }
};

const KEPT = ["x-resource", "x-case", "x-beyond", "x-optional", "x-values", "x-requirements"] as const;

/** Keywords of the object around a place, or none at all. */
const OF_ITS_PARENT: ReadonlySet<string> = new Set(["required", "optional"]);

/** Requirements of the register stand whatever the provider's document says: their keywords come along. */
export const annotated = (carrier: Carrier, ours: JsonSchema, theirs: JsonSchema): JsonSchema => {
  const notes = wholeOf(carrier, ours);
  const result: Json = { ...theirs };
  for (const key of KEPT) {
    if (notes[key] !== undefined && !(key in result)) result[key] = notes[key];
  }
  if (notes["x-data"] !== undefined && sameType(carrier, ours, theirs)) result["x-data"] ??= notes["x-data"];
  for (const [keyword, id] of Object.entries(namesOf(carrier, ours))) {
    const stays = typeof id === "string" && !OF_ITS_PARENT.has(keyword);
    if (stays && notes[keyword] !== undefined) result[keyword] = notes[keyword];
  }
  if (notes["x-level"] !== "documented") return result;
  return { ...result, "x-level": "documented", ...(notes.allOf !== undefined && { allOf: notes.allOf }) };
};

const namesOf = (carrier: Carrier, schema: JsonSchema): Json =>
  (wholeOf(carrier, schema)["x-requirements"] ?? {}) as Json;

/** The schema with what its `$ref` names. */
const wholeOf = ({ ours }: Carrier, schema: JsonSchema): Json =>
  typeof schema.$ref === "string" ? { ...ours[componentOf(schema.$ref)], ...schema } : schema;

const sameType = (carrier: Carrier, ours: JsonSchema, theirs: JsonSchema): boolean => {
  const [one, ...others] = typesOf(carrier.theirs, theirs);
  return others.length === 0 && typesOf(carrier.ours, ours).includes(String(one));
};
