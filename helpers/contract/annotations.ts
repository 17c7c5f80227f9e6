/** Carries what the contract says about a place (`x-…`) over to the same place of the provider's schema. */
import { assumedBesides } from "./assumed.ts";
import type { Contract, JsonSchema } from "./contract.ts";
import { isObject, type Json } from "./json.ts";
import { componentNamed, referenced } from "./pointer.ts";
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
  const whole = targetOf(carrier, theirs);
  for (const their of partsOf(carrier.theirs, theirs) as Json[]) {
    for (const our of ourParts) {
      if (!firstTime(carrier, our, their)) continue;
      if (isObject(our.properties) && isObject(their.properties)) {
        carryProperties(carrier, our, their as WithProperties, whole);
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

type WithProperties = Json & { properties: Json };

/** @param whole that is composed of `their`, or the same */
const carryProperties = (carrier: Carrier, our: JsonSchema, their: WithProperties, whole: Json): void => {
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

/** What the schema is written in: the component, where it is a reference and adds nothing to what that is made of. */
const targetOf = (carrier: Carrier, schema: Json): Json => {
  const name = componentNamed(schema.$ref);
  const target = name === undefined ? undefined : carrier.theirs[name];
  const isPlain = schema.allOf === undefined && schema.properties === undefined;
  return target !== undefined && isPlain ? targetOf(carrier, target as Json) : schema;
};

/** One component may be part of several bodies, in which its identifiers are not those of the same resource. */
const namesAnother = (carrier: Carrier, ours: JsonSchema, theirs: JsonSchema): boolean => {
  const [resource, known] = [wholeOf(carrier, ours)["x-resource"], theirs["x-resource"]];
  return resource !== undefined && known !== undefined && resource !== known;
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
  const assumed = assumedBesides([carrier.ours, ours], [carrier.theirs, result]);
  if (assumed !== undefined) result["x-assumed"] ??= assumed;
  if (notes["x-level"] !== "documented") return result;
  return { ...result, "x-level": "documented", ...(notes.allOf !== undefined && { allOf: notes.allOf }) };
};

const namesOf = (carrier: Carrier, schema: JsonSchema): Json =>
  (wholeOf(carrier, schema)["x-requirements"] ?? {}) as Json;

/** The schema with what its `$ref` names. */
const wholeOf = ({ ours }: Carrier, schema: JsonSchema): Json =>
  schema.$ref === undefined ? schema : { ...referenced(schema.$ref, ours), ...schema };

const sameType = (carrier: Carrier, ours: JsonSchema, theirs: JsonSchema): boolean => {
  const [one, ...others] = typesOf(carrier.theirs, theirs);
  return others.length === 0 && typesOf(carrier.ours, ours).includes(String(one));
};
