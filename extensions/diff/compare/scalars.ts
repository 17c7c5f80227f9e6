/** Compares keywords with a single value: limits, lengths, counts, step, pattern and format. */

import { isSame, type Json } from "../../../helpers/contract/json.ts";
import { FORMAT_SAMPLES, unmasked } from "../../../helpers/contract/schemas/format-samples.ts";
import { FORMATS } from "../../../helpers/contract/schemas/formats.ts";
import { type Action, actionOf, type RuleName } from "./rules.ts";
import { takes, typesOf } from "./types.ts";
import { type Nodes, note, type Spot } from "./unit.ts";

export const compareScalars = (spot: Spot, nodes: Nodes): void => {
  const { old: oldNode, new: newNode } = nodes;
  for (const row of ROWS) {
    const [base, revision] = [row.read(oldNode), row.read(newNode)];
    if (isSame(base, revision)) continue;
    const types =
      row.types ??
      [base, revision]
        .filter((one) => one !== undefined)
        .map((one) => (NUMERIC_FORMATS.has(one) ? "number" : "string"));
    // A type that only one side allows is reported as a change of the type.
    const applies = types.some((type) => takes(oldNode, type) || takes(newNode, type));
    const shared = types.some((type) => takes(oldNode, type) && takes(newNode, type));
    if (applies && !shared) continue;
    const action = actionOf(base, revision);
    const harmless = { effect: { narrows: false, widens: false }, note: "it applies to no value" };
    note(spot, nodes, {
      rule: row.rule(base, revision),
      action: action === "changed" ? row.compare(base, revision) : action,
      old: row.show(base),
      new: row.show(revision),
      ...(!applies && harmless),
    });
  }
};

/** Reads and compares one keyword; `undefined` represents a schema without it. */
interface ScalarRow {
  readonly types: readonly string[] | undefined;
  readonly rule: (base: unknown, revision: unknown) => RuleName;
  readonly read: (node: Json) => unknown;
  readonly show: (value: unknown) => unknown;
  readonly compare: (base: unknown, revision: unknown) => Action;
}

const plain = { show: (value: unknown) => value };

const plainRow = (
  name: RuleName & string,
  type: string,
  compare: ScalarRow["compare"],
  read: ScalarRow["read"] = (node) => node[name],
): ScalarRow => ({ ...plain, types: [type], rule: () => name, read, compare });

/** @param sign 1 if a higher value narrows, -1 if a lower value narrows */
const figure = (name: RuleName & string, type: string, sign: 1 | -1, neutral?: number): ScalarRow =>
  plainRow(
    name,
    type,
    (base, revision) => ((Number(revision) - Number(base)) * sign > 0 ? "narrowed" : "widened"),
    (node) => (node[name] === neutral ? undefined : node[name]),
  );

/** A numeric limit, and whether it excludes the limit itself. */
interface Limit {
  readonly value: number;
  readonly open: boolean;
}

const limit = (name: "minimum" | "maximum", exclusive: string, sign: 1 | -1): ScalarRow => ({
  types: ["number"],
  rule: () => name,
  read: (node) => limitOf(node, name, exclusive, sign),
  show: (value) => value && `${(value as Limit).open ? "beyond " : ""}${(value as Limit).value}`,
  compare: (base, revision) => (isStricter(revision as Limit, base as Limit, sign) ? "narrowed" : "widened"),
});

const isStricter = (one: Limit, other: Limit, sign: 1 | -1): boolean =>
  one.value === other.value ? one.open && !other.open : (one.value - other.value) * sign > 0;

/**
 * Returns the strictest limit. For integers, returns the last allowed value, whether the limit is inclusive or
 * exclusive.
 */
const limitOf = (node: Json, name: string, exclusive: string, sign: 1 | -1): Limit | undefined => {
  const written: Limit[] = [
    { value: node[name], open: false },
    { value: node[exclusive], open: true },
  ].filter((one): one is Limit => typeof one.value === "number");
  const [first, second] = written;
  if (first === undefined) return undefined;
  const strictest = second !== undefined && isStricter(second, first, sign) ? second : first;
  const wholeOnly = !typesOf(node).includes("number");
  if (!wholeOnly || !Number.isFinite(strictest.value)) return strictest;
  const rounded = sign > 0 ? Math.ceil(strictest.value) : Math.floor(strictest.value);
  const moved = strictest.open && rounded === strictest.value ? rounded + sign : rounded;
  return { value: moved, open: false };
};

const multiple = (base: unknown, revision: unknown): Action => {
  const ratio = Number(revision) / Number(base);
  if (Number.isInteger(ratio)) return "narrowed";
  return Number.isInteger(1 / ratio) ? "widened" : "changed";
};

const NUMERIC_FORMATS: ReadonlySet<unknown> = new Set(["int32", "int64", "float", "double"]);

/** Whether a validator can check the format. */
const isJudged = (format: unknown): boolean =>
  [FORMAT_SAMPLES, FORMATS].some(
    (known) => typeof format === "string" && Object.hasOwn(known, unmasked(format)),
  );

/** Whether every value of the first format certainly matches the second. */
const isNarrowerFormat = (one: unknown, other: unknown): boolean =>
  (isJudged(one) && !isJudged(other)) || (one === "int32" && other === "int64");

const compareFormats = (base: unknown, revision: unknown): Action => {
  if (isNarrowerFormat(revision, base)) return "narrowed";
  return isNarrowerFormat(base, revision) ? "widened" : "changed";
};

const ROWS: readonly ScalarRow[] = [
  limit("minimum", "exclusiveMinimum", 1),
  limit("maximum", "exclusiveMaximum", -1),
  figure("minLength", "string", 1, 0),
  figure("maxLength", "string", -1),
  figure("minItems", "array", 1, 0),
  figure("maxItems", "array", -1),
  figure("minProperties", "object", 1, 0),
  figure("maxProperties", "object", -1),
  plainRow(
    "uniqueItems",
    "array",
    () => "changed",
    (node) => (node.uniqueItems === true ? true : undefined),
  ),
  plainRow("multipleOf", "number", multiple),
  plainRow("pattern", "string", () => "changed"),
  {
    ...plain,
    types: undefined,
    rule: (base, revision) => (isJudged(base) || isJudged(revision) ? "format" : "hint"),
    read: (node) => node.format,
    compare: compareFormats,
  },
];
