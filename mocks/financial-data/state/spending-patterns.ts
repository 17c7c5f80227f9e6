/** Generates the daily transactions of an account. The same seed gives the same transactions. */
import { randomOf } from "../../engine/values/random.ts";
import { DAY } from "../../engine/values/units.ts";
import spending from "./spending.json" with { type: "json" };

/** Purchases and income, in cents. `every`: the interval of recurring ones in days. */
export const DESCRIPTIONS: readonly {
  readonly description: string;
  readonly payee: string;
  readonly category: string;
  readonly least: number;
  readonly most: number;
  readonly every?: number;
}[] = spending;

const ONCE = DESCRIPTIONS.flatMap(({ every }, index) => (every === undefined ? [index] : []));

/** Determines the transactions of an account. */
export interface SpendingPattern {
  readonly seed: string;
  /** Average number of transactions per day, not counting recurring ones. */
  readonly perDay: number;
  readonly recurring: boolean;
}

/** A transaction in the form of the ledger's columns. Dates are in seconds; 0 means none. */
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
    // One in sixteen transactions has only a posted date.
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
