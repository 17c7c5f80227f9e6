/** Compares the financial data sandbox with a route that always answers the same bytes. */
import { request } from "undici";
import { partnerOf } from "./partner.ts";
import { bareRoute, type Measurement, type Recorded, ratio, replay, tableRow, timed } from "./tools.ts";

const REQUESTS = 4000;
const LANES = 16;
const ROUNDS = 5;

export const benchSandbox = async (): Promise<void> => {
  const partner = await partnerOf();
  try {
    process.stdout.write(`\nfinancial-data, ${LANES} at a time\n\n`);
    const account = await partner.busyAccount();
    const from = Math.floor(Date.now() / 1000) - 400 * 86_400;
    const to = Math.floor(Date.now() / 1000) + 86_400;
    await compare("GET institutions", () =>
      partner.get("/institution/v2/institutions?search=a&start=1&limit=25"),
    );
    let name = 0;
    await compare("POST customer", () => {
      name += 1;
      return partner.post("/aggregation/v2/customers/testing", { username: `bench-customer-${name}` });
    });
    await compare("GET transactions (1000)", () =>
      partner.get(
        `/aggregation/v4/customers/${partner.customer}/accounts/${account}/transactions?fromDate=${from}&toDate=${to}&limit=1000`,
      ),
    );
  } finally {
    await partner.close();
  }

  async function compare(what: string, make: () => Recorded): Promise<void> {
    const { origin } = partner;
    const { path, ...options } = make();
    const { statusCode, body } = await request(`${origin}${path}`, options);
    const bare = await bareRoute(Buffer.from(await body.arrayBuffer()), statusCode);
    const requests = () => Array.from({ length: REQUESTS }, make);
    await replay(origin, requests(), LANES);
    await replay(bare.origin, requests(), LANES);
    const measure = async (server: string, label: string): Promise<Measurement> => {
      const list = requests();
      return { what: label, requests: list.length, seconds: await timed(() => replay(server, list, LANES)) };
    };
    const pairs: (readonly [own: Measurement, other: Measurement])[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      pairs.push([await measure(origin, what), await measure(bare.origin, "  bare route")]);
    }
    await bare.close();
    // The median pair: single rounds vary on a shared machine.
    const [own, other] = pairs.sort((a, b) => a[0].seconds / a[1].seconds - b[0].seconds / b[1].seconds)[
      (ROUNDS - 1) / 2
    ] as readonly [Measurement, Measurement];
    const lines = [tableRow(own), tableRow(other), ratio("the sandbox takes", own, other, "bare route")];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
};
