/** Tries that the pages of a list show each of its items once, whether numbers, cursors or links lead to them. */
import { checkFilter } from "../../checks/obedience.ts";
import { checkPages } from "../../checks/pages.ts";
import { parameterNamed } from "../../contract/lookups.ts";
import type { Relation } from "../../contract/relations.ts";
import { resolveRef } from "../../contract/schemas/rule-walk.ts";
import type { CheckResult } from "../../exchange/check-result.ts";
import { isAccepted, statusOf } from "../../exchange/exchange.ts";
import { because, type Reason } from "../../reasons/reason.ts";
import { isSameValue, relationsOf, shownIn } from "../from-contract/obedience.ts";
import { type Call, type Page, type T, withQuery } from "../kit/language.ts";
import { nextIn, saysMore } from "./next-page.ts";
import { leaveUnvaried, type Related, severalOf, variedList } from "./varied-list.ts";

/** Tries that the target accepts the parameters of its pages, and that the pages divide the list. */
export const tryPaging = async (t: T, row: Related): Promise<void> => {
  const { relation, operationId, name, about, isKnown } = row;
  const { requirement } = relation;
  const { paging } = t.operationOf(operationId);
  if (paging === undefined)
    return t.leaveUntried(requirement, "document-without", operationId, "parameters for pages");
  const { limit: along, first, page } = paging;
  for (const [one, value] of Object.entries({ [along]: 1, [name]: first })) {
    const trial = { operationId, name: one, value, confirmed: isKnown };
    if ((await t.tryParameter(requirement, trial, about)) === undefined) return;
  }
  const means = page === undefined ? "items" : "pages";
  await tryPages(t, { ...row, relation: { ...relation, along, means } });
};

/** A list changes while others use it: only one that is the same before and after its pages shows something. */
export const tryPages = async (t: T, row: Related): Promise<void> => {
  const { relation, operationId } = row;
  const { requirement } = relation;
  const { items } = await variedList(t, row);
  if (items.length < 2) return leaveUnvaried(t, row, "pages");
  const made = await t.validCall(operationId, row.about);
  const start = relation.parameter === undefined ? "" : row.name;
  const { [start]: _, ...query } = made.query ?? {};
  const call = { ...made, query };
  const read = () => readDivided(t, row, call);
  const { why, result, pages } = await t.readUntil(
    read,
    (one) => one.result?.holds !== false && !one.isChanged,
  );
  if (result === undefined) return t.leaveUntried(requirement, why);
  t.record(requirement, result, pages.map(({ exchange }) => exchange).toReversed());
  if (result.holds) await tryFilterOfNext(t, row, call, items);
  t.showOccasion(requirement);
};

/** @returns no result and the reason, if what was read shows nothing */
const readDivided = async (t: T, row: Related, call: Call) => {
  const { operationId } = row;
  const unshown = (why: Reason, isChanged = false) => ({
    why,
    isChanged,
    result: undefined,
    pages: [] as Page[],
  });
  const { along = "" } = row.relation;
  // The longest page that there may be shows where the list ends.
  const { items: most } = relationsOf(t.contract, operationId).find(isOfParameter) ?? {};
  const entire = most === undefined ? call : withQuery(call, { [along]: most });
  const whole = await pageOf(t, entire);
  const keys = keysOn(t, row, whole);
  if (keys === undefined)
    return unshown(because("not-shown", `no identifiers tell the items of ${operationId} apart`));
  const tooFew = because("lacks", severalOf(operationId, "pages"));
  if (keys.length < 2) return unshown(tooFew);
  const { first, size } = await firstPage(t, row, call, keys.length);
  if (!isAccepted(first.exchange))
    return unshown(because("refused", operationId, along, statusOf(first.exchange)));
  if (first.items.length === 0 || first.items.length >= keys.length) return unshown(tooFew);
  const sized = withQuery(call, { [along]: size });
  const divided = await asAnyRead(t, row, { call: sized, first, keys, size });
  const after = keysOn(t, row, await pageOf(t, entire));
  if (JSON.stringify(after) !== JSON.stringify(keys))
    return unshown(because("not-shown", `the list of ${operationId} changed meanwhile`), true);
  return divided === undefined
    ? unshown(because("not-shown", `${operationId} names no next page, or refuses it`))
    : { why: because("untested"), isChanged: false, ...divided, pages: [whole, ...divided.pages] };
};

