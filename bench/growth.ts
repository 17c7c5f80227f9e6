/** Measures how a run grows with its contract and with its requests. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../helpers/contract/process-end.ts";
import { inCopy } from "./checkout.ts";
import { type MeasuredRun, measured, measuredRun } from "./commands.ts";
import { on, standMock } from "./recording.ts";
import { inRounds, showRounds } from "./tools.ts";

/** The numbers of operations. */
const SIZES = [10, 100, 1_000];

const OPERATIONS_OF_A_RESOURCE = 5;

export const benchGrowth = async (rounds: number): Promise<void> => {
  process.stdout.write("\nGenerated services\n\n");
  await inCopy(async (root) => {
    let smaller: Grown | undefined;
    for (const size of SIZES) {
      process.stderr.write(`  a service with ${counted(size)} operations …\n`);
      smaller = showGrown(await grown(root, size, rounds), smaller);
    }
  });
  await benchDocuments(rounds);
  process.stdout.write("\nLong runs\n\n");
  await benchLongRun(rounds);
};

/** Compares plans and runs by a document of 300 operations with plans and runs by one of 100. */
const benchDocuments = async (rounds: number): Promise<void> => {
  const folder = temporaryFolder("grown");
  const planAndRun = async (size: number) => {
    const file = join(folder, `document-${size}.json`);
    await writeFile(file, JSON.stringify(documentOf(size)));
    const document = ["--document", file];
    return on(await standMock([], document), async ({ baseUrls }) => {
      const args = [...document, "--url", ...Object.values(baseUrls), "--depth", "quick"];
      return {
        plan: await measured(["run", "--silent", "certify", "--", ...args, "--plan"]),
        run: await measuredRun([...args, "--max-requests", FEW_REQUESTS]),
      };
    });
  };
  const measurements = await inRounds(rounds, async () => ({
    small: await planAndRun(100),
    large: await planAndRun(300),
  }));
  type Values = (typeof measurements)[number]["small"];
  const show = (words: string, of: (one: Values) => number, most = 2): void =>
    showRounds(
      `a document of 300 operations, compared with 100: ${words}`,
      measurements.map(({ small, large }) => of(large) / of(small)),
      { most, unit: "×" },
    );
  // A plan tries everything on the sandbox, so it takes time in proportion to the operations.
  show("time of a plan", ({ plan }) => plan.seconds, 3);
  show("memory of a plan", ({ plan }) => plan.megabytes);
  show("time to the first verdict", ({ run }) => run.firstVerdict);
  show("memory of a run", ({ run }) => run.megabytes);
  await rm(folder, { recursive: true, force: true });
};

/** Enough for verdicts, so that the start of a run is what differs. */
const FEW_REQUESTS = "100";

interface Grown {
  readonly size: number;
  readonly runs: readonly MeasuredRun[];
}

/** Adds a service with so many operations to the checkout, and certifies it. */
const grown = async (root: string, size: number, rounds: number): Promise<Grown> => {
  const name = `grown-${size}`;
  const file = join(root, `${name}.json`);
  await writeFile(file, JSON.stringify(documentOf(size)));
  await measured(["run", "--silent", "new-service", "--", name, "--from", file], root);
  return { size, runs: await inRounds(rounds, () => measuredRun(["--service", name], root)) };
};

/** Shows runs, and their growth since the smaller service: linear growth is at most as large as the contract's. */
const showGrown = (grown: Grown, smaller: Grown | undefined): Grown => {
  const { size, runs } = grown;
  const words = `${counted(size)} operations, ${counted(runs[0]?.exchanges ?? 0)} exchanges`;
  showRounds(`${words}: CPU time`, runs.map(cpuSeconds), { unit: "CPU-s" });
  showRounds(`${words}: memory of the largest process`, runs.map(megabytes), { unit: "MB" });
  if (smaller !== undefined) {
    const goal = { most: size / smaller.size, unit: "×" };
    const than = `${words}: more than with ${smaller.size}`;
    showRounds(`${than}, CPU time`, ratios(runs, smaller.runs, cpuSeconds), goal);
    showRounds(`${than}, memory`, ratios(runs, smaller.runs, megabytes), goal);
  }
  return grown;
};

const cpuSeconds = (run: MeasuredRun): number => run.cpuSeconds;
const megabytes = (run: MeasuredRun): number => run.megabytes;

/** Compares the value of each run with the value of the other run of the same round. */
const ratios = (
  runs: readonly MeasuredRun[],
  others: readonly MeasuredRun[],
  of: (run: MeasuredRun) => number,
): number[] => runs.map((run, round) => of(run) / of(others[round] ?? run));

const counted = (count: number): string => count.toLocaleString("en-US");

/** A run with about 15 times the requests of a usual one. Sequences go on for a minute. */
const LONG_RUN = ["--depth", "exhaustive", "--time", "1"];

/** Much less than in proportion to the requests. */
const FLAT = {
  ...{ most: 1.5, unit: "×" },
  floor:
    "workers with a heap of 220 MB made 220,000 exchanges too: with more, the engine collects garbage later",
};

const benchLongRun = async (rounds: number): Promise<void> => {
  const usual = await inRounds(rounds, () => measuredRun([]));
  const long = await inRounds(rounds, () => {
    process.stderr.write("  a run of about 200,000 exchanges …\n");
    return measuredRun(LONG_RUN);
  });
  const words = `${counted(long[0]?.exchanges ?? 0)} exchanges in one certificate`;
  showRounds(
    `${words}: more exchanges than usual`,
    ratios(long, usual, ({ exchanges }) => exchanges),
    { unit: "×" },
  );
  showRounds(`${words}: more memory of the largest process`, ratios(long, usual, megabytes), FLAT);
};

/** Returns an OpenAPI document with resources that can be created, listed, read, changed and removed. */
const documentOf = (operations: number) => ({
  openapi: "3.1.0",
  info: { title: "Grown", version: "1.0.0" },
  paths: Object.fromEntries(
    Array.from({ length: operations / OPERATIONS_OF_A_RESOURCE }, (_, index) =>
      resource(`thing${index}`),
    ).flat(),
  ),
});

const resource = (name: string): [string, object][] => {
  const sent = {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", minLength: 1, maxLength: 40 },
      size: { type: "integer", minimum: 1, maximum: 100 },
      kind: { type: "string", enum: ["small", "large"] },
    },
  };
  const known = {
    ...sent,
    required: ["id", "name"],
    properties: { id: { type: "string" }, ...sent.properties },
  };
  const body = (schema: object) => ({ content: { "application/json": { schema } } });
  const requestBody = { required: true, ...body(sent) };
  const answers = (status: number, schema?: object) => ({
    [status]: { description: "done", ...(schema && body(schema)) },
    400: { description: "invalid" },
    404: { description: "unknown" },
  });
  const parameters = [{ name: `${name}Id`, in: "path", required: true, schema: { type: "string" } }];
  return [
    [
      `/${name}s`,
      {
        get: { operationId: `${name}List`, responses: answers(200, { type: "array", items: known }) },
        post: { operationId: `${name}Create`, requestBody, responses: answers(201, known) },
      },
    ],
    [
      `/${name}s/{${name}Id}`,
      {
        parameters,
        get: { operationId: `${name}Read`, responses: answers(200, known) },
        put: { operationId: `${name}Change`, requestBody, responses: answers(200, known) },
        delete: { operationId: `${name}Remove`, responses: answers(204) },
      },
    ],
  ];
};
