/** What an account has transactions for: day by day, always the same for the same seed. */
import { randomOf } from "../../engine/values/random.ts";

export const DAY = 86_400;

/** What is bought and earned; `every`: days between two that recur. */
export const DESCRIPTIONS: readonly {
  readonly description: string;
  readonly payee: string;
  readonly category: string;
  readonly least: number;
  readonly most: number;
  readonly every?: number;
}[] = [
  {
    description: "CORNER GROCERY 114",
    payee: "Corner Grocery",
    category: "Groceries",
    least: -12000,
    most: -900,
  },
  {
    description: "BLUE CUP COFFEE",
    payee: "Blue Cup Coffee",
    category: "Coffee Shops",
    least: -1400,
    most: -300,
  },
  {
    description: "CITY TRANSIT PASS",
    payee: "City Transit",
    category: "Public Transportation",
    least: -900,
    most: -250,
  },
  {
    description: "PAPER & PEN 22",
    payee: "Paper & Pen",
    category: "Office Supplies",
    least: -6000,
    most: -400,
  },
  {
    description: "GREEN LEAF MARKET",
    payee: "Green Leaf Market",
    category: "Groceries",
    least: -15000,
    most: -1200,
  },
  { description: "TRANSFER TO SAVINGS", payee: "Transfer", category: "Transfer", least: -30000, most: -2500 },
  { description: "ATM WITHDRAWAL 0042", payee: "ATM", category: "ATM Fee", least: -20000, most: -2000 },
  {
    description: "REFUND GREEN LEAF MARKET",
    payee: "Green Leaf Market",
    category: "Groceries",
    least: 500,
    most: 6000,
  },
  {
    description: "PAYROLL NORTHWIND TRADERS",
    payee: "Northwind Traders",
    category: "Paycheck",
    least: 210000,
    most: 210000,
    every: 14,
  },
  {
    description: "RENT MEADOW APARTMENTS",
    payee: "Meadow Apartments",
    category: "Mortgage & Rent",
    least: -125000,
    most: -125000,
    every: 30,
  },
  {
    description: "CITY POWER AND WATER",
    payee: "City Power and Water",
    category: "Utilities",
    least: -9500,
    most: -9500,
    every: 30,
  },
  {
    description: "INTEREST PAYMENT",
    payee: "Interest",
    category: "Interest Income",
    least: 125,
    most: 125,
    every: 30,
  },
];

const ONCE = DESCRIPTIONS.flatMap(({ every }, index) => (every === undefined ? [index] : []));

/** What one day brings to one account, always the same for the same seed. */
export interface Habit {
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

export const daysRows = ({ seed, perDay, recurring }: Habit, day: number): Posted[] => {
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