/** Whether the relation says how long a page may be that a parameter asks for. */
const isOfParameter = ({ kind, parameter }: Relation): boolean => kind === "most" && parameter !== undefined;

const pageOf = async (t: T, call: Call): Promise<Page> => {
  const exchange = await t.answerTo(call);
  return { items: t.itemsOf(exchange) ?? [], exchange };
};

/** Returns the keys of the items; `undefined` if they do not tell the items apart. */
const keysOn = (t: T, row: Related, page: Page): readonly string[] | undefined => {
  const ids = idsOn(t, row, page);
  return ids.length === page.items.length && new Set(ids).size === ids.length ? ids : undefined;
};

/** Returns the identifiers of items. Where the contract names no identifier, the items of a service are known by their contents. */
const idsOn = (t: T, { operationId, relation }: Related, { items }: Page): readonly string[] => {
  const { shows, finds } = t.operationOf(operationId);
  const place = [...shows, ...finds].find(({ pointer }) => pointer.includes("/*"));
  if (place === undefined && !relation.guessed) return items.map((item) => JSON.stringify(item));
  return items.flatMap((item) => t.idOf(operationId, place?.resource ?? "", item) ?? []);
};

/**
 * Asks for a part of the list, so that the last page is shorter. A server may have a least size of its own: then pages of that
 * size are tried.
 */
const firstPage = async (t: T, { relation, operationId }: Related, call: Call, most: number) => {
  const { along = "" } = relation;
  const parameter = parameterNamed(t.operationOf(operationId), along);
  const { minimum = 1 } = parameter ? resolveRef(t.contract.schemas, parameter.schema) : {};
  const size = Math.max(1, Number(minimum), Math.ceil((most + 1) / PARTS));
  const first = await pageOf(t, withQuery(call, { [along]: size }));
  const least = first.items.length;
  if (least <= size || least >= most) return { first, size };
  return { first: await pageOf(t, withQuery(call, { [along]: least })), size: least };
};

const PARTS = 3;

/**
 * Reads the pages as each reading of the parameter asks for them, until one divides the list: documents seldom state the
 * number of the first page, and some count pages where others count items.
 * @returns `undefined` if a reading shows nothing and none divides the list
 */
const asAnyRead = async (
  t: T,
  row: Related,
  given: {
    readonly call: Call;
    readonly first: Page;
    readonly keys: readonly string[];
    readonly size: number;
  },
): Promise<{ readonly result: CheckResult; readonly pages: readonly Page[] } | undefined> => {
  const read: Awaited<ReturnType<typeof walked>>[] = [];
  for (const query of readingsOf(t, row, given.size)) {
    const one = await walked(t, row, given, query);
    if (one?.result.holds) return one;
    read.push(one);
  }
  return read.includes(undefined) ? undefined : read[0];
};

