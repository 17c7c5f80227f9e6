/** The check rules for checks that only financial data uses, one row per check. */
import { checkOrder } from "../../../helpers/checks/order.ts";
import { checkOwnResource, learnIds, noIds } from "../../../helpers/checks/own-resource.ts";
import type { Operation } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { ownPlaces } from "../../../helpers/contract/own-places.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { clientOf, type Environment } from "../sandbox/financial-data/client.ts";
import type { CheckRule } from "./law.ts";

const contract = await loadContract("financial-data");

const HALF_YEAR = 180 * 86_400;

const transactionsOf = async (environment: Environment): Promise<Exchange> => {
  const { operate } = await clientOf(contract, environment);
  const customerId = environment.FINANCIAL_DATA_CUSTOMER_ID ?? "";
  const now = Math.floor(Date.now() / 1000);
  const query = `?fromDate=${now - HALF_YEAR}&toDate=${now}`;
  const { status, text, json } = await operate(
    "GetAllCustomerTransactions",
    { customerId },
    undefined,
    query,
  );
  return exchangeOf("GetAllCustomerTransactions", environment.FINANCIAL_DATA_BASE_URL ?? "", {
    status,
    text,
    json,
  });
};

const exchangeOf = (
  operationId: string,
  url: string,
  { status, text, json }: { readonly status: number; readonly text: string; readonly json: unknown },
): Exchange => ({
  id: "t0-1",
  service: contract.service,
  operationId,
  request: { method: "GET", url, headers: {} },
  requestJson: undefined,
  response: { status, headers: {}, body: Buffer.from(text), json },
  startedAt: new Date(),
  durationMs: 0,
});

/** Reads a customer of the sandbox, and then a new one. */
const twoCustomers = async (environment: Environment): Promise<readonly Exchange[]> => {
  const client = await clientOf(contract, environment);
  const added = await client.operate("AddTestingCustomer", {}, { username: "second-reader" });
  const read = async (customerId: string) =>
    exchangeOf(
      "GetCustomer",
      `${environment.FINANCIAL_DATA_BASE_URL}/aggregation/v1/customers/${customerId}`,
      await client.operate("GetCustomer", { customerId }),
    );
  return [await read(environment.FINANCIAL_DATA_CUSTOMER_ID ?? ""), await read(String(added.json.id))];
};

const getCustomer = contract.operations.find(({ operationId }) => operationId === "GetCustomer") as Operation;

interface Transaction {
  readonly transactionDate?: number;
  readonly postedDate?: number;
}

interface Listed {
  readonly transactions: readonly Transaction[];
}

const dateOf = ({ transactionDate, postedDate }: Transaction): number | [] =>
  transactionDate ?? postedDate ?? [];

export const FINANCIAL_DATA_CHECK_RULES: readonly CheckRule[] = [
  {
    check: "own-resource",
    name: "checkOwnResource",
    fault: "GetCustomer.own-resource.cached-by-operation",
    play: ({ environment }) => twoCustomers(environment),
    judge: (exchanges) => {
      const known = noIds();
      for (const exchange of exchanges) learnIds(known, getCustomer, exchange);
      const places = ownPlaces(getCustomer, contract.rules);
      return checkOwnResource(getCustomer, places, exchanges[1] as Exchange, known);
    },
  },
  {
    check: "order",
    name: "checkOrder",
    fault: "transactions.sorted-by-transactionDate.by-amount",
    play: async ({ environment }) => [await transactionsOf(environment)],
    judge: ([exchange]) => {
      const { transactions } = (exchange?.response?.json ?? { transactions: [] }) as Listed;
      return checkOrder("/transactionDate", transactions.flatMap(dateOf));
    },
  },
];
