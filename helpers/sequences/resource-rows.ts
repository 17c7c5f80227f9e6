/** Models that rows describe: by which operations resources of each kind are created, changed, removed and read. */
import { contentOf, isAccepted } from "../exchange/exchange.ts";
import { type T, withFields } from "../trials/kit/language.ts";
import type { Command, Model, Query } from "./model.ts";
import { alive, byName, isDue, judgeAgrees, type ModelResource, type Promises } from "./model-resources.ts";
import {
  changing,
  deleting,
  emptyResourceModel,
  making,
  queryList,
  queryResource,
  type ResourceModel,
  removing,
  split,
} from "./resource-model.ts";
import { type Caller, callerFor, jsonOf } from "./sequence-calls.ts";

/** One kind of resource. Operations and fields have their names in the contract, requirements their full ids. */
export interface ResourceRow {
  readonly kind: string;
  /** The kind of its owner, which has at most one of this kind. */
  readonly of?: string;
  /** The most resources without an owner that a sequence creates. */
  readonly most?: number;
  /** The field whose value tells resources without an owner apart. */
  readonly unique?: string;
  /** The requirement that a second one, of the same owner or with the same unique value, is refused with 409. */
  readonly conflict?: string;
  /** A field that never changes, and the requirement that says so. */
  readonly fixed?: readonly [field: string, requirement: string];
  /** The requirement that it outlives its owner. What becomes of others is open. */
  readonly outlives?: string;
  readonly promises: Promises & Readonly<Record<"readable" | "gone" | "lists", string>>;
  /** `replace` is a change of all fields, and `list` holds all of the kind, or the one with the unique value. */
  readonly operations: Readonly<
    Record<"create" | "read", string> &
      Partial<Record<"change" | "replace" | "remove" | "readByOwner" | "list", string>>
  >;
}

export const modelOfRows = (t: T, rows: readonly ResourceRow[]): Model<ResourceModel> => {
  const calls = callerFor(t);
  let sequences = 0;
  const [owners, parts] = [rows.filter((row) => row.of === undefined), rows.filter((row) => row.of)];
  const creating = (row: ResourceRow) => creations(calls, row, () => sequences);
  return {
    start: () => {
      sequences += 1;
      return emptyResourceModel();
    },
    commands: [
      ...owners.flatMap((row) => [...creating(row), ...changes(calls, row), ...removals(calls, row, parts)]),
      ...parts.flatMap(creating),
      ...parts.flatMap((row) => changes(calls, row)),
    ],
    races: rows.flatMap(({ kind, conflict, operations: { remove } }) => [
      { commands: [`create a ${kind}`, `create a ${kind}`], same: conflict !== undefined },
      ...(remove ? [{ commands: [`create a ${kind}`, `remove a ${kind}`] as const, same: false }] : []),
    ]),
    queries: ({ resources }) => [
      ...resources.flatMap((one) =>
        rows.flatMap((row) => (row.kind === one.kind ? queriesOf(t, calls, row, one) : [])),
      ),
      ...rows.flatMap((row) => (row.unique === undefined ? listOf(t, calls, row) : [])),
    ],
    leave: removing(calls, Object.fromEntries(owners.map((row) => [row.kind, row.operations.remove ?? ""]))),
  };
};

/** Whether there is a second resource that a call could change by mistake. */
const several = ({ resources }: ResourceModel, kind: string): boolean => alive(resources, kind).length > 1;

/** Returns the resources of a kind, without those whose owner was removed. */
const owned = ({ resources }: ResourceModel, { kind, of }: ResourceRow): ModelResource[] => {
  const owners = of === undefined ? [] : alive(resources, of).map(({ ids }) => ids[of]);
  return alive(resources, kind).filter(({ ids }) => of === undefined || owners.includes(ids[of]));
};

/** Returns what tells a resource apart: its owner, or its unique value. */
const keyOf = ({ of = "", unique = "" }: ResourceRow, one: Pick<ModelResource, "ids" | "given">): unknown =>
  one.ids[of] ?? one.given[unique];

const creations = (calls: Caller, row: ResourceRow, sequence: () => number): Command<ResourceModel>[] => {
  const { kind, of, most = 0, unique, conflict, promises, operations } = row;
  const creating = (
    name: string,
    places: (state: ResourceModel) => readonly Pick<ModelResource, "ids" | "given">[],
  ): Command<ResourceModel> => ({
    name,
    when: (state) => places(state).length > 0,
    call: async (state, { seed, pick }) => {
      const { ids: about, given } = pick(places(state));
      const ids = of === undefined ? {} : about;
      const call = await calls.of(operations.create, ids, seed);
      const value =
        given[unique ?? ""] ?? `${jsonOf(call)[unique ?? ""]}-${sequence()}-${state.made[kind] ?? 0}`;
      const made = unique === undefined ? call : withFields(call, { [unique]: value });
      const key = keyOf(row, { ids, given: jsonOf(made) });
      const known = (all: readonly ModelResource[]) =>
        alive(all, kind).find((one) => keyOf(row, one) === key);
      return making(calls, made, {
        ...{ kind, ids, possible: promises.readable },
        ...(conflict !== undefined && { conflict: { requirement: conflict, with: known } }),
      });
    },
  });
  const first = creating(`create a ${kind}`, (state) => {
    if (of === undefined) return (state.made[kind] ?? 0) < most ? [{ ids: {}, given: {} }] : [];
    const taken = owned(state, row).map(({ ids }) => ids[of]);
    const free = alive(state.resources, of).filter(({ ids }) => !taken.includes(ids[of]));
    return several(state, of) ? free.map(({ ids }) => ({ ids, given: {} })) : [];
  });
  return conflict === undefined
    ? [first]
    : [first, creating(`create a ${kind} again`, (state) => owned(state, row))];
};

