/** Tries parameters of a list whose names tell what they do: they choose its items, their number or their order. */
import { checkFilter, checkSize } from "../../checks/obedience.ts";
import type { JsonSchema } from "../../contract/contract.ts";
import { parameterNamed } from "../../contract/lookups.ts";
import { loose } from "../../contract/names.ts";
import { resolveRef } from "../../contract/rule-walk.ts";
import { checkThat, HOLDS } from "../../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../../exchange/exchange.ts";
import { isSameValue, shownIn } from "../from-contract/obedience.ts";
import { answered } from "../kit/asking.ts";
import { operationOf } from "../kit/names.ts";
import { itemsIn } from "../kit/reading.ts";
import { leaveUntried, leaveWithoutOccasion, record, showOccasion } from "../kit/verdicts.ts";
import type { TrialContext } from "../trial.ts";
import { tryPages } from "./pages.ts";
import { leaveUnvaried, type Related, valuesIn, variedList, wordsOf } from "./varied-list.ts";
import { tryGuessedWindow } from "./windows.ts";

/** A text that no name contains. */
export const NONSENSE = "zzqxjvkwq xqzvwkjq";

export const allFound = (pointer: string, count: number) => ({
  ...{ pointer, message: "a search for a text that no item shows finds the same items as no search" },
  ...{ expected: `fewer than ${count} items`, actual: `the same ${count} items` },
});

const trySize = async (context: TrialContext, row: Related): Promise<void> => {
  const { relation, operationId, name } = row;
  const { requirement } = relation;
  const { control, items } = await variedList(context, row);
  const { minimum = 1 } = schemaOf(context, row);
  const most = Math.max(1, Number(minimum));
  if (items.length <= most) return leaveUnvaried(context, row, "pages");
  const page = await answered(context, operationId, row.about, { parameters: { [name]: most } });
  if (!isAccepted(page)) return leaveRefused(context, row, page);
  record(context, requirement, checkSize(name, most, itemsIn(context, page).length), [page, control]);
  showOccasion(context, requirement);
};

/** A list whose items differ in the field can't be sorted in both directions at once. */
const trySort = async (context: TrialContext, row: Related): Promise<void> => {
  const { relation, operationId, name } = row;
  const { requirement, words = [], along, shows = [] } = relation;
  const pages: Exchange[] = [];
  await variedList(context, row);
  const field =
    along && wordsOf(context, operationId, along).find((one) => loose(one) === loose(shows[0] ?? ""));
  const by = along && field ? { [along]: field } : {};
  for (const word of words) {
    const parameters = { ...by, [name]: word };
    const page = await answered(context, operationId, row.about, { parameters });
    if (!isAccepted(page)) return leaveRefused(context, row, page);
    pages.push(page);
  }
  const [one = [], other = []] = pages.map((page) => itemsIn(context, page));
  const isSame = JSON.stringify(one) === JSON.stringify(other);
  const result = checkThat(!isSame, {
    pointer: name,
    message: `a list is the same with ${words.map((word) => `${name}=${word}`).join(" and ")}`,
    expected: "its items in opposite orders",
    actual: "the same items in the same order",
  });
  // Items without a value may fill the page of one direction.
  if (valuesIn(relation, [...one, ...other]).length > 1) {
    record(context, requirement, result, pages);
    showOccasion(context, requirement);
  } else
    leaveWithoutOccasion(
      context,
      requirement,
      `a list of ${operationId} with several ${relation.shows?.[0]}`,
    );
};

/** Only an item with another value shows that a filter is ignored: what a server finds may change meanwhile. */
const tryGuessedFilter = async (context: TrialContext, row: Related): Promise<void> => {
  const { relation, operationId, name } = row;
  const { requirement } = relation;
  const { control, items } = await variedList(context, row);
  const schema = schemaOf(context, row);
  const shown = valuesIn(relation, items);
  const words = wordsOf(context, operationId, name);
  const known = shown.filter((value) => context.validator.validate(schema, value).length === 0);
  // A list whose items are alike shows it too, if none of them has the value.
  const absent = shown.length === 1 ? words.filter((word) => !known.includes(word)).slice(0, 1) : [];
  const asked = [...absent, ...known].slice(0, 2);
  if (shown.length + absent.length < 2 || asked.length === 0) return leaveUnvaried(context, row, name);
  for (const value of asked) {
    const probe = await answered(context, operationId, row.about, { parameters: { [name]: value } });
    if (!isAccepted(probe)) return leaveRefused(context, row, probe);
    const found = itemsIn(context, probe).map((item) => shownIn(relation, item));
    const result = checkFilter(name, value, found, isSameValue(relation)) ?? HOLDS;
    record(context, requirement, result, [probe, control]);
  }
  showOccasion(context, requirement);
};

/** How a server compares texts is open, but a text that no item shows does not find all items. */
const tryGuessedSearch = async (context: TrialContext, row: Related): Promise<void> => {
  const { relation, operationId, name } = row;
  const { requirement } = relation;
  const { control, items } = await variedList(context, row);
  if (valuesIn(relation, items).length < 2) return leaveUnvaried(context, row, name);
  const { maxLength = NONSENSE.length } = schemaOf(context, row);
  const value = NONSENSE.slice(0, Number(maxLength));
  const probe = await answered(context, operationId, row.about, { parameters: { [name]: value } });
  if (!isAccepted(probe)) return leaveRefused(context, row, probe);
  const isIgnored = JSON.stringify(itemsIn(context, probe)) === JSON.stringify(itemsIn(context, control));
  const result = checkThat(!isIgnored, allFound(name, items.length));
  record(context, requirement, result, [probe, control]);
  showOccasion(context, requirement);
};

const schemaOf = (context: TrialContext, { operationId, name }: Related): JsonSchema => {
  const parameter = parameterNamed(operationOf(context, operationId), name);
  return parameter === undefined ? {} : resolveRef(context.contract.schemas, parameter.schema);
};

/** A server may know fewer values than the schema allows. */
const leaveRefused = (
  context: TrialContext,
  { relation, operationId, name }: Related,
  refusal: Exchange,
): void =>
  leaveUntried(context, relation.requirement, `${operationId} refused ${name} with ${statusOf(refusal)}`);

/** What names of parameters tell, by the kind of the relation. */
export const GUESSED: Readonly<Record<string, (context: TrialContext, row: Related) => Promise<void>>> = {
  filter: tryGuessedFilter,
  search: tryGuessedSearch,
  size: trySize,
  sort: trySort,
  start: tryPages,
  window: tryGuessedWindow,
};
