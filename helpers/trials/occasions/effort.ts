/**
 * Limits what is asked again with large answers, each changed copy of which takes time. The limits do not depend on time.
 * An answer that is large because it has many members of a kind or long texts is reduced first, so that it is asked about
 * as often as a small one.
 */
import { memoize } from "../../contract/memoize.ts";
import type { Exchange, ReceivedResponse } from "../../exchange/exchange.ts";
import { jsonSize } from "../../exchange/json-size.ts";
import { fewOfAKind } from "./values.ts";

/** The total effort of the changed copies of what one check or one trial reads. */
const MOST_EFFORT = 200_000;

/** The fewest changed copies, however large they are. */
const FEWEST = 2;

/** The effort of a copy that counts as one more asking. */
const LARGE = 1_000;

/** The size of a body, in bytes, whose copy takes as long as one member of a wide object. */
const UNIT = 15_000;

/** The number of items of a list whose checks take as long as the copy of one member. */
const ITEMS = 10;

/** Smaller bodies have no wide objects or long lists. */
const SMALL = 3_000;

/**
 * Returns the effort of a copy. It grows with the square of the size, so that the limits concern only answers that are
 * much larger than any that a trial asks for. A copy of an object has all its members, but a copy of a list shares its
 * items, which are only checked again.
 */
const effortOfResponse = memoize(({ body, json }: ReceivedResponse): number => {
  const ofSize = Math.floor((body.length / UNIT) ** 2);
  if (body.length <= SMALL || json === undefined) return ofSize;
  const { widest, longest } = jsonSize(body);
  return ofSize + widest + Math.floor(longest / ITEMS);
});

/** Returns the effort of a copy of the largest answer. */
const effortOf = (exchanges: readonly Exchange[]): number =>
  Math.max(0, ...exchanges.map(({ response }) => (response === undefined ? 0 : effortOfResponse(response))));

/** Returns the number of changed copies that may be made of exchanges. */
export const copiesOf = (exchanges: readonly Exchange[]): number =>
  Math.max(FEWEST, Math.floor(MOST_EFFORT / (effortOf(exchanges) + 1)));

/** Returns the number of askings that a question about exchanges counts as. */
export const weightOf = (exchanges: readonly Exchange[]): number =>
  1 + Math.floor(effortOf(exchanges) / LARGE);

/** The effort of an answer that is reduced. The limits concern none with less. */
const REDUCED = 200;

/** Returns the exchange with fewer members of each kind and shorter texts, if its answer is large. */
export const reduced = memoize((exchange: Exchange): Exchange => {
  const { response } = exchange;
  if (response?.json === undefined || effortOfResponse(response) < REDUCED) return exchange;
  const { status, headers, numeric } = response;
  const json = fewOfAKind(response.json);
  return {
    ...exchange,
    response: {
      status,
      headers,
      json,
      ...(numeric !== undefined && { numeric: fewOfAKind(numeric) }),
      body: Buffer.from(JSON.stringify(json)),
    },
  };
});

/** @param cut is called if there are more items than the count */
export function* firstOf<Item>(items: Iterable<Item>, count: number, cut?: () => void): Generator<Item> {
  let left = count;
  for (const item of items) {
    if (left === 0) return cut?.();
    left -= 1;
    yield item;
  }
}

/** Notes at how many copies our limits ended the asking. */
export const createLimits = () => {
  const limits = new Map<string, number>();
  const endAt = (limit: number, requirements: Iterable<string>): void => {
    for (const requirement of requirements) limits.set(requirement, limit);
  };
  return {
    endAt,
    of: (requirement: string): number | undefined => limits.get(requirement),
    /** Yields as many changed copies as the limit for what they are made of allows. */
    copies<Copy>(all: Iterable<Copy>, exchanges: readonly Exchange[], open: Iterable<string>) {
      const most = copiesOf(exchanges);
      return firstOf(all, most, () => endAt(most, open));
    },
  };
};