/** A change of an older resource may reach the newest one, and the other way round. */
const changes = (calls: Caller, row: ResourceRow): Command<ResourceModel>[] => {
  const { kind, of, operations } = row;
  const operationId = operations.replace ?? operations.change;
  if (operationId === undefined) return [];
  const isWhole = operations.replace !== undefined;
  const changingOne = (name: string, from: number, to?: number): Command<ResourceModel> => {
    const among = (state: ResourceModel) => owned(state, row).slice(from, to);
    return {
      name,
      when: (state) => among(state).length > 0 && (of !== undefined || several(state, kind)),
      call: async (state, { pick, value, seed }) => {
        const resource = pick(among(state));
        const call = await calls.of(operationId, resource.ids, seed);
        const fields = Object.entries(jsonOf(call));
        const json = isWhole ? jsonOf(call) : Object.fromEntries([value(fields), value(fields)]);
        return changing({ ...call, json }, resource, json, isWhole);
      },
    };
  };
  return of === undefined
    ? [changingOne(`change the newest ${kind}`, -1), changingOne(`change an older ${kind}`, 0, -1)]
    : [changingOne(`change a ${kind}`, 0)];
};

/** Prefers an owner of what must outlive it, and forgets parts of which nobody says what becomes of them. */
const removals = (
  calls: Caller,
  { kind, operations: { remove } }: ResourceRow,
  rows: readonly ResourceRow[],
): Command<ResourceModel>[] => {
  if (remove === undefined) return [];
  const partsOf = (outlive: boolean, { ids }: ModelResource, resources: readonly ModelResource[]) => {
    const kinds = rows.flatMap((row) => (outlive === (row.outlives !== undefined) ? [row.kind] : []));
    return resources.filter((one) => kinds.includes(one.kind) && one.ids[kind] === ids[kind]);
  };
  const one: Command<ResourceModel> = {
    name: `remove a ${kind}`,
    operationId: remove,
    removes: true,
    when: (state) => several(state, kind),
    call: async ({ resources }, { pick }) => {
      const owners = alive(resources, kind).filter((owner) => partsOf(true, owner, resources).length > 0);
      const removed = pick(owners.length > 0 ? owners : alive(resources, kind));
      return deleting(await calls.of(remove, removed.ids), removed, (state: ResourceModel) => {
        const forgotten = partsOf(false, removed, state.resources);
        for (const part of forgotten) state.resources.splice(state.resources.indexOf(part), 1);
      });
    },
  };
  return [one];
};

const queriesOf = (t: T, calls: Caller, row: ResourceRow, one: ModelResource): Query<ResourceModel>[] => [
  alone(calls, row, one),
  ...(row.unique === undefined ? [] : listOf(t, calls, row, one)),
  ...byOwner(calls, row, one),
];

const alone = (calls: Caller, row: ResourceRow, read: ModelResource): Query<ResourceModel> => {
  const { promises, outlives = promises.readable, fixed: [field = "", requirement = ""] = [] } = row;
  const isOwned = (state: ResourceModel) => owned(state, row).some(({ name }) => name === read.name);
  return queryResource(
    read,
    () => calls.of(row.operations.read, read.ids),
    (state) => (isOwned(state) ? promises : { ...promises, readable: outlives }),
    ({ resource: { name, shown = {} }, before = {} }, note) => {
      if (before[field] === undefined) return;
      note(requirement, shown[field] === before[field], {
        message: `${name} has another ${field} than before`,
        expected: String(before[field]),
        actual: String(shown[field]),
      });
    },
  );
};

/** @param one the resource whose unique value the list is asked for; all of the kind if absent */
const listOf = (
  t: T,
  calls: Caller,
  { kind, unique = "", promises, operations: { list } }: ResourceRow,
  one?: ModelResource,
): Query<ResourceModel>[] => {
  if (list === undefined) return [];
  const query = one && { query: { [unique]: String(one.given[unique]) } };
  const listing = queryList<ResourceModel>(t, {
    name: one === undefined ? `all of ${list}` : `${one.name} in ${list}`,
    due: one !== undefined && isDue(one),
    kind,
    call: async () => ({ ...(await calls.of(list)), ...query }),
    holds: ({ resources }) => split(one === undefined ? resources : [byName(resources, one.name)], kind),
    shows: promises.lists,
    hides: promises.gone,
  });
  return [listing];
};

/** Reads a part by its owner, unless the owner was removed. */
const byOwner = (
  calls: Caller,
  row: ResourceRow,
  { name, ...part }: ModelResource,
): Query<ResourceModel>[] => {
  const { readByOwner } = row.operations;
  if (readByOwner === undefined) return [];
  const reading: Query<ResourceModel> = {
    name: `${name} of its owner`,
    due: isDue({ name, ...part }),
    call: async () => ({
      call: await calls.of(readByOwner, part.ids),
      expect: (state, exchange, note) => {
        const resource = owned(state, row).find((one) => one.name === name);
        if (resource !== undefined && isAccepted(exchange))
          judgeAgrees(resource, contentOf(exchange), exchange, row.promises.lists, note);
      },
    }),
  };
  return [reading];
};
