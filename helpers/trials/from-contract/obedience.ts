/** What answers show of the parameters that their requests obeyed: see `relations.yaml`. Each answer of a run is judged. */
import { fieldOf, secondsOf } from "../../checks/fields.ts";
import { checkFilter, checkSize, checkWindow, type Span } from "../../checks/obedience.ts";
import { checkOrder } from "../../checks/order.ts";
import type { RuleResult } from "../../checks/rules.ts";
import type { Contract, JsonSchema, Operation, Parameter } from "../../contract/contract.ts";
import { parameterNamed, resourceNamed } from "../../contract/lookups.ts";
import { groupBy, memoize } from "../../contract/memoize.ts";
import { loose } from "../../contract/names.ts";
import { segmentsOf } from "../../contract/pointer.ts";
import type { Relation } from "../../contract/relations.ts";
import { resolveRef } from "../../contract/schemas/rule-walk.ts";
import { memberNames } from "../../contract/schemas/schema-visitor.ts";
import type { CheckResult } from "../../exchange/check-result.ts";
import { contentOf, type Exchange, isAccepted } from "../../exchange/exchange.ts";
import type { ObservedContext } from "../trial.ts";

/** Returns the relations of an operation whose parameters the contract has. */
export const relationsOf = (contract: Contract, operationId: string): readonly Relation[] =>
  relationsByOperation(contract).get(operationId) ?? [];

const relationsByOperation = memoize((contract: Contract) => {
  const { relations, operations } = contract;
  const known = new Map(operations.map((operation) => [operation.operationId, operation]));
  const pairs = relations.flatMap((relation) =>
    relation.operations.flatMap((operationId) => {
      const operation = known.get(operationId);
      if (operation === undefined) return [];
      const { kind, parameter, guessed } = relation;
      const isKnown =
        parameter === undefined ||
        (kind === "apart" || kind === "owned" || (kind === "gone" && guessed)
          ? resourceNamed(contract, operation, parameter) !== undefined
          : parameterNamed(operation, parameter) !== undefined);
      return isKnown ? [{ operationId, relation }] : [];
    }),
  );
  const byOperation = groupBy(pairs, ({ operationId }) => operationId);
  return new Map([...byOperation].map(([id, rows]) => [id, rows.map(({ relation }) => relation)]));
});

/** Returns whether the first text, which an item shows, is the second one, or another spelling of it. */
export const isSameValue =
  ({ alike = [], partly }: Relation) =>
  (one: string, other: string): boolean => {
    const [a, b] = [loose(one), loose(other)];
    return (
      a === b ||
      (partly === true && a.includes(b)) ||
      alike.some((spellings) => [a, b].every((text) => spellings.map(loose).includes(text)))
    );
  };

/** Returns the value that an item shows; `undefined` if it has no such field with a text, a number or a boolean. */
export const shownIn = ({ shows = [] }: Relation, item: unknown): string | undefined => {
  const value = fieldOf(item, ...shows);
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
};

/** Returns the dates that an item shows, in seconds since 1970. */
export const datesIn = ({ shows = [] }: Relation, item: unknown): number[] =>
  shows.flatMap((name) => secondsOf(fieldOf(item, name)) ?? []);

/**
 * Whether a server that accepts the parameter certainly knows it: its name is in a document, or the server has obeyed it. It
 * refuses calls without a required parameter.
 */
export const isKnown = (
  { level, required }: Parameter,
  { gap }: Relation,
  { capabilities, contract }: Pick<ObservedContext, "capabilities" | "contract">,
): boolean =>
  capabilities.has("new-implementation") ||
  level === "provider" ||
  ((level === "documented" || required) && (gap === undefined || contract.provider !== null));

