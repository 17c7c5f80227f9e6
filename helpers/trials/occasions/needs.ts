/** Says what would be an occasion for a requirement: what the exchanges lack that were judged. */
import { oncePer } from "../../contract/once.ts";
import type { Exchange, ReceivedResponse } from "../../exchange/exchange.ts";
import { placesIn } from "./values.ts";

const MOST_PLACES = 300;

/**
 * @param exchanges the exchanges of the checks that held
 * @param reason why the requirement would not be tried with another answer
 */
export const needOf = (exchanges: readonly Exchange[], reason: string | undefined): string => {
  if (reason !== undefined) return `with another answer, it would not be tried: ${reason}`;
  const [first] = exchanges;
  if (first === undefined) return "an answer that shows it";
  const { operationId } = first;
  const lists = first.response === undefined ? [] : listsIn(first.response);
  if (lists.length > 0 && lists.every(({ length }) => length === 0))
    return `an answer of ${operationId} with an item in its list`;
  if (lists.length > 0 && lists.every(({ length }) => length < 2))
    return `an answer of ${operationId} with several items in its list`;
  return `an answer of ${operationId} in which a small change would violate it`;
};

/** Returns the lists of an answer. Many requirements ask for the lists of the same answer. */
const listsIn = oncePer(({ json }: ReceivedResponse): readonly (readonly unknown[])[] =>
  placesIn(json, MOST_PLACES).flatMap(({ value }) => (Array.isArray(value) ? [value] : [])),
);
