/** Says what was seen of a requirement that could not have been violated, and what would have to be different. */
import { oncePer } from "../../contract/once.ts";
import type { Exchange, ReceivedResponse } from "../../exchange/exchange.ts";
import { placesIn } from "./values.ts";

const MOST_PLACES = 300;

/** Names what would settle a doubt: the provider's document, or a binding. */
const SETTLED = /\bdocument\b|\bBINDINGS\b/;

/**
 * @param exchanges the exchanges of the checks that held
 * @param reason why the requirement would be left untried with a wrong answer
 * @param limit the number of changed answers at which we ended the search for a wrong one
 */
export const needOf = (
  exchanges: readonly Exchange[],
  reason: string | undefined,
  limit: number | undefined,
): string =>
  limit === undefined
    ? needIn(exchanges, reason)
    : `${needIn(exchanges, reason)}. ${ENDED} ${limit} changed copies of the answer`;

const ENDED = "The search for a wrong answer ended at our own limit of";

const needIn = (exchanges: readonly Exchange[], reason: string | undefined): string => {
  // Other reasons are about a status that no check of the requirement reads.
  if (reason !== undefined && SETTLED.test(reason))
    return `it held, but a wrong answer would not have counted. It would have been left untried, because: ${reason}`;
  const [first] = exchanges;
  if (first === undefined) return "no answer showed it";
  const { operationId } = first;
  const lists = first.response === undefined ? [] : listsIn(first.response);
  if (lists.length > 0 && lists.every(({ length }) => length === 0))
    return `the lists in the answer of ${operationId} were empty, and it can only be violated if they have items`;
  if (lists.length > 0 && lists.every(({ length }) => length < 2))
    return `the lists in the answer of ${operationId} had one item, and it can only be violated if they have several`;
  return `it held for the answer of ${operationId}, which a server that violates it could have given too: the target needs other data there`;
};

/** Returns the lists of an answer. Many requirements ask for the lists of the same answer. */
const listsIn = oncePer(({ json }: ReceivedResponse): readonly (readonly unknown[])[] =>
  placesIn(json, MOST_PLACES).flatMap(({ value }) => (Array.isArray(value) ? [value] : [])),
);
