/** Tries that a search finds a resource by the value that a call gives it, and no longer by the one before. */
import { parameterNamed } from "../../contract/lookups.ts";
import { atPointer } from "../../contract/pointer.ts";
import type { Relation } from "../../contract/relations.ts";
import { viewsOf } from "../../contract/views.ts";
import { checkThat } from "../../exchange/check-result.ts";
import { contentOf, type Exchange, isAccepted } from "../../exchange/exchange.ts";
import type { Call, T } from "../kit/language.ts";
import { givenIn, type Look, partAbout } from "./resources.ts";

/** A search that finds the resource by a value that a call changes. */
export interface Search {
  readonly field: string;
  readonly old: string;
  /** Whether nothing else that was read of the resource has the old value. */
  readonly isOnly: boolean;
  find(text: string): Promise<Exchange>;
  shows(exchange: Exchange): boolean;
}

/** Returns the searches that find the resource before a call by a text that it changes. */
export const searchesFor = async (
  t: T,
  resource: string,
  before: readonly Look[],
  call: Call,
  id: string,
): Promise<readonly Search[]> => {
  const found: Search[] = [];
  for (const { kind, operations, parameter: ours, shows: [field = ""] = [] } of t.contract.relations) {
    const old = before.map(({ shown }) => atPointer(shown, `/${field}`)).find((value) => value !== undefined);
    const text = givenIn(call)[field];
    if (kind !== "find" || typeof old !== "string" || typeof text !== "string" || text === old) continue;
    for (const { operation } of viewsOf(t.contract, resource)) {
      const parameter = parameterNamed(operation, ours);
      if (parameter === undefined || !operations.includes(operation.operationId)) continue;
      const search: Search = {
        ...{ field, old, isOnly: before.every(({ shown }) => isOnceIn(shown, old)) },
        find: (value) => t.answered(operation.operationId, {}, { parameters: { [parameter.name]: value } }),
        shows: (exchange) => isAccepted(exchange) && partAbout(contentOf(exchange), id) !== undefined,
      };
      if (search.shows(await t.readUntil(() => search.find(old), search.shows))) found.push(search);
    }
  }
  return found;
};

/** Whether no other value contains the text, such as a username that is made of a name. */
const isOnceIn = (shown: unknown, text: string): boolean =>
  text.length > SHORT && JSON.stringify(shown).toLowerCase().split(text.toLowerCase()).length <= 2;

/** Other texts may contain a text of so many letters by chance. */
const SHORT = 4;

/** Judges that a search by the new value finds the resource, as one by the old value did, which does not any more. */
export const judgeSearch = async (
  t: T,
  { requirement }: Relation,
  { field, old, isOnly, find, shows }: Search,
  call: Call,
  change: Exchange,
): Promise<void> => {
  const text = String(givenIn(call)[field]);
  const found = await t.readUntil(() => find(text), shows);
  // Others may have the same value, on the same page.
  if (!isAccepted(found) || (!shows(found) && t.itemsIn(found).length >= SHORTEST_PAGE)) return;
  const result = checkThat(shows(found), {
    pointer: `/${field}`,
    message: "a search by the new value does not find a resource that one by the old value found",
    expected: "the resource",
    actual: "a list without it",
  });
  t.record(requirement, result, [found, change]);
  const late = isOnly
    ? await t.readUntil(
        () => find(old),
        (one) => !shows(one),
      )
    : found;
  if (!isOnly || !isAccepted(late) || !shows(late)) return;
  const message = `a search by the old value of ${field} still finds a resource`;
  t.record(requirement, { ...result, holds: false, message, suspected: true }, [late, change]);
};

/** A list with fewer items is not a page of a longer one. */
const SHORTEST_PAGE = 10;
