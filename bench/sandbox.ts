/** Measures the start of the sandbox, and financial data with 100,000 customers, 1,000,000 transactions and large pages. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../helpers/contract/process-end.ts";
import { countingIn, type Measured, usedIn } from "./commands.ts";
import { type Partner, partnerOf } from "./partner.ts";
import { LAUNCHER, on, standMock } from "./recording.ts";
import { ANY_PORT, type Goal, goalLine, type Recorded, replay, timed } from "./tools.ts";

const FEW = 1_000;
const CUSTOMERS = 100_000;
const TRANSACTIONS = 1_000_000;
const LANES = 64;
const PAGE = 25;
/** The rows of the largest page. */
const ROWS = 1_000;
const PAGES = 50;
const ROUNDS = 500;
/** The least of several measurements: single ones vary on a shared machine. */
const REPEATS = 5;

const MEMORY: Goal = { most: 200, unit: "MB" };
/** A linear search would take a hundred times as long. */
const INDEPENDENT: Goal = { most: 2, unit: "×" };

const START: Goal = { most: 0.5, unit: "s" };

export const benchSandbox = async (): Promise<void> => {
  const seconds = goalLine(`ready after the start, best of ${REPEATS}`, await start(), START);
  process.stdout.write(`\nThe sandbox\n\n${seconds}\n`);
  await benchCustomers();
  await inFolder(async (folder) => {
    await benchChosen(folder);
    await benchPages(folder);
  });
};

const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = temporaryFolder("bench");
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Compares a start with chosen customers with a start with one. */
const benchChosen = async (folder: string): Promise<void> => {
  const started = async (count: number): Promise<Pick<Measured, "cpuSeconds" | "megabytes">> => {
    const file = join(folder, `${count}.json`);
    const customers = Array.from({ length: count }, (_, id) => ({
      id: 1_000_000 + id,
      username: nameOf(id),
    }));
    await writeFile(file, JSON.stringify({ "financial-data": { customers } }));
    const used = join(folder, `${count}.jsonl`);
    const sandbox = await standMock(["financial-data"], ["--data", file], countingIn(used));
    await sandbox.close();
    return usedIn(used);
  };
  const [one, many] = [await started(1), await started(CUSTOMERS)];
  const words = `started with ${CUSTOMERS.toLocaleString("en-US")} chosen customers, compared with one`;
  const lines = [
    goalLine(`${words}: CPU time`, many.cpuSeconds / one.cpuSeconds, { most: 4, unit: "×" }),
    goalLine(`${words}: memory`, many.megabytes / one.megabytes, { most: 3, unit: "×" }),
  ];
  process.stdout.write(`\n${lines.join("\n")}\n`);
};

/** Compares a page of transactions under a provider's document with one under the contract. */
const benchPages = async (folder: string): Promise<void> => {
  const file = join(folder, "transactions.json");
  const transactions = Array.from({ length: ROWS }, (_, index) => ({
    ...{ id: 1 + index, amount: -1, description: `Purchase ${index}` },
    postedDate: "2026-01-02T12:00:00Z",
  }));
  const accounts = [{ id: 3, type: "checking", transactions }];
  const customers = [{ id: 1, username: nameOf(0), logins: [{ id: 2, institutionId: 4, accounts }] }];
  const institutions = [{ id: 4, name: "Bench Bank" }];
  await writeFile(file, JSON.stringify({ "financial-data": { institutions, customers } }));
  const used = async (options: readonly string[]): Promise<number> =>
    on(await standMock(["financial-data"], ["--data", file, ...options]), async (sandbox) => {
      const partner = await partnerOf(sandbox);
      const until = Math.floor(Date.now() / 1000);
      const path = `/aggregation/v3/customers/1/transactions?fromDate=1&toDate=${until}&limit=${ROWS}`;
      const { transactions: shown } = (await partner.ask(partner.get(path))) as { transactions: unknown[] };
      if (shown.length !== ROWS) throw new Error(`The page has ${shown.length} of ${ROWS} transactions.`);
      return secondsOf(partner, partner.get(path), PAGES);
    });
  const own = await used([]);
  const document = fileURLToPath(new URL("../schemas/financial-data/openapi.yaml", import.meta.url));
  const provided = await used(["--contract", `financial-data=${document}`]);
  const words = `a page of ${ROWS.toLocaleString("en-US")} transactions under a document, compared with our contract`;
  process.stdout.write(`${goalLine(words, provided / own, INDEPENDENT)}\n`);
};

