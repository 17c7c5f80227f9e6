/** Measures the financial data sandbox with 100,000 customers and 1,000,000 transactions. */
import { partnerOf } from "./partner.ts";
import { replay, timed } from "./tools.ts";

const CUSTOMERS = 100_000;
const TRANSACTIONS = 1_000_000;
const LANES = 64;
const PAGE = 25;
const ROUNDS = 200;

export const benchScale = async (): Promise<void> => {
  const partner = await partnerOf();
  try {
    const { get, post, ask } = partner;
    const customers = Array.from({ length: CUSTOMERS }, (_, index) =>
      post("/aggregation/v2/customers/testing", { username: `scale-customer-${index}` }),
    );
    process.stdout.write("\nfinancial-data, at scale\n\n");
    await replay(partner.origin, customers, LANES);
    const transactions = await fill();
    const page = (start: number) => get(`/aggregation/v1/customers?start=${start}&limit=${PAGE}`);
    const { found } = (await ask(page(1))) as { found: number };
    const time = async (start: number): Promise<number> => {
      const requests = Array.from({ length: ROUNDS }, () => page(start));
      await replay(partner.origin, requests, 1);
      return timed(() => replay(partner.origin, requests, 1));
    };
    const first = await time(1);
    const last = await time(found - PAGE);
    const megabytes = process.memoryUsage().rss / 1e6;
    process.stdout.write(
      [
        `  ${found.toLocaleString("en-US")} customers, ${transactions.toLocaleString("en-US")} transactions`,
        `  ${Math.round(megabytes)} MB resident, including this command's own requests`,
        `  the last page of customers takes ${(last / first).toFixed(2)} × the time of the first`,
        "",
      ].join("\n"),
    );

    /** Links accounts until there are enough transactions. The first read of an account creates them. */
    async function fill(): Promise<number> {
      const { customers: linked } = (await ask(get("/aggregation/v1/customers?start=1&limit=1000"))) as {
        customers: { id: string }[];
      };
      let count = 0;
      for (let round = 0; count < TRANSACTIONS; round++) {
        const { id } = linked[round % linked.length] ?? { id: partner.customer };
        await ask(post("/__sandbox/link", { customerId: id, accounts: ["checking", "savings"] }));
        if (round >= linked.length * 4) break;
        const from = Math.floor(Date.now() / 1000) - 400 * 86_400;
        const to = Math.floor(Date.now() / 1000) + 86_400;
        const list = (await ask(
          get(`/aggregation/v3/customers/${id}/transactions?fromDate=${from}&toDate=${to}&limit=1`),
        )) as { found: number };
        count += list.found;
      }
      return count;
    }
  } finally {
    await partner.close();
  }
};
