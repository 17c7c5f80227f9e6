/** Finds the messages that a change of a schema reaches, and the steps to it. */
import { groupBy } from "../../../helpers/contract/memoize.ts";
import type { Both, Schemas } from "../document/model.ts";
import type { SchemaChange } from "./change.ts";
import type { Found, Occurrence, SchemaRoot } from "./found.ts";
import { namedAt } from "./named.ts";
import { anyOf } from "./rules.ts";
import { pointerOf } from "./steps.ts";
import { SIMPLE, type Unit } from "./unit.ts";

/** Returns one finding for each change, even if the change reaches many messages. */
export const foundInSchemas = (
  units: ReadonlyMap<string, Unit>,
  roots: readonly (SchemaRoot & { readonly unit: string })[],
  schemas: Both<Schemas>,
): Found[] => {
  const edges = [...units.values()].flatMap(({ key, edges }) =>
    edges.map((edge) => ({ ...edge, from: key })),
  );
  const incoming = groupBy(edges, ({ to }) => to);
  const rootsOf = groupBy(roots, ({ unit }) => unit);
  return [...units.values()]
    .filter(({ changes }) => changes.length > 0)
    .flatMap((unit) => {
      const ways = waysTo(unit.key, incoming, rootsOf);
      return unit.changes.map((change): Found => {
        const occurrences = ways.map((way) => occurrenceOf(way, change, schemas));
        const seen = occurrences.map(({ schema }) => schema?.change.effect ?? change.effect);
        return {
          change: { ...change, effect: anyOf(seen) },
          owner: unit.owner,
          part: unit.part,
          pointer: unit.prefix + pointerOf(change.steps),
          occurrences,
        };
      });
    });
};

/** A part of a way through schemas. */
type Stretch = Pick<SchemaChange, "steps" | "simpleUntil">;

/** Returns the shortest simple way from each root, and the shortest way that is not simple. */
const waysTo = (
  target: string,
  incoming: ReadonlyMap<string, readonly (Stretch & { readonly from: string })[]>,
  rootsOf: ReadonlyMap<string, readonly SchemaRoot[]>,
): (Stretch & { readonly root: SchemaRoot })[] => {
  const met = new Set<string>();
  const ways: ReturnType<typeof waysTo> = [];
  const waiting: (Stretch & { readonly key: string })[] = [{ key: target, steps: [], simpleUntil: SIMPLE }];
  for (let at = 0; at < waiting.length; at += 1) {
    const { key, steps, simpleUntil } = waiting[at] as (typeof waiting)[number];
    const state = `${key} ${Number.isFinite(simpleUntil)}`;
    if (met.has(state)) continue;
    met.add(state);
    for (const root of rootsOf.get(key) ?? []) ways.push({ root, steps, simpleUntil });
    for (const one of incoming.get(key) ?? [])
      waiting.push({
        key: one.from,
        steps: [...one.steps, ...steps],
        simpleUntil: Math.min(one.simpleUntil, one.steps.length + simpleUntil),
      });
  }
  return ways;
};

const occurrenceOf = (
  { root, steps, simpleUntil }: Stretch & { readonly root: SchemaRoot },
  change: SchemaChange,
  schemas: Both<Schemas>,
): Occurrence => {
  const { narrows, widens } = change.effect;
  const tangled = Number.isFinite(simpleUntil) && (narrows || widens || change.rule === "property");
  const seen: SchemaChange = {
    ...change,
    steps: [...steps, ...change.steps],
    simpleUntil: Math.min(simpleUntil, steps.length + change.simpleUntil),
    effect: tangled ? { narrows: true, widens: true } : change.effect,
  };
  return {
    ...root.pair,
    message: root.message,
    schema: { old: root.old, new: root.new, change: inContext(root, seen, schemas) },
  };
};

/** Widens the effect of a new or removed property that another schema of the same place names. */
const inContext = (root: SchemaRoot, change: SchemaChange, schemas: Both<Schemas>): SchemaChange => {
  const { rule, action, subject, steps, effect } = change;
  const added = action === "added";
  if (rule !== "property" || subject === undefined || (added ? effect.narrows : effect.widens)) return change;
  const side = added ? "old" : "new";
  const namedBy = namedAt(root[side], steps.slice(0, -1), subject, schemas[side]);
  if (namedBy.length === 0) return change;
  return {
    ...change,
    namedBy,
    effect: { narrows: effect.narrows || added, widens: effect.widens || !added },
  };
};
