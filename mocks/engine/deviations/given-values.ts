/** Faults of what calls give to resources: a read shows the values from before or of another resource, or values are lost. */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import { parameterNamed } from "../../../helpers/contract/lookups.ts";
import { getOrInsert, groupBy, memoize } from "../../../helpers/contract/memoize.ts";
import { segmentsOf } from "../../../helpers/contract/pointer.ts";
import { type ChangedView, changedViewsOf, givenResource } from "../../../helpers/contract/views.ts";
import type { Answer, Call, GeneralBehaviour } from "../call.ts";
import { fieldsIn, isObject } from "../values/fields.ts";

/** Returns a call that gives values to a resource, whether it creates the resource, and the reads that show the values. */
export const givingOf = (contract: Contract, operation: Operation) => ({
  operation,
  isNew: operation.produces.length > 0,
  views: changedViewsOf(contract, operation, givenResource(operation)),
});

/** The name of the fault that a read shows what was before a call, or after a creation the values of the first resource. */
export const oldValuesShown = (changeId: string, viewId: string): GeneralBehaviour =>
  `old-values-after-${changeId}-in-${viewId}`;

/** The name of the fault that a call stores question marks for letters beyond ASCII. */
export const lettersLost = (operationId: string): GeneralBehaviour => `letters-lost-${operationId}`;

/** The name of the difference that a call stores letters without accents, and no others beyond ASCII. */
export const lettersPlain = (operationId: string): GeneralBehaviour => `letters-plain-${operationId}`;

/** The name of the fault that a search finds nothing by what a call gave. */
export const unindexed = (changeId: string, viewId: string): GeneralBehaviour =>
  `unindexed-after-${changeId}-in-${viewId}`;

/** The name of the fault that a search goes on to find what it has found. */
export const searchKept = (viewId: string): GeneralBehaviour => `search-kept-in-${viewId}`;

/** Returns the searches by what a call gives, with the field and the name of the parameter. */
export const findsOf = (contract: Contract, change: Operation) =>
  givingOf(contract, change).views.flatMap(({ operation, fields }) =>
    contract.relations.flatMap(({ kind, operations, parameter, shows: [field = ""] = [] }) => {
      const { name } = parameterNamed(operation, parameter) ?? {};
      const isFound = kind === "find" && operations.includes(operation.operationId) && fields.includes(field);
      return isFound && name !== undefined ? [{ operation, field, name }] : [];
    }),
  );

/** The name of the fault that a call stores only the first of the fields in its body. */
export const partStored = (operationId: string): GeneralBehaviour => `part-stored-${operationId}`;

/** The name of the fault that a partial change also removes what it does not name. */
export const restDropped = (operationId: string): GeneralBehaviour => `rest-dropped-${operationId}`;

