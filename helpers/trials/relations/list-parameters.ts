/** Tries parameters of a list whose names tell what they do: they choose its items, their number or their order. */
import { checkFilter, checkSize } from "../../checks/obedience.ts";
import { checkAllowed } from "../../checks/refusal.ts";
import type { JsonSchema } from "../../contract/contract.ts";
import { parameterNamed } from "../../contract/lookups.ts";
import { loose } from "../../contract/names.ts";
import { resolveRef } from "../../contract/schemas/rule-walk.ts";
import { checkThat, HOLDS } from "../../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
import { isSameValue, shownIn } from "../from-contract/obedience.ts";
import type { T } from "../kit/language.ts";
import { tryPages } from "./pages.ts";
import {
  leaveUnvaried,
  type Related,
  tryFilteredPage,
  valuesIn,
  variedList,
  wordsOf,
} from "./varied-list.ts";
import { tryGuessedWindow } from "./windows.ts";

/** A text that no name contains. */
export const NONSENSE = "zzqxjvkwq xqzvwkjq";

export const allFound = (pointer: string, count: number) => ({
  ...{ pointer, message: "a search for a text that no item shows finds the same items as no search" },
  ...{ expected: `fewer than ${count} items`, actual: `the same ${count} items` },
});

const trySize = async (t: T, row: Related): Promise<void> => {
  const { relation, operationId, name } = row;
  const { requirement } = relation;
  const { control, items } = await variedList(t, row);
  const { minimum = 1 } = schemaOf(t, row);
  const most = Math.max(1, Number(minimum));
  if (items.length <= most) return leaveUnvaried(t, row, "pages");
  const page = await t.answered(operationId, row.about, { parameters: { [name]: most } });
  if (!isAccepted(page)) return recordRefused(t, row, page, control);
  t.record(requirement, checkSize(name, most, t.itemsIn(page).length), [page, control]);
  t.showOccasion(requirement);
};

/** A list whose items differ in the field can't be sorted in both directions at once. */
const trySort = async (t: T, row: Related): Promise<void> => {
  const { relation, operationId, name } = row;
  const { requirement, words = [], along, shows = [] } = relation;
  const pages: Exchange[] = [];
  const { control } = await variedList(t, row);
  const field = along && wordsOf(t, operationId, along).find((one) => loose(one) === loose(shows[0] ?? ""));
  const by = along && field ? { [along]: field } : {};
  for (const word of words) {
    const parameters = { ...by, [name]: word };
    const page = await t.answered(operationId, row.about, { parameters });
    if (!isAccepted(page)) return recordRefused(t, row, page, control);
    pages.push(page);
  }
  const [one = [], other = []] = pages.map((page) => t.itemsIn(page));
  const result = checkThat(!t.areSameItems(...(pages as [Exchange, Exchange])), {
    pointer: name,
    message: `a list is the same with ${words.map((word) => `${name}=${word}`).join(" and ")}`,
    expected: "its items in opposite orders",
    actual: "the same items in the same order",
  });
  // Items without a value may fill the page of one direction.
  if (valuesIn(relation, [...one, ...other]).length > 1) {
    t.record(requirement, result, pages);
    t.showOccasion(requirement);
  } else t.leaveWithoutOccasion(requirement, `a list of ${operationId} with several ${relation.shows?.[0]}`);
};

/** Only an item with another value shows that a filter is ignored: what a server finds may change meanwhile. */
const tryGuessedFilter = async (t: T, row: Related): Promise<void> => {
  const { relation, operationId, name } = row;
  const { requirement } = relation;
  const { control, items } = await variedList(t, row);
  const schema = schemaOf(t, row);
  const shown = valuesIn(relation, items);
  const words = wordsOf(t, operationId, name);
  const known = shown.filter((value) => t.validator.validate(schema, value).length === 0);
  // A list whose items are alike shows it too, if none of them has the value.
  const absent = shown.length === 1 ? words.filter((word) => !known.includes(word)).slice(0, 1) : [];
  const asked = [...absent, ...known].slice(0, 2);
  if (shown.length + absent.length < 2 || asked.length === 0) return leaveUnvaried(t, row, name);
  for (const value of asked) {
    const probe = await t.answered(operationId, row.about, { parameters: { [name]: value } });
    if (!isAccepted(probe)) return recordRefused(t, row, probe, control);
    const found = t.itemsIn(probe).map((item) => shownIn(relation, item));
    const result = checkFilter(name, value, found, isSameValue(relation)) ?? HOLDS;
    t.record(requirement, result, [probe, control]);
    if (result.holds) await tryFilteredPage(t, row, value, probe);
  }
  t.showOccasion(requirement);
};

/** How a server compares texts is open, but a text that no item shows does not find all items. */
const tryGuessedSearch = async (t: T, row: Related): Promise<void> => {
  const { relation, operationId, name } = row;
  const { requirement } = relation;
  const { control, items } = await variedList(t, row);
  if (valuesIn(relation, items).length < 2) return leaveUnvaried(t, row, name);
  const { maxLength = NONSENSE.length } = schemaOf(t, row);
  const value = NONSENSE.slice(0, Number(maxLength));
  const probe = await t.answered(operationId, row.about, { parameters: { [name]: value } });
  if (!isAccepted(probe)) return recordRefused(t, row, probe, control);
  const isIgnored = t.areSameItems(probe, control);
  const result = checkThat(!isIgnored, allFound(name, items.length));
  t.record(requirement, result, [probe, control]);
  t.showOccasion(requirement);
};

const schemaOf = (t: T, { operationId, name }: Related): JsonSchema => {
  const parameter = parameterNamed(t.operationOf(operationId), name);
  return parameter === undefined ? {} : resolveRef(t.contract.schemas, parameter.schema);
};

/** A value that the schema allows is refused beside a call without it: a server may know fewer values, so that it is suspected. */
const recordRefused = (t: T, row: Related, refusal: Exchange, control: Exchange): void => {
  const { relation, operationId, name } = row;
  const result = checkAllowed(name, refusal, control);
  if (result === undefined)
    t.leaveUntried(relation.requirement, "refused", operationId, name, statusOf(refusal));
  else t.record(relation.requirement, result, [refusal, control]);
};

/** What names of parameters tell, by the kind of the relation. */
export const GUESSED: Readonly<Record<string, (t: T, row: Related) => Promise<void>>> = {
  filter: tryGuessedFilter,
  search: tryGuessedSearch,
  size: trySize,
  sort: trySort,
  start: tryPages,
  window: tryGuessedWindow,
};