/** Judges what an accepted answer shows by itself. Only a violation is recorded: a trial shows that it could be violated. */
export const observeObedience = (
  operation: Operation,
  exchange: Exchange,
  context: ObservedContext,
): void => {
  const { contract, judge } = context;
  const relations = relationsOf(contract, operation.operationId);
  if (relations.length === 0 || !isAccepted(exchange)) return;
  const items = listedIn(operation, exchange);
  if (items === undefined) return;
  const query = new URL(exchange.request.url).searchParams;
  for (const relation of relations) {
    const parameter = parameterNamed(operation, relation.parameter);
    if (
      relation.parameter !== undefined &&
      (parameter === undefined || !isKnown(parameter, relation, context))
    )
      continue;
    const result = obedienceOf(relation, operation, query, items);
    if (result?.holds === false)
      judge.record(`${contract.service}.${relation.requirement}`, result, [exchange]);
  }
};

const listedIn = ({ list }: Operation, exchange: Exchange): readonly unknown[] | undefined => {
  const [, ...segments] = list?.items.split("/") ?? [];
  const items = segments.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
    contentOf(exchange),
  );
  return list !== undefined && Array.isArray(items) ? items : undefined;
};

/** @returns `undefined` when the answer shows nothing about the relation */
const obedienceOf = (
  relation: Relation,
  operation: Operation,
  query: URLSearchParams,
  items: readonly unknown[],
): CheckResult | undefined => {
  const { kind, parameter = "" } = relation;
  const sentAs = (name?: string) => query.get(parameterNamed(operation, name)?.name ?? "") ?? undefined;
  const value = sentAs(parameter);
  if (kind === "order") {
    const dates = items.flatMap((item) => datesIn(relation, item).slice(0, 1));
    return checkOrder(`/${relation.shows?.[0]}`, dates);
  }
  if (kind === "most") return checkSize(parameter, relation.items ?? Number.POSITIVE_INFINITY, items.length);
  if (value === undefined) return undefined;
  if (kind === "size")
    return /^[1-9]\d*$/.test(value) ? checkSize(parameter, Number(value), items.length) : undefined;
  if (kind === "filter")
    return checkFilter(
      parameter,
      value,
      items.map((item) => shownIn(relation, item)),
      isSameValue(relation),
    );
  // A call with arbitrary dates may start a window after its end.
  if (kind !== "window" || relation.guessed) return undefined;
  const span = spanIn(value, sentAs(relation.until));
  return (
    span &&
    checkWindow(
      parameter,
      span,
      items.map((item) => datesIn(relation, item)),
    )
  );
};

const spanIn = (start: string, end: string | undefined): Span | undefined => {
  const [from, to] = [secondsOf(start), secondsOf(end)];
  return from === undefined || to === undefined ? undefined : { from, to };
};

/** Parameters that choose members. Others, such as `sort`, name members too, but excuse no missing one. */
const CHOOSING = /^(?:fields?|select|only|columns?|attributes?|properties|props|members?)\b/i;

/** Returns the members that a call chooses, by a parameter whose words, or all words that its schema lists, are members. */
export const chosenMembers = (
  { schemas }: Contract,
  { parameters }: Operation,
  schema: unknown,
  { request: { url } }: Exchange,
): readonly string[] | undefined => {
  if (!url.includes("?") || schema === undefined) return undefined;
  const names = new Set<unknown>(memberNames(schemas, schema));
  const listed = (name: string): readonly unknown[] => {
    const stated = resolveRef(schemas, parameters.find((one) => one.name === name)?.schema ?? {});
    const words = stated.enum ?? resolveRef(schemas, (stated.items ?? {}) as JsonSchema).enum;
    return Array.isArray(words) ? words : [undefined];
  };
  const asked = [...new URL(url).searchParams]
    .filter(([name]) => CHOOSING.test(name))
    .map(([name, value]) => ({ name, words: value.split(/[ ,|]+/) }));
  const isChoice = (words: readonly unknown[]) => words.every((word) => names.has(word));
  return asked.find(({ name, words }) => isChoice(words) || isChoice(listed(name)))?.words;
};

/** A server may leave out what a call does not ask for. */
export const unlessChosen = (
  { rule, result }: RuleResult,
  chosen: readonly string[] | undefined,
): CheckResult => {
  const isAsked = chosen?.includes(segmentsOf(rule.pointer).at(-1) ?? "") ?? true;
  return result.holds || rule.keyword !== "required" || isAsked ? result : { ...result, suspected: true };
};
