/** Turns steps from a schema to an inner one into a pointer, or into a schema that requires the place. */
import fc from "fast-check";
import { isObject, type Json } from "../../../helpers/contract/json.ts";
import { escapeSegment } from "../../../helpers/contract/pointer.ts";
import { mayMatch } from "../../../helpers/contract/schemas/expressions.ts";
import { UNNAMED } from "../../../helpers/contract/schemas/negate.ts";
import { stringsMatching } from "../../../helpers/generate/patterns.ts";
import { type Sender, sidesOf } from "../document/model.ts";
import type { SchemaStep } from "./change.ts";

/** Returns a pointer such as `/accounts/0/name`, with an asterisk for any item, and alternatives in parentheses. */
export const pointerOf = (steps: readonly SchemaStep[]): string => steps.map(segmentOf).join("");

const segmentOf = (step: SchemaStep): string => {
  switch (step.kind) {
    case "property":
      return `/${escapeSegment(step.name)}`;
    case "item":
      return `/${step.index ?? "*"}`;
    case "other":
      return `/{${step.pattern ?? "other"}}`;
    case "way":
      return `(${step.label})`;
  }
};

/** Whether an instance pointer is at or below the place of the steps; a step through an alternative adds no segment. */
export const liesWithin = (pointer: string, steps: readonly SchemaStep[]): boolean => {
  const segments = pointer.split("/").slice(1);
  const moves = steps.filter(({ kind }) => kind !== "way");
  return (
    segments.length >= moves.length &&
    moves.every((step, index) =>
      step.kind === "property" ? segments[index] === escapeSegment(step.name) : true,
    )
  );
};

/** A value in an instance, with its pointer. */
interface Place {
  readonly pointer: string;
  readonly value: unknown;
}

/** Returns all places of an instance to which the steps lead. */
export const placesAt = (value: unknown, steps: readonly SchemaStep[], pointer = ""): Place[] => {
  const [step, ...rest] = steps;
  if (step === undefined) return [{ pointer, value }];
  if (step.kind === "way") return placesAt(value, rest, pointer);
  if (typeof value !== "object" || value === null) return [];
  const names = step.kind !== "property" ? Object.keys(value) : step.name in value ? [step.name] : [];
  return names.flatMap((name) => placesAt((value as Json)[name], rest, `${pointer}/${escapeSegment(name)}`));
};

/** Returns all values of an instance to which the steps lead. */
export const valuesAt = (instance: unknown, steps: readonly SchemaStep[]): unknown[] =>
  placesAt(instance, steps).map(({ value }) => value);

/** Returns a name that matches the pattern. */
const nameFor = (pattern: string | undefined): string => {
  const isUnnamed = pattern === undefined || mayMatch(pattern, UNNAMED);
  return isUnnamed
    ? UNNAMED
    : (fc.sample(stringsMatching(pattern, 0, Number.POSITIVE_INFINITY), { numRuns: 1, seed: 1 })[0] ??
        UNNAMED);
};

const having = (name: string, schema: unknown) => ({
  type: "object",
  required: [name],
  properties: { [name]: schema },
});

/**
 * Requires that the instance has a value at the place of the steps and that the value matches `inner`.
 * @param sender determines the document that allows the instance: the old one for callers, the new one for services
 */
export const demandOf = (steps: readonly SchemaStep[], inner: unknown, sender: Sender): unknown =>
  steps.reduceRight<unknown>((schema, step) => demand(step, schema, sender), inner);

const demand = (step: SchemaStep, schema: unknown, sender: Sender): unknown => {
  switch (step.kind) {
    case "property":
      return having(step.name, schema);
    case "item": {
      const before = Array.from({ length: step.index ?? 0 }, () => true);
      return step.index === undefined
        ? { type: "array", minItems: 1, items: schema }
        : { type: "array", minItems: step.index + 1, prefixItems: [...before, schema] };
    }
    case "other":
      return having(nameFor(step.pattern), schema);
    case "way": {
      const way = step[sidesOf(sender)[0]];
      return isObject(way) ? { allOf: [way, schema] } : schema;
    }
  }
};
