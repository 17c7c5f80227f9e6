/** Reads a list until its items vary enough to show whether a parameter is obeyed. */
import { parameterNamed } from "../../contract/lookups.ts";
import type { Relation } from "../../contract/relations.ts";
import { resolveRef } from "../../contract/schemas/rule-walk.ts";
import { checkThat } from "../../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
import { isSameValue, relationsOf, shownIn } from "../from-contract/obedience.ts";
import type { Resources, T } from "../kit/language.ts";
import { saysMore } from "./next-page.ts";

/** A relation of a parameter, on one operation. */
export interface Related {
  readonly relation: Relation;
  readonly operationId: string;
  /** The name of the parameter at the target. */
  readonly name: string;
  /** Whether the target certainly knows the parameter if it accepts it. */
  readonly isKnown: boolean;
  /** The resources of the situation of the relation, if the target offers it. */
  readonly about: Resources | undefined;
}

export const leaveUnvaried = (t: T, row: Related, what: string): void => {
  const { relation, operationId } = row;
  t.leaveUntried(relation.requirement, "lacks", severalOf(operationId, what));
};

export const severalOf = (operationId: string, what: string): string =>
  `a list of ${operationId} with items of several ${what}`;

/**
 * Reads the list again until it is varied, because what was arranged may show late. Then it reads longer pages of it until
 * they are varied: other items may come before.
 * @returns the last page, all items that were read, and the size of the pages
 */
export const variedList = async (
  t: T,
  row: Related,
): Promise<{
  readonly control: Exchange;
  readonly items: readonly unknown[];
  readonly size: Readonly<Record<string, number>>;
}> => {
  const { relation, operationId, about } = row;
  const isVaried = (items: readonly unknown[]): boolean => {
    // Nothing was arranged for the list, so that no item of it shows late.
    if (relation.guessed || relation.shows === undefined)
      return items.length > 1 || relation.beside?.length === 0;
    return relation.beside === undefined ? items.length > 0 : valuesIn(relation, items).length > 1;
  };
  // Some servers answer 404 for an empty list.
  const isFinal = (exchange: Exchange): boolean =>
    isAccepted(exchange) ? isVaried(t.itemsIn(exchange)) : statusOf(exchange) !== 404;
  const short = await t.readUntil(() => t.answered(operationId, about), isFinal);
  const usual = { control: short, items: isAccepted(short) ? t.itemsIn(short) : [], size: {} };
  const { paging } = t.operationOf(operationId);
  if (isFinal(short) || paging === undefined || relation.beside === undefined) return usual;
  const items: unknown[] = [];
  const size = { [paging.limit]: LONG };
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const start =
      paging.start === undefined || page === 0 ? {} : { [paging.start]: paging.first + items.length };
    const control = await t.answered(operationId, about, { parameters: { ...size, ...start } });
    const more = isAccepted(control) ? t.itemsIn(control) : [];
    items.push(...more);
    if (isVaried(items)) return { control, items, size };
    if (more.length === 0 || paging.start === undefined) break;
  }
  return usual;
};

const LONG = 200;

const MOST_PAGES = 5;

/** Returns the different values that items show. */
export const valuesIn = (relation: Relation, items: readonly unknown[]): string[] => {
  const isSame = isSameValue(relation);
  const values: string[] = [];
  for (const item of items) {
    const value = shownIn(relation, item);
    if (value !== undefined && value !== "" && !values.some((one) => isSame(one, value))) values.push(value);
  }
  return values;
};

/** Returns the words that a parameter lists. */
export const wordsOf = (t: T, operationId: string, name: string): readonly string[] => {
  const parameter = parameterNamed(t.operationOf(operationId), name);
  const { enum: words } = parameter ? resolveRef(t.contract.schemas, parameter.schema) : {};
  return Array.isArray(words) ? words.map(String) : [];
};

/**
 * Asks for the smallest page of a filtered list: the size counts what the filter leaves. Where names suggest the parameters, a
 * page may be empty that says that more follows.
 * @param found the list without a size
 */
export const tryFilteredPage = async (
  t: T,
  { relation: { requirement, guessed }, operationId, name, about }: Related,
  value: string,
  found: Exchange,
): Promise<void> => {
  const ours = relationsOf(t.contract, operationId).find(({ kind }) => kind === "size")?.parameter;
  const size = parameterNamed(t.operationOf(operationId), ours);
  if (size === undefined || t.itemsIn(found).length === 0) return;
  const { minimum = 1 } = resolveRef(t.contract.schemas, size.schema);
  const parameters = { [name]: value, [size.name]: Math.max(1, Number(minimum)) };
  const page = await t.readUntil(
    () => t.answered(operationId, about, { parameters }),
    (exchange) => !isAccepted(exchange) || t.itemsIn(exchange).length > 0,
  );
  if (!isAccepted(page) || (guessed && saysMore(page, false, false) === true)) return;
  const result = checkThat(t.itemsIn(page).length > 0, {
    pointer: size.name,
    message: `a page of the list with ${name}=${value} is empty, but the list is not`,
    expected: "items of the list",
    actual: "no items",
  });
  t.record(requirement, result, [page, found]);
};
