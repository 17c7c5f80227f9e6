/** Applies the habits of a server to its answers. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Contract, JsonSchema, Operation } from "../../../helpers/contract/contract.ts";
import { rewritten } from "../../../helpers/contract/json.ts";
import type { Answer } from "../call.ts";
import type { Clock } from "../clock.ts";
import { type Fields, isObject } from "../values/fields.ts";
import type { FlatSchema, Flatten } from "../values/flat-schema.ts";
import { isLarge } from "../values/parsed-json.ts";
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
  { now }: Pick<Clock, "now">,
  hasLargeIds: boolean,
): Vary => {
  const { otherRefusal, namedFields = [] } = service;
  const arranging = { habits, namedFields, hasDocument: provider !== null, now };
  const isWritten = habits.numericIds || habits.twoDecimals || hasLargeIds;
  return async (answer, operation) => {
    if (habits.delay > 0) await wait(habits.delay);
    const headers = { ...answer.headers, ...habits.extraHeaders, ...timingOf(habits) };
    const delivered = { ...answer, headers };
    if (answer.json === undefined) return delivered;
    const { written: _, ...rest } = delivered;
    const schema = operation?.responses[answer.status]?.content["application/json"];
    if (answer.status < 400) {
      const shape = schema && { flatten, schema };
      const json = arranged(arranging, answer.json, shape);
      if (json === answer.json && !isWritten) return delivered;
      if (!isWritten || shape === undefined) return { ...rest, json };
      return { ...rest, json, written: Buffer.from(writtenBy(habits, json, shape)) };
    }
    const shaped =
      habits.refusals === "other-shape" ? (otherRefusal?.(answer.json) ?? answer.json) : answer.json;
    return {
      ...rest,
      status: (operation && habits.statuses[answer.cause ?? ""]) ?? answer.status,
      json: arranged(arranging, worded(habits, shaped)),
    };
  };
};

/** Announces a delay in the header for that (Server Timing). */
const timingOf = ({ delay }: Habits): Readonly<Record<string, string>> =>
  delay > 0 ? { "server-timing": `wait;dur=${delay}` } : {};

interface Arranging {
  readonly habits: Habits;
  readonly namedFields: readonly string[];
  /**
   * Whether the contract follows a provider's document. It does not say which identifiers, and which lists of them, the
   * next call needs.
   */
  readonly hasDocument: boolean;
  readonly now: Clock["now"];
}

interface Shape {
  readonly flatten: Flatten;
  readonly schema: JsonSchema;
}

/** Whether a field that the schema does not require is left out. */
const isLeftOut = (
  { habits, namedFields, hasDocument }: Arranging,
  { flatten, schema }: Shape,
  { required }: FlatSchema,
  [name, value]: readonly [string, unknown],
): boolean =>
  shareOf(name) < habits.leftOut &&
  !namedFields.includes(name) &&
  !required.has(name) &&
  // The next call needs the identifier, even if the schema makes it optional.
  flatten(schema, value).resource === undefined &&
  !(hasDocument && (ID.test(name) || typeof value === "object"));

const ID = /^id$|[a-z]Id$|_id$/;

const shares = new Map<string, number>();

/** Returns a number from 0 to 99, the same for the same name. */
const shareOf = (name: string): number => {
  const share = shares.get(name) ?? hashOf(`thinned ${name}`) % 100;
  shares.set(name, share);
  return share;
};

/** Whether the habits change the order of fields, leave out or add fields, or write dates or words in another form. */
const isArranged = ({ fields, extra, moving, dates, letters, leftOut }: Habits): boolean =>
  [fields, dates, letters].some((one) => one !== "as-made") ||
  [leftOut > 0, Object.keys(extra).length > 0, moving].includes(true);

/** @param shape of the value, if known: it says which fields are optional, and whether objects may have others */
const arranged = (arranging: Arranging, value: unknown, shape?: Shape): unknown =>
  isArranged(arranging.habits) ? rearranged(arranging, value, shape) : value;

const rearranged = (arranging: Arranging, value: unknown, shape?: Shape): unknown => {
  const { habits, now } = arranging;
  const flat = shape?.flatten(shape.schema, value);
  if (typeof value === "string") {
    if (flat?.anyCase === true && habits.letters === "capitals") return value.toUpperCase();
    return habits.dates === "as-made" ? value : dated(habits, value);
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = inside(shape, flat?.items);
    return value.map((item) => rearranged(arranging, item, items));
  }
  const fields = value as Fields;
  const arranged: Record<string, unknown> = {};
  for (const name of orderOf(habits, fields)) {
    const field = inside(shape, flat?.properties?.get(name));
    if (field && flat && isLeftOut(arranging, field, flat, [name, fields[name]])) continue;
    arranged[name] = rearranged(arranging, fields[name], field);
  }
  if (flat?.anyOthers === false) return arranged;
  const isMoving = habits.moving && Object.keys(fields).some((name) => ID.test(name));
  return { ...(isMoving && movingWith(fields, now())), ...Object.assign(arranged, habits.extra) };
};

/** Returns fields that differ in each answer, in each second, and after each change of the others. */
const movingWith = (fields: Fields, now: Date): Fields => {
  const version = hashOf(JSON.stringify(fields));
  return {
    ...{ requestRef: randomUUID(), _meta: { requestRef: randomUUID() }, version },
    servedAt: `${now.toISOString().slice(0, SHORTEST_TIME - 1)}Z`,
    updatedAt: new Date(version * 1000).toISOString(),
  };
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
  const isNumber = isLarge(value) && flat.types.includes("integer") && !flat.types.includes("string");
  if (isNumber || (habits.numericIds && flat.resource !== undefined && DECIMAL_ID.test(String(value))))
    return String(value);
  const isAmount = habits.twoDecimals && typeof value === "number" && flat.types.includes("number");
  return isAmount && !String(value).includes("e")
    ? `${value === 0 ? "-" : ""}${value.toFixed(Math.max(2, String(value).split(".")[1]?.length ?? 0))}`
    : JSON.stringify(value);
};

const DECIMAL_ID = /^[1-9]\d*$/;
