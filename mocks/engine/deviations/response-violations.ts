/** Violations of a rule of responses: values that violate one keyword of a schema. */
import type { Rule } from "../../../helpers/contract/contract.ts";
import { mayMatch } from "../../../helpers/contract/schemas/expressions.ts";
import type { Fields } from "../values/fields.ts";
import type { Edit } from "../values/pointer.ts";
import type { RuleViolation } from "./request-violations.ts";

export const responseViolations = (rule: Rule): RuleViolation[] => {
  const { keyword, pointer, operationId, status } = rule;
  const when = { operationId, ...(status !== undefined && { status }) };
  const [name, edit] = WRONG[keyword] ?? [];
  const change = edit?.(rule);
  // Each known text may match a pattern.
  if (name === undefined || change === undefined || ("set" in change && change.set === undefined)) return [];
  return [{ name, effect: { kind: "json", when, pointer, edit: change } }];
};

/** By keyword: the name of the fault, and the change of the value. */
const WRONG: Readonly<Record<string, [name: string, edit: (rule: Rule) => Edit]>> = {
  required: ["missing", () => ({ remove: true })],
  type: ["wrong-type", ({ value }) => ({ set: wrongType(value as string | string[]) })],
  enum: ["outside-enum", () => ({ set: "UNHEARD_OF" })],
  pattern: ["outside-pattern", ({ value }) => ({ set: outsidePattern(value as string) })],
  format: ["outside-format", ({ value }) => ({ set: outsideFormat(value as string) })],
  maxLength: ["too-long", ({ value, schema }) => ({ set: tooLong(schema.format, (value as number) + 1) })],
  minLength: ["too-short", ({ value }) => ({ set: "a".repeat(Math.max(0, (value as number) - 1)) })],
  maximum: ["above-maximum", ({ value }) => ({ set: (value as number) + beyond(value as number) })],
  minimum: ["below-minimum", ({ value }) => ({ set: (value as number) - beyond(value as number) })],
  exclusiveMaximum: ["at-maximum", ({ value }) => ({ set: value })],
  exclusiveMinimum: ["at-minimum", ({ value }) => ({ set: value })],
  const: ["another-value", ({ value }) => ({ set: typeof value === "string" ? "UNHEARD_OF" : null })],
};

/** Returns a step that changes a number: 1, or more for a number of many digits. */
const beyond = (limit: number): number => Math.max(1, Math.abs(limit) * 2 ** -50);

/** Returns a text that violates only the length, so a URI is still a URI. */
const tooLong = (format: unknown, length: number): string =>
  (format === "uri" ? "https://cards.example.com/" : "").padEnd(length, "a");

/** Returns a value of another type. */
const wrongType = (types: string | readonly string[]): unknown => {
  const allowed = new Set([types].flat());
  if (allowed.has("number")) allowed.add("integer");
  const [, value] = SAMPLES.find(([type]) => !allowed.has(type)) ?? [];
  return value;
};

const SAMPLES: readonly [type: string, value: unknown][] = [
  ["integer", 7],
  ["string", "seven"],
  ["object", { seven: 7 }],
];

const outsidePattern = (pattern: string): string | undefined =>
  ODD_STRINGS.find((candidate) => !mayMatch(pattern, candidate));

const ODD_STRINGS = ["12a4", "no such thing", "!", ""];

/** Returns a value without characters that could be a mask. */
const outsideFormat = (format: string): unknown => OUTSIDE[format.replace(/^masked-or-/, "")] ?? "?";

const OUTSIDE: Fields = {
  "utc-datetime": "2024-05-01T10:00:00+02:00",
  "date-time": "2024-05-01",
  date: "01.05.2024",
  "iso-3166-alpha-2": "USA",
  "iso-639-1": "eng",
  uri: "no address at all",
  uuid: "no-uuid",
  int32: 2 ** 31,
  int64: 2 ** 64,
};
