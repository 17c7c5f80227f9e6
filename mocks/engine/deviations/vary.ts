/** Applies the habits of a server to its answers. */
import { setTimeout as wait } from "node:timers/promises";
import type { Contract, JsonSchema, Operation } from "../../../helpers/contract/contract.ts";
import { rewritten } from "../../../helpers/contract/json.ts";
import type { Answer } from "../call.ts";
import { type Fields, isObject } from "../values/fields.ts";
import type { Flatten } from "../values/flat-schema.ts";
import { hashOf } from "../values/random.ts";
import type { Deviating } from "./catalogue.ts";
import type { Habits } from "./habits.ts";

/** Changes an answer before it is sent. */
export type Vary = (answer: Answer, operation: Operation | undefined) => Promise<Answer>;

export const asItIs: Vary = async (answer) => answer;

export const variedBy = (
  habits: Habits,
  flatten: Flatten,
  service: Pick<Deviating, "otherRefusal" | "namedFields">,
  { provider }: Pick<Contract, "provider">,
): Vary => {
  const hasDocument = provider !== null;
  const { otherRefusal, namedFields = [] } = service;
  const isWritten = habits.numericIds || habits.twoDecimals;
  return async (answer, operation) => {
    if (habits.delay > 0) await wait(habits.delay);
    const headers = { ...answer.headers, ...habits.extraHeaders, ...timingOf(habits) };
    const delivered = { ...answer, headers };
    if (answer.json === undefined) return delivered;
    const { written: _, ...rest } = delivered;
    const schema = operation?.responses[answer.status]?.content["application/json"];
    if (answer.status < 400) {
      const shape = schema && { flatten, schema };
      const kept =
        shape === undefined ? answer.json : thinned({ habits, namedFields, hasDocument }, shape, answer.json);
      const json = arranged(habits, kept, shape);
      if (json === answer.json && !isWritten) return delivered;
      if (!isWritten || shape === undefined) return { ...rest, json };
      return { ...rest, json, written: Buffer.from(writtenBy(habits, json, shape)) };
    }
    const shaped =
      habits.refusals === "other-shape" ? (otherRefusal?.(answer.json) ?? answer.json) : answer.json;
    return {
      ...rest,
      status: (operation && habits.statuses[answer.cause ?? ""]) ?? answer.status,
      json: arranged(habits, worded(habits, shaped)),
    };
  };
};

/** Announces a delay in the header for that (Server Timing). */
const timingOf = ({ delay }: Habits): Readonly<Record<string, string>> =>
  delay > 0 ? { "server-timing": `wait;dur=${delay}` } : {};

interface Thinning {
  readonly habits: Habits;
  readonly namedFields: readonly string[];
  /**
   * Whether the contract follows a provider's document. It does not say which identifiers, and which lists of them, the
   * next call needs.
   */
  readonly hasDocument: boolean;
}

interface Shape {
  readonly flatten: Flatten;
  readonly schema: JsonSchema;
}

/** Removes some of the fields that the schema does not require. */
const thinned = (thinning: Thinning, { flatten, schema }: Shape, value: unknown): unknown => {
  if (thinning.habits.leftOut === 0) return value;
  const flat = flatten(schema, value);
  if (Array.isArray(value)) {
    const { items } = flat;
    return items === undefined
      ? value
      : value.map((item) => thinned(thinning, { flatten, schema: items }, item));
  }
  const { properties } = flat;
  if (!isObject(value) || properties === undefined) return value;
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const property = properties.get(name);
    const child = value[name];
    if (property === undefined) kept[name] = child;
    else if (
      shareOf(name) >= thinning.habits.leftOut ||
      thinning.namedFields.includes(name) ||
      flat.required.has(name) ||
      // The next call needs the identifier, even if the schema makes it optional.
      flatten(property, child).resource !== undefined ||
      (thinning.hasDocument && (ID.test(name) || typeof child === "object"))
    )
      kept[name] = thinned(thinning, { flatten, schema: property }, child);
  }
  return kept;
};

const ID = /^id$|[a-z]Id$|_id$/;

const shares = new Map<string, number>();

/** Returns a number from 0 to 99, the same for the same name. */
const shareOf = (name: string): number => {
  const share = shares.get(name) ?? hashOf(`thinned ${name}`) % 100;
  shares.set(name, share);
  return share;
};

