/** Tries that a search finds a resource by the value that a call gives it, and no longer by the one before. */
import { parameterNamed } from "../../contract/lookups.ts";
import { atPointer } from "../../contract/pointer.ts";
import type { Relation } from "../../contract/relations.ts";
import { viewsOf } from "../../contract/views.ts";
import { checkThat } from "../../exchange/check-result.ts";
import { contentOf, type Exchange, isAccepted } from "../../exchange/exchange.ts";
import type { Call, T } from "../kit/language.ts";
import { carriedOut, givenIn, type Look, partAbout } from "./resources.ts";

/** A search that finds the resource by a value that a call changes. */
export interface Search {
  readonly field: string;
  find(text: string): Promise<Exchange>;
  /** Returns what an answer shows of the resource. */
  shown(exchange: Exchange): unknown;
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
        field,
        find: (value) => t.answered(operation.operationId, {}, { parameters: { [parameter.name]: value } }),
        shown: (exchange) => (isAccepted(exchange) ? partAbout(contentOf(exchange), id) : undefined),
      };
      const shows = (exchange: Exchange) => search.shown(exchange) !== undefined;
      if (shows(await t.readUntil(() => search.find(old), shows))) found.push(search);
    }
  }
  return found;
};

/**
 * Judges that a search by the new value finds the resource, as one by the value before did, and that after a further change it
 * does not find it any more.
 * @param again returns a call that gives the resource further values
 */
export const judgeSearch = async (
  t: T,
  { requirement }: Relation,
  { field, find, shown }: Search,
  [call, change]: readonly [Call, Exchange],
  again: () => Promise<Call>,
): Promise<void> => {
  const text = String(givenIn(call)[field]);
  const shows = (exchange: Exchange) => shown(exchange) !== undefined;
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
  const next = result.holds && isOnceIn(shown(found), text) ? await again() : call;
  if (givenIn(next)[field] === text || givenIn(next)[field] === undefined) return;
  const changed = await carriedOut(t, next);
  const late = await t.readUntil(
    () => find(text),
    (one) => !shows(one),
  );
  const message = `a search by the value of ${field} before a change still finds a resource`;
  if (isAccepted(late) && shows(late))
    t.record(requirement, { ...result, holds: false, message, suspected: true }, [late, changed]);
};

/** Whether no other value contains the text, such as a username that is made of a name. */
const isOnceIn = (shown: unknown, text: string): boolean =>
  text.length > SHORT && JSON.stringify(shown).toLowerCase().split(text.toLowerCase()).length <= 2;

/** Other texts may contain a text of so many letters by chance. */
const SHORT = 4;

/** A list with fewer items is not a page of a longer one. */
const SHORTEST_PAGE = 10;
