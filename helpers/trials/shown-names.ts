/** Knows under which names answers of a session have shown values, so that such a name is not doubted later. */
import type { Contract, Rule } from "../contract/contract.ts";
import { isObject } from "../contract/json.ts";
import { getOrInsert, groupBy, memoize } from "../contract/memoize.ts";
import { isListed } from "../contract/schemas/keywords.ts";
import { contentOf, type Exchange, isAccepted } from "../exchange/exchange.ts";

/** By session: the names, with their operations. */
const shown = new WeakMap<object, Set<string>>();

/** Notes the names at the top of an accepted answer whose values show what the names mean. */
export const noteNames = (session: object, contract: Contract, exchange: Exchange): void => {
  const content = isAccepted(exchange) ? contentOf(exchange) : undefined;
  if (!isObject(content)) return;
  const { operationId } = exchange;
  const words = wordsOf(contract).get(operationId);
  for (const name of Object.keys(content))
    if (showsMeaning(words?.get(name), content[name]))
      getOrInsert(shown, session, () => new Set<string>()).add(`${operationId} ${name}`);
};

/** Whether any answer of the operation has shown a value under the name. */
export const wasNameShown = (session: object, operationId: string, name: string): boolean =>
  shown.get(session)?.has(`${operationId} ${name}`) === true;

/** Whether a value is a list of what can be compared, or a word that the contract lists for such a field. */
const showsMeaning = (words: readonly Rule[] | undefined, value: unknown): boolean =>
  // Items without their optional fields show nothing to compare.
  (Array.isArray(value) && !value.some(isObject)) ||
  words?.some((rule) => isListed(rule.schema, rule.value as readonly unknown[], value)) === true;

/** Returns the rules with listed words by operation and by name: an answer may have 100,000 names. */
const wordsOf = memoize(({ rules }: Contract): ReadonlyMap<string, ReadonlyMap<string, readonly Rule[]>> => {
  const enums = rules.filter(({ direction, keyword }) => direction === "response" && keyword === "enum");
  const byOperation = groupBy(enums, ({ operationId }) => operationId);
  return new Map(
    [...byOperation].map(([operationId, own]) => [
      operationId,
      groupBy(own, ({ pointer }) => pointer.split("/").at(-1) ?? ""),
    ]),
  );
});