/** Returns the queries of the next page as each reading of the parameter has them, by the pages before. */
const readingsOf = (
  t: T,
  row: Related,
  size: number,
): readonly ((pages: readonly Page[]) => Call["query"])[] => {
  const { operationId, name } = row;
  const { means, parameter } = row.relation;
  if (means === "cursor" || means === "item")
    return [
      (pages) => {
        const [last] = pages.slice(-1);
        const { cursor, query } = (last && nextIn(last.exchange)) ?? {};
        if (query !== undefined || parameter === undefined) return query;
        const id = pages.flatMap((page) => idsOn(t, row, page)).at(-1);
        const start = cursor ?? (means === "item" ? id : undefined);
        return start === undefined ? undefined : { [name]: start };
      },
    ];
  const known = parameterNamed(t.operationOf(operationId), name);
  // Only an OpenAPI document says where counting begins.
  const isStated = row.relation.guessed || known?.level === "provider";
  const { default: stated, minimum = 0 } =
    known && isStated ? resolveRef(t.contract.schemas, known.schema) : {};
  const firsts = [1, 0].filter((one) =>
    stated === 0 || stated === 1 ? one === stated : one >= Number(minimum),
  );
  const steps = means === "items" && size > 1 ? [size, 1] : [means === "items" ? size : 1];
  return steps.flatMap((step) =>
    firsts.map((first) => (pages: readonly Page[]) => ({ [name]: first + step * pages.length })),
  );
};

/** Follows the pages until they show each item, and further while an answer says that others follow. */
const walked = async (
  t: T,
  row: Related,
  { call, first, keys }: Parameters<typeof asAnyRead>[2],
  queryOf: ReturnType<typeof readingsOf>[number],
) => {
  const { relation, name } = row;
  const pages = [first];
  const judged = (isEnd: boolean) => {
    const shown = pages.map((page) => idsOn(t, row, page));
    const result = checkPages(relation.parameter ?? "", shown, keys, isEnd);
    return result && { result, pages };
  };
  const isFollowed = relation.means === "cursor";
  let isNamed: boolean = false;
  for (let further = MOST_FURTHER; pages.length < MOST_PAGES; ) {
    const known = judged(false);
    const page = pages.at(-1) ?? first;
    const says = saysMore(page.exchange, isNamed, isFollowed);
    isNamed ||= says === true;
    if (known?.result.holds === false) return known;
    if (known?.result.holds && (says !== true || further-- === 0)) return known;
    const isEmpty = pages.slice(1).filter(({ items }) => items.length === 0).length > 1;
    if (says === false || isEmpty) return judged(true);
    const query = queryOf(pages);
    if (query === undefined) return known;
    const isLink = Object.keys(query).some((one) => one !== name);
    const next = await pageOf(t, isLink ? { ...call, query } : withQuery(call, query));
    // A page may be refused after the last one, and may lack a list.
    if (t.itemsOf(next.exchange) === undefined) return known;
    pages.push(next);
  }
  return judged(false);
};

const MOST_PAGES = 8;
/** How many pages are read after all known items were shown. */
const MOST_FURTHER = 2;

/** A link to the next page of a filtered list leads to a page of the same filter. */
const tryFilterOfNext = async (
  t: T,
  { relation: { requirement, along = "" }, operationId }: Related,
  call: Call,
  items: readonly unknown[],
): Promise<void> => {
  const rows = relationsOf(t.contract, operationId).filter(
    ({ kind, guessed }) => kind === "filter" && guessed,
  );
  for (const row of rows) {
    const { parameter = "" } = row;
    const isSame = isSameValue(row);
    const shown = items.map((item) => shownIn(row, item) ?? "");
    const value = shown.find((one) => one !== "" && shown.filter((other) => isSame(other, one)).length > 1);
    const { schema = {} } = parameterNamed(t.operationOf(operationId), parameter) ?? {};
    const isTelling = value !== undefined && shown.some((other) => other !== "" && !isSame(other, value));
    if (!isTelling || t.validator.validate(schema, value).length > 0) continue;
    const first = await pageOf(t, withQuery(call, { [parameter]: value, [along]: 1 }));
    const obeys = ({ items: all }: Page) =>
      checkFilter(
        parameter,
        value,
        all.map((item) => shownIn(row, item)),
        isSame,
      );
    const { query } = nextIn(first.exchange) ?? {};
    if (query === undefined || obeys(first)?.holds !== true) continue;
    const next = await pageOf(t, { ...call, query });
    if (isAccepted(next.exchange)) t.record(requirement, obeys(next), [next.exchange, first.exchange]);
  }
};
