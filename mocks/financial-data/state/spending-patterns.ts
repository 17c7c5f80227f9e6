/** What an account has transactions for: day by day, always the same for the same seed. */

import { randomOf } from "../../engine/values/random.ts";
import { DAY } from "../../engine/values/units.ts";
import spending from "./spending.json" with { type: "json" };

/** What is bought and earned, in cents; `every`: days between two that recur. */
export const DESCRIPTIONS: readonly {
  readonly description: string;
  readonly payee: string;
  readonly category: string;
  readonly least: number;
  readonly most: number;
  readonly every?: number;
}[] = spending;

const ONCE = DESCRIPTIONS.flatMap(({ every }, index) => (every === undefined ? [index] : []));

/** What one day brings to one account, always the same for the same seed. */
export interface SpendingPattern {
  readonly seed: string;
  /** Transactions on a day, on average; those that recur come besides. */
  readonly perDay: number;
  readonly recurring: boolean;
}

/** A transaction as the columns of a ledger take it; dates in seconds, 0 for none. */
export interface Posted {
  readonly transactionDate: number;
  readonly postedDate: number;
  readonly cents: number;
  readonly text: number;
}

export const daysRows = ({ seed, perDay, recurring }: SpendingPattern, day: number): Posted[] => {
  const random = randomOf(`${seed} ${day}`);
  const whole = Math.floor(perDay);
  const count = whole + (random.next() < perDay - whole ? 1 : 0);
  const posted = (text: number): Posted => {
    const { least, most } = DESCRIPTIONS[text] as (typeof DESCRIPTIONS)[number];
    // One in sixteen comes from an institution that knows only when it posted.
    const dated = random.integer(0, 15) > 0;
    const time = day * DAY + random.integer(0, DAY - 1);
    return {
      transactionDate: dated ? time : 0,
      postedDate: Math.min(day * DAY + DAY - 1, time + random.integer(0, 3600)),
      cents: random.integer(least, most),
      text,
    };
  };
  const once = Array.from({ length: count }, () => posted(random.pick(ONCE)));
  const again = DESCRIPTIONS.flatMap(({ every }, text) =>
    recurring && every !== undefined && day % every === text % every ? [posted(text)] : [],
  );
  return [...once, ...again];
};
