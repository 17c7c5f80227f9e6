/** The check rules for checks that only financial data uses, one row per check. */
import { checkOrder } from "../../../helpers/checks/order.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
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
  return {
    id: "t0-1",
    service: contract.service,
    operationId: "GetAllCustomerTransactions",
    request: { method: "GET", url: environment.FINANCIAL_DATA_BASE_URL ?? "", headers: {} },
    requestJson: undefined,
    response: { status, headers: {}, body: Buffer.from(text), json },
    startedAt: new Date(),
    durationMs: 0,
  };
};

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