/** Returns the seconds from the command to its first line. */
const start = async (): Promise<number> => {
  const seconds: number[] = [];
  for (let round = 0; round < REPEATS; round++) {
    const started = performance.now();
    const child = spawn(process.execPath, [LAUNCHER, "mock", "--port", String(ANY_PORT)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    seconds.push((performance.now() - started) / 1000);
    child.kill();
    await once(child, "close");
  }
  return Math.min(...seconds);
};

const benchCustomers = async (): Promise<void> => {
  await on(await standMock(["financial-data"]), async (sandbox) => {
    const partner = await partnerOf(sandbox);
    await addCustomers(partner, 0, FEW);
    const few = await lookUps(partner);
    await addCustomers(partner, FEW, CUSTOMERS);
    const many = await lookUps(partner);
    process.stdout.write(
      [
        `\n  financial-data with ${CUSTOMERS.toLocaleString("en-US")} customers, compared with ${FEW.toLocaleString("en-US")}`,
        "",
        goalLine("memory", await megabytes(partner), MEMORY),
        ...few.map(([what, seconds], index) =>
          goalLine(what, (many[index]?.[1] ?? 0) / seconds, INDEPENDENT),
        ),
        "",
      ].join("\n"),
    );
    const transactions = await addTransactions(partner);
    const words = `memory with ${transactions.toLocaleString("en-US")} transactions as well`;
    process.stdout.write(`${goalLine(words, await megabytes(partner), { unit: "MB" })}\n`);
  });
};

const nameOf = (index: number): string => `scale-customer-${index}`;

const addCustomers = ({ origin, post }: Partner, from: number, until: number): Promise<void> =>
  replay(
    origin,
    Array.from({ length: until - from }, (_, index) =>
      post("/aggregation/v2/customers/testing", { username: nameOf(from + index) }),
    ),
    LANES,
  );

/** Returns the seconds of each look-up, in the middle and at the end of the present customers. */
const lookUps = async (partner: Partner): Promise<readonly (readonly [what: string, seconds: number])[]> => {
  const { get, ask } = partner;
  const page = (start: number) => get(`/aggregation/v1/customers?start=${start}&limit=${PAGE}`);
  const { found } = (await ask(page(1))) as { found: number };
  const last = (await ask(page(found))) as { customers: { id: string; username: string }[] };
  const { id = "", username = "" } = last.customers[0] ?? {};
  const rows: readonly (readonly [string, Recorded])[] = [
    ["a customer by id", get(`/aggregation/v1/customers/${id}`)],
    ["a customer by username", get(`/aggregation/v1/customers?username=${username}`)],
    ["the last page of customers", page(found - PAGE + 1)],
  ];
  const measured: [string, number][] = [];
  for (const [what, request] of rows) measured.push([what, await secondsOf(partner, request)]);
  return measured;
};

const secondsOf = async ({ origin }: Partner, request: Recorded, rounds = ROUNDS): Promise<number> => {
  const requests = Array.from({ length: rounds }, () => request);
  const seconds: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++)
    seconds.push(await timed(() => replay(origin, requests, 1)));
  return Math.min(...seconds);
};

/** Returns the resident memory of the sandbox's process. */
const megabytes = async ({ ask, get }: Partner): Promise<number> => {
  const { residentBytes } = (await ask(get("/__sandbox/health"))) as { residentBytes: number };
  return residentBytes / 1e6;
};

/** Links accounts until there are enough transactions. The first read of an account creates them. */
const addTransactions = async ({ ask, get, post, customer }: Partner): Promise<number> => {
  const { customers: linked } = (await ask(get("/aggregation/v1/customers?start=1&limit=1000"))) as {
    customers: { id: string }[];
  };
  let count = 0;
  for (let round = 0; count < TRANSACTIONS && round < linked.length * 4; round++) {
    const { id } = linked[round % linked.length] ?? { id: customer };
    await ask(post("/__sandbox/link", { customerId: id, accounts: ["checking", "savings"] }));
    const from = Math.floor(Date.now() / 1000) - 400 * 86_400;
    const to = Math.floor(Date.now() / 1000) + 86_400;
    const list = (await ask(
      get(`/aggregation/v3/customers/${id}/transactions?fromDate=${from}&toDate=${to}&limit=1`),
    )) as { found: number };
    count += list.found;
  }
  return count;
};