/** Whether the habits change the order of fields, add fields, or write dates in another form. */
const isArranged = ({ fields, extra, dates }: Habits): boolean =>
  fields !== "as-made" || dates !== "as-made" || Object.keys(extra).length > 0;

/** @param shape of the value, if known: it says whether objects may have other fields */
const arranged = (habits: Habits, value: unknown, shape?: Shape): unknown =>
  isArranged(habits) ? rearranged(habits, value, shape) : value;

const rearranged = (habits: Habits, value: unknown, shape?: Shape): unknown => {
  if (typeof value === "string") return habits.dates === "as-made" ? value : dated(habits, value);
  if (typeof value !== "object" || value === null) return value;
  const flat = shape?.flatten(shape.schema, value);
  if (Array.isArray(value)) {
    const items = inside(shape, flat?.items);
    return value.map((item) => rearranged(habits, item, items));
  }
  const fields = value as Fields;
  const others = flat?.anyOthers === false ? undefined : habits.extra;
  const arranged: Record<string, unknown> = {};
  for (const name of orderOf(habits, fields))
    arranged[name] = rearranged(habits, fields[name], inside(shape, flat?.properties?.get(name)));
  return others === undefined ? arranged : Object.assign(arranged, others);
};

const inside = (shape: Shape | undefined, schema: JsonSchema | undefined): Shape | undefined =>
  shape && schema && { flatten: shape.flatten, schema };

const orderOf = ({ fields }: Habits, value: Fields): readonly string[] => {
  const names = Object.keys(value);
  if (fields === "reversed") return names.reverse();
  return fields === "by-name" ? names.sort() : names;
};

/** A time in UTC, to the second or finer. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]00:?00)$/;

/** Writes the same instant with milliseconds, or in another time zone. */
const dated = ({ dates }: Habits, text: string): string => {
  if (text.length < SHORTEST_TIME || text[4] !== "-") return text;
  const [, seconds, fraction = ""] = TIME.exec(text) ?? [];
  if (seconds === undefined) return text;
  if (dates === "with-fraction") return `${seconds}${fraction || ".000"}Z`;
  const east = new Date(Date.parse(`${seconds}Z`) + OFFSET_MINUTES * 60_000).toISOString();
  return `${east.slice(0, 19)}${fraction}+02:00`;
};

const SHORTEST_TIME = "2000-01-01T00:00:00Z".length;

const OFFSET_MINUTES = 120;

/** Fields with texts for people. Codes and field names do not change. */
const WORDS: ReadonlySet<string> = new Set(["message", "Description"]);

const worded = ({ words }: Habits, value: unknown): unknown =>
  rewritten(value, (object) => {
    const texts = Object.entries(object).filter(
      ([name, text]) => WORDS.has(name) && typeof text === "string",
    );
    return { ...object, ...Object.fromEntries(texts.map(([name, text]) => [name, `${words}${text}`])) };
  });

/** Serializes the value with decimal ids as numbers, and amounts with two decimals: JSON.stringify can do neither. */
const writtenBy = (habits: Habits, value: unknown, shape: Shape | undefined): string => {
  if (shape === undefined) return JSON.stringify(value);
  const flat = shape.flatten(shape.schema, value);
  if (Array.isArray(value)) {
    const items = inside(shape, flat.items);
    return `[${value.map((item) => writtenBy(habits, item, items)).join(",")}]`;
  }
  if (isObject(value)) {
    const texts: string[] = [];
    for (const name of Object.keys(value)) {
      const child = value[name];
      if (child === undefined) continue;
      const text = writtenBy(habits, child, inside(shape, flat.properties?.get(name)));
      texts.push(`${JSON.stringify(name)}:${text}`);
    }
    return `{${texts.join(",")}}`;
  }
  if (habits.numericIds && flat.resource !== undefined && DECIMAL_ID.test(String(value)))
    return String(value);
  const isAmount = habits.twoDecimals && typeof value === "number" && flat.types.includes("number");
  return isAmount && !String(value).includes("e")
    ? value.toFixed(Math.max(2, decimalsOf(value)))
    : JSON.stringify(value);
};

const DECIMAL_ID = /^[1-9]\d*$/;

const decimalsOf = (value: number): number => String(value).split(".")[1]?.length ?? 0;
