/** Micro deposits: two amounts under a dollar are sent to an account, and its owner reports them. */
import { isDeepStrictEqual } from "node:util";
import { randomOf } from "../../engine/values/random.ts";
import type { Call } from "../calls.ts";
import type { Account } from "./account.ts";
import { post } from "./ledger.ts";
import { sendAside } from "./sending.ts";
import { type State, stored } from "./state.ts";

export interface MicroDeposit {
  /** The client's id of the account. */
  readonly accountId: string;
  readonly customerId: string;
  readonly receiver: { readonly routingNumber: string; readonly accountNumber: string };
  /** In cents. */
  readonly amounts: readonly number[];
  status: "initiated" | "deposited" | "verified";
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly callbackUrl: string | undefined;
}

export const STATUS_TEXTS: Readonly<Record<MicroDeposit["status"], string>> = {
  initiated: "The deposits are on their way.",
  deposited: "The deposits have arrived and wait to be verified.",
  verified: "The amounts are verified.",
};

/** By account id. */
export const microDeposits = stored("micro-deposits", () => new Map<string, MicroDeposit>());

export const microDepositOf = (
  state: State,
  customerId: string,
  accountId: string,
): MicroDeposit | undefined => {
  const deposit = microDeposits(state).get(accountId);
  return deposit?.customerId === customerId ? deposit : undefined;
};

export const microDepositTo = (
  state: State,
  customerId: string,
  wanted: MicroDeposit["receiver"],
): MicroDeposit | undefined =>
  [...microDeposits(state).values()].find(
    (deposit) => deposit.customerId === customerId && isDeepStrictEqual(deposit.receiver, wanted),
  );

/** Whether deposits to the customer have not arrived yet. */
export const hasInitiated = (state: State, customerId: string): boolean =>
  [...microDeposits(state).values()].some(
    (deposit) => deposit.customerId === customerId && deposit.status === "initiated",
  );

/** In cents. */
export const amountsTo = ({ seed }: State, accountId: string): readonly [number, number] => {
  const random = randomOf(`${seed} micro deposit ${accountId}`);
  const first = random.integer(1, 99);
  // Otherwise nobody would notice a client that reads the same amount twice.
  return [first, ((first + random.integer(0, 97)) % 99) + 1];
};

/** Milliseconds until the amounts arrive. */
const ARRIVAL = 5_000;

export const initiate = (
  state: State,
  wanted: Pick<MicroDeposit, "customerId" | "receiver" | "callbackUrl">,
  faulty: Call["faulty"],
): MicroDeposit => {
  const accountId = state.newId("micro-deposit-account");
  const [first, second] = amountsTo(state, accountId);
  const amounts = faulty("micro-above-one-dollar") ? [first, second + 100] : [first, second];
  const created = state.clock.now().getTime();
  const deposit: MicroDeposit = { ...wanted, accountId, amounts, status: "initiated", created };
  microDeposits(state).set(accountId, deposit);
  state.clock.at(created + ARRIVAL, () => arrive(state, deposit, faulty("micro-one-amount")));
  return deposit;
};

/** Continues the deposits of an image. */
export const resumeMicroDeposits = (state: State): void => {
  for (const deposit of microDeposits(state).values()) {
    if (deposit.status === "initiated")
      state.clock.at(deposit.created + ARRIVAL, () => arrive(state, deposit));
  }
};

/** Completes the deposit. If the account is linked, the amounts also become transactions. */
export const arrive = (state: State, deposit: MicroDeposit, onlyOne = false): void => {
  if (deposit.status !== "initiated") return;
  const { customerId, amounts, receiver } = deposit;
  const account = state.accounts
    .of(customerId)
    .find(
      ({ number, routingNumber }) =>
        number === receiver.accountNumber && routingNumber === receiver.routingNumber,
    );
  if (account !== undefined) credit(state, account, onlyOne ? amounts.slice(0, 1) : amounts);
  change(state, deposit, "deposited");
};

const credit = (state: State, account: Account, cents: readonly number[]): void => {
  const now = state.seconds();
  const ledger = state.accounts.ledgerOf(account);
  const description = "MICRO DEPOSIT";
  const transactions = cents.map((amount) =>
    post(ledger, { transactionDate: now, postedDate: now, amount: amount / 100, description }),
  );
  state.accounts.book(account, ledger, transactions);
};

/** @returns whether the amounts, in dollars and in any order, match the deposited ones */
export const verify = (state: State, deposit: MicroDeposit, amounts: readonly unknown[]): boolean => {
  const entered = amounts.map((amount) => Math.round(Number(amount) * 100)).sort((a, b) => a - b);
  const right = [...deposit.amounts].sort((a, b) => a - b);
  if (!isDeepStrictEqual(entered, right) || deposit.status === "initiated") return false;
  if (deposit.status !== "verified") change(state, deposit, "verified");
  return true;
};

const change = (state: State, deposit: MicroDeposit, status: MicroDeposit["status"]): void => {
  deposit.status = status;
  const { callbackUrl: url, accountId, customerId } = deposit;
  if (url === undefined) return;
  const body = { customerId, accountId, status, statusDescription: STATUS_TEXTS[status] };
  sendAside(state, { kind: "micro-deposit-callback", url, body });
};

/** Verifies the amounts of hosted flows in the same way as the amounts of requests. */
export const openMicroDeposits = (state: State): void => {
  state.events.on("micro-amounts-entered", ({ accountId, amounts, accept }) => {
    const deposit = microDeposits(state).get(accountId);
    if (deposit !== undefined && verify(state, deposit, amounts)) accept();
  });
};
