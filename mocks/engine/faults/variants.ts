/** Variants of the sandbox: as right as it is by the documents, and different wherever they leave it open. */
import { setTimeout as wait } from "node:timers/promises";
import type { JsonSchema, Operation } from "../../../helpers/contract/contract.ts";
import { rewritten } from "../../../helpers/contract/json.ts";
import type { Answer, SandboxService } from "../service.ts";
import { type Fields, isObject } from "../values/fields.ts";
import type { Flatten } from "../values/flat-schema.ts";
import { hashOf } from "../values/random.ts";
import variants from "./variants.json" with { type: "json" };

export interface Variant {
  readonly name: string;
  /** For people. */
  readonly what: string;
  /** In which order objects have their fields. */
  readonly fields: "as-made" | "reversed" | "by-name";
  /** Fields that no document knows, in every object. */
  readonly extra: Fields;
  /** Which of a hundred optional fields are left out. */
  readonly leftOut: number;
  /** What stands before every text of a refusal. */
  readonly words: string;
  readonly refusals: "as-made" | "other-shape";
  /** Digits of decimal ids. */
  readonly idDigits: number;
  /** Entries of a page unless the caller says how many. */
  readonly pageSize: number;
  /** Milliseconds by which every answer is late. */
  readonly delay: number;
}

export const VARIANTS = variants as readonly Variant[];

/** What an answer becomes on its way out. */
export type Vary = (answer: Answer, operation: Operation | undefined) => Promise<Answer>;

type Varied = Pick<SandboxService, "otherRefusal" | "otherStatuses" | "namedFields">;

export const variedBy = (variant: Variant, flatten: Flatten, service: Varied): Vary => {
  const { otherRefusal, otherStatuses = {}, namedFields = [] } = service;
  const statuses = otherStatuses[variant.name] ?? {};
  return async (answer, operation) => {
    if (variant.delay > 0) await wait(variant.delay);
    if (answer.json === undefined) return answer;
    const { written: _, ...rest } = answer;
    const schema = operation?.responses[answer.status]?.content["application/json"];
    if (answer.status < 400) {
      const kept =
        schema === undefined ? answer.json : thinned({ variant, flatten, namedFields }, schema, answer.json);
      return { ...rest, json: arranged(variant, kept, schema && { flatten, schema }) };
    }
    const shaped =
      variant.refusals === "other-shape" ? (otherRefusal?.(answer.json) ?? answer.json) : answer.json;
    return {
      ...rest,
      status: (operation && statuses[answer.cause ?? ""]) ?? answer.status,
      json: arranged(variant, worded(variant, shaped)),
    };
  };
};

interface Thinning {
  readonly variant: Variant;
  readonly flatten: Flatten;
  readonly namedFields: readonly string[];
}

/** Without some of the fields that the schema does not require. */
const thinned = (thinning: Thinning, schema: JsonSchema, value: unknown): unknown => {
  const { variant, flatten, namedFields } = thinning;
  if (variant.leftOut === 0) return value;
  const flat = flatten(schema, value);
  if (Array.isArray(value)) {
    const { items } = flat;
    return items === undefined ? value : value.map((item) => thinned(thinning, items, item));
  }
  const { properties } = flat;
  if (!isObject(value) || properties === undefined) return value;
  const kept = Object.entries(value).filter(([name]) => {
    const property = properties.get(name);
    // An identifier is what the next call needs, whatever a schema says of it.
    const needed =
      property === undefined ||
      namedFields.includes(name) ||
      flat.required.has(name) ||
      flatten(property, value[name]).resource !== undefined;
    return needed || hashOf(`${variant.name} ${name}`) % 100 >= variant.leftOut;
  });
  return Object.fromEntries(
    kept.map(([name, inside]) => {
      const property = properties.get(name);
      return [name, property === undefined ? inside : thinned(thinning, property, inside)];
    }),
  );
};

interface Shape {
  readonly flatten: Flatten;
  readonly schema: JsonSchema;
}

/** @param shape of the value, where one is known: what else an object may have it may say */
const arranged = (variant: Variant, value: unknown, shape?: Shape): unknown => {
  if (!isObject(value) && !Array.isArray(value)) return value;
  const flat = shape?.flatten(shape.schema, value);
  const inner = (schema: JsonSchema | undefined) => shape && schema && { ...shape, schema };
  if (Array.isArray(value)) return value.map((item) => arranged(variant, item, inner(flat?.items)));
  const fields = Object.entries(value).map(
    ([name, inside]) => [name, arranged(variant, inside, inner(flat?.properties?.get(name)))] as const,
  );
  if (variant.fields === "reversed") fields.reverse();
  if (variant.fields === "by-name") fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...Object.fromEntries(fields), ...(flat?.anyOthers === false ? {} : variant.extra) };
};

/** Texts for people; codes and names of fields stay. */
const WORDS: ReadonlySet<string> = new Set(["message", "Description"]);

const worded = ({ words }: Variant, value: unknown): unknown =>
  rewritten(value, (object) => {
    const texts = Object.entries(object).filter(
      ([name, text]) => WORDS.has(name) && typeof text === "string",
    );
    return { ...object, ...Object.fromEntries(texts.map(([name, text]) => [name, `${words}${text}`])) };
  });

export class UnknownVariantError extends Error {
  override readonly name = "UnknownVariantError";
}

/** @throws UnknownVariantError */
export const variantNamed = (name: string): Variant => {
  const variant = VARIANTS.find((candidate) => candidate.name === name);
  if (variant !== undefined) return variant;
  const names = VARIANTS.map((one) => one.name).join(", ");
  throw new UnknownVariantError(`There is no variant "${name}". There are: ${names}.`);
};
