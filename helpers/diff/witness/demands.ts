/** What an instance must be like to show a change: aimed at it first, and then only that it has the place. */
import { isObject, type Json } from "../../contract/json.ts";
import { UNNAMED } from "../../generate/negate.ts";
import type { SchemaChange } from "../compare/change.ts";
import type { RuleName } from "../compare/rules.ts";
import { demandOf } from "../compare/steps.ts";
import { type Sender, sidesOf } from "../document/model.ts";
import type { Draws } from "./judge.ts";

export interface Demand extends Draws {
  /** What the whole value has to fit. */
  readonly wanted: unknown;
}

type Attempts = Readonly<Record<Draws["samples"], number>>;

const AIMED: Attempts = { required: 10, optional: 4 };
const DRAWN: Attempts = { required: 12, optional: 12 };
/** Where a change may work either way there is nothing to aim at. */
const DRAWN_TANGLED: Attempts = { required: 60, optional: 120 };

/**
 * Small instances come first.
 * @param schema of the whole value, in the document that allows it
 */
export const demandsFor = (change: SchemaChange, schema: unknown, sender: Sender): readonly Demand[] => {
  const { steps, simpleUntil } = change;
  const isSimple = simpleUntil >= steps.length;
  const aimed = isSimple ? aims(change, sender) : [...aims(change, sender), ...tangledAims(change, sender)];
  const open = isSimple ? [steps] : [steps, steps.slice(0, simpleUntil)];
  const besides = (demand: unknown, counts: Attempts) => ({ wanted: { allOf: [demand, schema] }, counts });
  const demands = [
    ...aimed.map((demand) => besides(demand, AIMED)),
    ...open.map((way) => besides(demandOf(way, true, sender), isSimple ? DRAWN : DRAWN_TANGLED)),
  ];
  return (["required", "optional"] as const).flatMap((samples) =>
    demands.map(({ wanted, counts }) => ({ wanted, samples, attempts: counts[samples] })),
  );
};

/** Demands of the whole value that point at the change. */
const aims = (change: SchemaChange, sender: Sender): unknown[] => {
  const { rule, steps, nodes } = change;
  const refusing = nodes[sidesOf(sender)[1]];
  const keywords = isObject(refusing) ? refusing : {};
  if (rule === "property" || rule === "required") return propertyAims(change, keywords, sender);
  const inner = AIMS[rule]?.(keywords, change, sender) ?? opposites(rule, keywords);
  return inner.map((schema) => demandOf(steps, schema, sender));
};

/** Values that only one of the two schemas at the place takes, by whatever alternative they get there. */
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

type Aim = (refusing: Json, change: SchemaChange, sender: Sender) => unknown[];

const unnamed: Aim = () => [{ type: "object", required: [UNNAMED] }];

/** What the place of a change has to be like, where the opposite of the keyword does not say it. */
const AIMS: Readonly<Partial<Record<RuleName, Aim>>> = {
  null: () => [{ type: "null" }],
  value: (_, change, sender) => {
    const values = change[sidesOf(sender)[0]];
    return [Array.isArray(values) ? { enum: values } : true];
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

/** A property must be missing, be there, or have another value than the refusing side allows. */
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

/** Names under which a document may write the keyword of a rule. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  minimum: ["minimum", "exclusiveMinimum"],
  maximum: ["maximum", "exclusiveMaximum"],
  enum: ["enum", "const"],
};

const opposites = (rule: string, refusing: Json): unknown[] =>
  (WRITTEN[rule] ?? [rule])
    .filter((keyword) => refusing[keyword] !== undefined)
    .map((keyword) => ({ not: { [keyword]: refusing[keyword] } }));
