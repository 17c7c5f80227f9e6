/**
 * Copies the annotations of the contract (`x-…`) from each place of a schema to the same place of the provider's
 * schema.
 */

import type { JsonSchema, Schemas } from "../contract.ts";
import { isObject, type Json } from "../json.ts";
import { getOrInsert } from "../memoize.ts";
import { referenced } from "../pointer.ts";
import { partsOf, typesOf } from "../schemas/schema-visitor.ts";
import { assumedBesides } from "./assumed.ts";

export interface Carrier {
  readonly ours: Schemas;
  /** These schemas are changed in place. */
  readonly theirs: { [name: string]: JsonSchema };
  /** Pairs that are done or in progress, so that recursion ends. */
  readonly done: WeakMap<object, WeakSet<object>>;
}

/** Walks two schemas of the same body in parallel, and annotates the provider's. */
export const carryAnnotations = (carrier: Carrier, ours: unknown, theirs: unknown): void => {
  if (!isObject(ours) || !isObject(theirs)) return;
  const ourParts = partsOf(carrier.ours, ours);
  const whole = targetOf(carrier.theirs, theirs);
  for (const their of partsOf(carrier.theirs, theirs) as Json[]) {
    for (const our of ourParts) {
      if (!firstTime(carrier.done, our, their)) continue;
      if (isObject(our.properties) && isObject(their.properties)) {
        carryProperties(carrier, our, their as Parameters<typeof carryProperties>[2], whole);
      }
      if (isObject(our.items) && isObject(their.items)) {
        their.items = annotated(carrier, our.items, their.items);
        carryAnnotations(carrier, our.items, their.items);
      }
    }
  }
};

/** Whether a pair is met for the first time. */
export const firstTime = (done: Carrier["done"], ours: object, theirs: object): boolean => {
  const partners = getOrInsert(done, theirs, () => new WeakSet());
  return !partners.has(ours) && partners.add(ours) !== undefined;
};

/** @param whole the schema that is composed of `their`, or `their` itself */
const carryProperties = (
  carrier: Carrier,
  our: JsonSchema,
  their: Json & { properties: Json },
  whole: Json,
): void => {
  for (const [name, place] of Object.entries(our.properties as Record<string, unknown>)) {
    const theirPlace = their.properties[name];
    if (!isObject(place) || !isObject(theirPlace)) continue;
    if (their !== whole && namesAnother(carrier, place, theirPlace)) {
      const own = isObject(whole.properties) ? whole.properties : {};
      whole.properties = { ...own, [name]: annotated(carrier, place, (own[name] ?? {}) as Json) };
      continue;
    }
    their.properties[name] = annotated(carrier, place, theirPlace);
    if (typeof namesOf(carrier, place).required === "string") {
      their.required = [...new Set([...((their.required ?? []) as string[]), name])];
    }
    carryAnnotations(carrier, place, their.properties[name]);
  }
};

/** Returns the component that a schema only refers to; the schema itself if it adds properties or `allOf`. */
export const targetOf = (schemas: Schemas, schema: Json): Json => {
  const isPlain = schema.allOf === undefined && schema.properties === undefined;
  const target = isPlain ? referenced(schema.$ref, schemas) : undefined;
  return target === undefined ? schema : targetOf(schemas, target);
};

/** Whether another body already assigned another resource to the place, because two bodies may share one component. */
const namesAnother = (carrier: Carrier, ours: JsonSchema, theirs: JsonSchema): boolean => {
  const [resource, known] = [wholeOf(carrier, ours)["x-resource"], theirs["x-resource"]];
  return resource !== undefined && known !== undefined && resource !== known;
};

const KEPT = [
  "x-resource",
  "x-case",
  "x-beyond",
  "x-optional",
  "x-send",
  "x-values",
  "x-open",
  "x-requirements",
] as const;

/** Keywords about a place that belong to the object that contains it. */
const OF_ITS_PARENT: ReadonlySet<string> = new Set(["required", "optional"]);

/** Adds our annotations and the keywords of our requirements. These hold even if the provider's document differs. */
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
  const assumed = assumedBesides([carrier.ours, ours], [carrier.theirs, result]);
  if (assumed !== undefined) result["x-assumed"] ??= assumed;
  if (notes["x-level"] !== "documented") return result;
  return { ...result, "x-level": "documented", ...(notes.allOf !== undefined && { allOf: notes.allOf }) };
};

const namesOf = (carrier: Carrier, schema: JsonSchema): Json =>
  (wholeOf(carrier, schema)["x-requirements"] ?? {}) as Json;

/** Returns the schema merged with the target of its `$ref`. */
const wholeOf = ({ ours }: Carrier, schema: JsonSchema): Json =>
  schema.$ref === undefined ? schema : { ...referenced(schema.$ref, ours), ...schema };

const sameType = (carrier: Carrier, ours: JsonSchema, theirs: JsonSchema): boolean => {
  const [one, ...others] = typesOf(carrier.theirs, theirs);
  return others.length === 0 && typesOf(carrier.ours, ours).includes(String(one));
};
