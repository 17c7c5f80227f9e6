/**
 * Demands for an instance that shows a change: first the demands that aim at the change, then the demands that only
 * require its place.
 */
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { UNNAMED } from "../../../helpers/contract/schemas/negate.ts";
import type { SchemaChange } from "../compare/change.ts";
import type { RuleName } from "../compare/rules.ts";
import { demandOf } from "../compare/steps.ts";
import { INTEGER_ENDS } from "../compare/types.ts";
import { type Sender, sidesOf } from "../document/model.ts";
import type { Draws } from "./judge.ts";

export interface Demand extends Draws {
  /** The schema that the whole value must match. */
  readonly wanted: unknown;
}

/** How many values are drawn of each kind of sample. */
const AIMED: Readonly<Record<Draws["samples"], number>> = { required: 10, optional: 4, every: 4 };
const DRAWN: typeof AIMED = { required: 12, optional: 12, every: 24 };
/** More attempts for changes that may narrow or widen, since they cannot be aimed at. */
const DRAWN_TANGLED: typeof AIMED = { required: 60, optional: 120, every: 24 };

/**
 * Returns demands, with those for small instances first.
 * @param schema the schema of the whole value, in the document that allows it
 */
export const demandsFor = (change: SchemaChange, schema: unknown, sender: Sender): readonly Demand[] => {
  const { steps, simpleUntil } = change;
  const isSimple = simpleUntil >= steps.length;
  const aimed = isSimple ? aims(change, sender) : [...aims(change, sender), ...tangledAims(change, sender)];
  const open = isSimple ? [steps] : [steps, steps.slice(0, simpleUntil)];
  const besides = (demand: unknown, counts: typeof AIMED) => ({
    wanted: { allOf: [demand, schema] },
    counts,
  });
  const demands = [
    ...aimed.map((demand) => besides(demand, AIMED)),
    ...open.map((way) => besides(demandOf(way, true, sender), isSimple ? DRAWN : DRAWN_TANGLED)),
  ];
  // Only a value with many parts may differ from each alternative of a union.
  const isInUnion = change.rule === "alternative" || steps.some(({ kind }) => kind === "way");
  const all = ["required", ...(isInUnion ? (["every"] as const) : []), "optional"] as const;
  return all.flatMap((samples) =>
    demands.map(({ wanted, counts }) => ({ wanted, samples, attempts: counts[samples] })),
  );
};

/** Returns demands on the whole value that aim at the change. */
const aims = (change: SchemaChange, sender: Sender): unknown[] => {
  const { rule, steps, nodes } = change;
  const refusing = nodes[sidesOf(sender)[1]];
  const keywords = isObject(refusing) ? refusing : {};
  if (rule === "property" || rule === "required") return propertyAims(change, keywords, sender);
  const inner = AIMS[rule]?.(keywords, change, sender) ?? opposites(rule, keywords);
  return inner.map((schema) => demandOf(steps, schema, sender));
};

/** Returns demands for values that only one of the two schemas accepts, in any alternative. */
const tangledAims = ({ rule, steps, nodes }: SchemaChange, sender: Sender): unknown[] => {
  const moves = steps.filter(({ kind }) => kind !== "way");
  const sides = [nodes.old, nodes.new].filter(isObject);
  return sides.flatMap((taking) =>
    sides
      .filter((other) => other !== taking)
      .flatMap((other) => opposites(rule, other))
      .map((opposite) => demandOf(moves, { allOf: [taking, opposite] }, sender)),
  );
};

const unnamed = () => [{ type: "object", required: [UNNAMED] }];

/** Demands on the place of a change, for rules that need more than the opposite of the keyword. */
const AIMS: Readonly<
  Partial<Record<RuleName, (refusing: Json, change: SchemaChange, sender: Sender) => unknown[]>>
> = {
  null: () => [{ type: "null" }],
  // A parameter may read one item as a text, but not two.
  type: (refusing) => {
    const others = opposites("type", refusing);
    return [...others, ...others.map((other) => ({ allOf: [other, { type: "array", minItems: 2 }] }))];
  },
  value: (_, change, sender) => {
    const values = change[sidesOf(sender)[0]];
    return [Array.isArray(values) ? { enum: values } : true];
  },
  format: (refusing) => {
    const end = INTEGER_ENDS[String(refusing.format)];
    return [
      ...opposites("format", refusing),
      ...(end === undefined
        ? []
        : [
            { type: "integer", maximum: -end - 1 },
            { type: "integer", minimum: end },
          ]),
    ];
  },
  alternative: () => [true],
  additionalProperties: ({ additionalProperties }) => [{ not: additionalProperties ?? {} }, true],
  patternProperties: (refusing, { subject }) => [
    { not: namedSchema(refusing, "patternProperties", subject) ?? {} },
    true,
  ],
  propertyNames: unnamed,
  unevaluatedProperties: unnamed,
  unevaluatedItems: ({ prefixItems }) => [
    { type: "array", minItems: 1 + (Array.isArray(prefixItems) ? prefixItems.length : 0) },
  ],
  maxContains: ({ maxContains, contains }) => [
    { type: "array", minItems: Number(maxContains) + 1, items: contains ?? {} },
  ],
  dependentRequired: (_, { subject }) => [{ type: "object", required: [subject] }],
};

const namedSchema = (node: Json, keyword: string, name: string | undefined): unknown => {
  const named = node[keyword];
  return isObject(named) && name !== undefined ? named[name] : undefined;
};

/** Demands that the property is missing, is present, or has a value that the refusing side does not allow. */
const propertyAims = ({ steps, subject }: SchemaChange, refusing: Json, sender: Sender): unknown[] => {
  const parent = steps.slice(0, -1);
  const name = String(subject);
  const schema = isObject(refusing.properties) ? refusing.properties[name] : undefined;
  return [
    demandOf(parent, { type: "object", properties: { [name]: false } }, sender),
    demandOf(steps, true, sender),
    ...(schema === undefined ? [] : [demandOf(steps, { not: schema }, sender)]),
    ...(isObject(refusing.additionalProperties)
      ? [demandOf(steps, { not: refusing.additionalProperties }, sender)]
      : []),
  ];
};

/** Keywords that express a rule. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  minimum: ["minimum", "exclusiveMinimum"],
  maximum: ["maximum", "exclusiveMaximum"],
  enum: ["enum", "const"],
};

const opposites = (rule: string, refusing: Json): unknown[] =>
  (WRITTEN[rule] ?? [rule])
    .filter((keyword) => refusing[keyword] !== undefined)
    .map((keyword) => ({ not: { [keyword]: refusing[keyword] } }));
