/** Instances that may show a change: aimed at it first, drawn at random after that. */
import { isObject, type Json } from "../../contract/json.ts";
import type { SchemaChange } from "../compare/change.ts";
import type { RuleName } from "../compare/rules.ts";
import { demandOf, UNNAMED } from "../compare/steps.ts";
import type { Sender } from "../document/model.ts";
import type { Judge } from "./judge.ts";
import { NONE } from "./making.ts";

const AIMED = 16;
const DRAWN = 60;
/** Where a change may work either way there is nothing to aim at. */
const DRAWN_TANGLED = 200;

/** @param schema of the whole value, in the document that allows the instances */
export function* instancesShowing(
  judge: Judge,
  change: SchemaChange,
  schema: unknown,
  sender: Sender,
): Generator<unknown> {
  const { steps, simpleUntil } = change;
  const isSimple = simpleUntil >= steps.length;
  const drawn = isSimple ? DRAWN : DRAWN_TANGLED;
  const tries: (readonly [demand: unknown, attempts: number])[] = [
    ...aims(change, sender).map((demand) => [demand, AIMED] as const),
    ...(isSimple ? [] : tangledAims(change, sender).map((demand) => [demand, AIMED] as const)),
    [demandOf(steps, true, sender), drawn],
    ...(isSimple ? [] : [[demandOf(steps.slice(0, simpleUntil), true, sender), drawn] as const]),
  ];
  for (const [demand, attempts] of tries) {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const value = judge.make([demand, schema], sender, attempt);
      if (value !== NONE) yield value;
    }
  }
}

/** Demands of the whole value that point at the change. */
const aims = (change: SchemaChange, sender: Sender): unknown[] => {
  const { rule, steps } = change;
  const refusing = sender === "caller" ? change.newNode : change.oldNode;
  const keywords = isObject(refusing) ? refusing : {};
  if (rule === "property" || rule === "required") return propertyAims(change, keywords, sender);
  const inner = AIMS[rule]?.(keywords, change, sender) ?? opposites(rule, keywords);
  return inner.map((schema) => demandOf(steps, schema, sender));
};

/** Values that only one of the two schemas at the place takes, by whatever alternative they get there. */
const tangledAims = ({ rule, steps, oldNode, newNode }: SchemaChange, sender: Sender): unknown[] => {
  const moves = steps.filter(({ kind }) => kind !== "way");
  const sides = [oldNode, newNode].filter(isObject);
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
  value: (_, change, sender) => [{ enum: sender === "caller" ? change.old : change.new }],
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