/** Handles a call, with the faults of what calls give. */
export const withGivenValues = async (
  tenant: object,
  contract: Contract,
  call: Call,
  handle: (call: Call) => Promise<Answer>,
): Promise<Answer> => {
  const { operation, faulty, path, query } = call;
  const { operationId, method } = operation;
  const { changes, reads } = givingsIn(contract);
  const { answers, searches, first, unfound } = getOrInsert(known, tenant, () => ({
    ...{ answers: new Map(), searches: new Map(), first: new Map(), unfound: new Set<string>() },
  }));
  const own = changes.get(operation);
  if (own !== undefined || method !== "GET") {
    for (const { operation: view, field, name } of own === undefined ? [] : findsOf(contract, operation)) {
      const sought = [view.operationId, name, fieldsIn(call.body)[field]];
      if (faulty(unindexed(operationId, view.operationId))) unfound.add(JSON.stringify(sought));
    }
    const answer = await handle(own === undefined ? call : { ...call, body: withoutRest(call) });
    const isUnnoticed = own?.views.some((view) =>
      faulty(oldValuesShown(operationId, view.operation.operationId)),
    );
    if (answer.status < 300 && !isUnnoticed) answers.clear();
    return answer;
  }
  const hidden = Object.keys(query).find((name) =>
    unfound.has(JSON.stringify([operationId, name, query[name]])),
  );
  if (hidden !== undefined) return handle({ ...call, query: { ...query, [hidden]: "nothing is named so" } });
  if (Object.keys(query).length > 0 && faulty(searchKept(operationId))) {
    const answer = searches.get(JSON.stringify(query)) ?? (await handle(call));
    if (Number(fieldsIn(answer.json).found) > 0) searches.set(JSON.stringify(query), answer);
    return answer;
  }
  const shown = (reads.get(operation) ?? []).filter(({ change }) =>
    faulty(oldValuesShown(change.operationId, operationId)),
  );
  if (shown.length === 0) return handle(call);
  const key = JSON.stringify([operationId, path, query]);
  const answer = answers.get(key) ?? (await handle(call));
  if (answer.status >= 300) return answer;
  // A cache that the change does not reach.
  if (shown.some(({ isNew }) => !isNew)) answers.set(key, answer);
  const firsts = shown.filter(({ isNew }) => isNew);
  if (firsts.length === 0) return answer;
  const { written: _, ...rest } = answer;
  return { ...rest, json: firsts.reduce((json, { view }) => withFirst(json, view, first), rest.json) };
};

interface Known {
  /** The answers of reads since the last call that they notice. */
  readonly answers: Map<string, Answer>;
  /** By query. */
  readonly searches: Map<string, Answer>;
  /** By read and field. */
  readonly first: Map<string, unknown>;
  /** The read, the parameter and the value of each search that finds nothing. */
  readonly unfound: Set<string>;
}

const known = new WeakMap<object, Known>();

/** The calls that give values, and what each read shows of them. */
const givingsIn = memoize((contract: Contract) => {
  const given = contract.relations.flatMap(({ kind, operations }) => (kind === "given" ? operations : []));
  const changes = contract.operations
    .filter(({ operationId }) => given.includes(operationId))
    .map((operation) => givingOf(contract, operation));
  const shown = changes.flatMap(({ operation: change, isNew, views }) =>
    views.map((view) => ({ change, isNew, view })),
  );
  return {
    changes: new Map(changes.map((one) => [one.operation, one])),
    reads: groupBy(shown, ({ view }) => view.operation),
  };
});

const withoutRest = ({ operation: { operationId }, body, faulty }: Call): unknown => {
  if (isObject(body) && faulty(partStored(operationId)))
    return Object.fromEntries(Object.entries(body).slice(0, 1));
  const [isLost, isPlain] = [lettersLost, lettersPlain].map((of) => faulty(of(operationId)));
  if (body === undefined || !(isLost || isPlain)) return body;
  const text = JSON.stringify(body).normalize(isPlain ? "NFD" : "NFC");
  return JSON.parse(text.replaceAll(/\P{ASCII}/gu, isPlain ? "" : "?"));
};

/** Gives all objects about the resource the fields of the first one. */
const withFirst = (json: unknown, { operation, at, fields }: ChangedView, first: Known["first"]): unknown => {
  const changed = (value: unknown, [segment, ...rest]: readonly string[]): unknown => {
    if (segment === "*" && Array.isArray(value)) return value.map((one) => changed(one, rest));
    if (segment === "*") return changed(value, rest);
    if (segment !== undefined && isObject(value))
      return { ...value, [segment]: changed(value[segment], rest) };
    const own = Object.entries(fieldsIn(value)).filter(([name]) => fields.includes(name));
    if (!isObject(value)) return value;
    const firsts = own.map(([name, given]) => [
      name,
      getOrInsert(first, `${operation.operationId}/${name}`, () => given),
    ]);
    return { ...value, ...Object.fromEntries(firsts) };
  };
  return changed(json, segmentsOf(at));
};
