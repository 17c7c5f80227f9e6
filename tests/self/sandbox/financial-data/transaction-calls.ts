/** Lists transactions for their tests. */

import { pathIds } from "./every-status.ts";
import type { Tenant } from "./tenant.ts";

export const LOAD = "LoadHistoricTransactionsForCustomerAccount";
export const OF_ACCOUNT = "GetCustomerAccountTransactions";
export const OF_CUSTOMER = "GetAllCustomerTransactions";
export const DAY = 86_400;
export const EVER = "?fromDate=0&toDate=9999999999";

export interface Transaction {
  readonly id: number;
  readonly status: string;
  readonly amount: number;
  readonly transactionDate?: number;
  readonly postedDate?: number;
}

export interface Page {
  readonly found: number;
  readonly displaying: number;
  readonly moreAvailable: string;
  readonly transactions: Transaction[];
  readonly dailyBalances?: { date: number; beginning: number; ending: number }[];
}

export const arranged = async (
  { arrange }: Tenant,
  situation: string,
  parameters?: Record<string, unknown>,
) => pathIds(await arrange(situation, parameters));

export const list = async (
  { client }: Pick<Tenant, "client">,
  ids: Record<string, string>,
  query = "",
  operationId = OF_ACCOUNT,
): Promise<Page> =>
  (await client.operate(operationId, ids, undefined, `${EVER}${query}`)).json as unknown as Page;

export const dateOf = ({ transactionDate, postedDate }: Transaction): number =>
  transactionDate ?? postedDate ?? 0;

export const datesIn = async (own: Pick<Tenant, "client">, ids: Record<string, string>): Promise<number[]> =>
  (await list(own, ids, "&limit=1000&sort=asc&includePending=true")).transactions.map(dateOf);
