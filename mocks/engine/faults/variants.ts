/** Variants of the sandbox: each conforms to the documents, but differs in points that the documents do not define. */
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
  /** A description for people. */
  readonly what: string;
  /** The order of the fields in objects. */
  readonly fields: "as-made" | "reversed" | "by-name";
  /** Undocumented fields that every object gets. */
  readonly extra: Fields;
  /** The percentage of optional fields that are left out. */
  readonly leftOut: number;
  /** A prefix of every refusal text. */
  readonly words: string;
  readonly refusals: "as-made" | "other-shape";
  /** Number of digits of decimal ids. */
  readonly idDigits: number;
  /** Entries per page when the caller gives no size. */
  readonly pageSize: number;
  /** Milliseconds of delay before every answer. */
  readonly delay: number;
}

export const VARIANTS = variants as readonly Variant[];

/** Changes an answer before it is sent. */
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

/** Removes some of the fields that the schema does not require. */
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
    // The next call needs the identifier, even if the schema makes it optional.
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

/** @param shape of the value, if known: it says whether objects may have other fields */
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

/** Fields with texts for people. Codes and field names do not change. */
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
