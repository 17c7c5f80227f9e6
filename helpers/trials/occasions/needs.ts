/** Says what would be an occasion for a requirement: what the exchanges lack that were judged. */
import type { Exchange } from "../../exchange/exchange.ts";
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
  const lists = placesIn(first.response?.json, MOST_PLACES).flatMap(({ value }) =>
    Array.isArray(value) ? [value] : [],
  );
  if (lists.length > 0 && lists.every(({ length }) => length === 0))
    return `an answer of ${operationId} with an item in its list`;
  if (lists.length > 0 && lists.every(({ length }) => length < 2))
    return `an answer of ${operationId} with several items in its list`;
  return `an answer of ${operationId} in which a small change would violate it`;
};
