/** Random answers of a server end in verdicts, never in an exception of a trial. */
import type http from "node:http";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { request as forward } from "undici";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { equip } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { baseUrlName } from "../../../helpers/target/names.ts";
import { openSession } from "../../../helpers/trials/session.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { PROOF, type Sizes, sizeInLane } from "../support/lanes.ts";
import { closeAll, web } from "../support/loopback.ts";

/** The number of runs, each with a few trials, for each part of the proof. */
const RUNS: Sizes<number> = { sample: 20, full: 667 };
const TRIALS_PER_RUN = 2;

/** The share of answers that are changed. */
const CHANGED = 0.2;

const STATUSES = [
  200, 201, 202, 203, 204, 206, 301, 304, 400, 401, 403, 404, 405, 409, 410, 415, 422, 500, 502,
];

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  { "content-type": "text/html" },
  { "content-type": "application/problem+json" },
  { "content-type": "" },
  { location: "http://127.0.0.1:9/elsewhere" },
  { "retry-after": "soon" },
  { "content-encoding": "gzip" },
  { "x-count": "many" },
];

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Draws values from one seed, so that a failing run can be repeated. */
const drawer = (seed: number) => {
  let drawn = 0;
  return <Value>(arbitrary: fc.Arbitrary<Value>): Value => {
    drawn += 1;
    return fc.sample(arbitrary, { seed: seed * 100_003 + drawn, numRuns: 1 })[0] as Value;
  };
};

type Draw = ReturnType<typeof drawer>;

const changed = (answer: Answer, draw: Draw): Answer => {
  const kind = draw(fc.constantFrom("status", "header", "body", "place", "place", "place"));
  if (kind === "status") return { ...answer, status: draw(fc.constantFrom(...STATUSES)) };
  if (kind === "header")
    return { ...answer, headers: { ...answer.headers, ...draw(fc.constantFrom(...HEADERS)) } };
  const value = draw(fc.jsonValue());
  if (kind === "body") return { ...answer, text: JSON.stringify(value) };
  try {
    return { ...answer, text: JSON.stringify(replacedSomewhere(JSON.parse(answer.text), value, draw)) };
  } catch {
    return { ...answer, text: "{" };
  }
};

/** Replaces the value at a random place; `undefined` removes it. */
const replacedSomewhere = (node: unknown, value: unknown, draw: Draw): unknown => {
  if (typeof node !== "object" || node === null || draw(fc.integer({ min: 0, max: 3 })) === 0) return value;
  const names = Object.keys(node);
  if (names.length === 0) return value;
  const name = draw(fc.constantFrom(...names));
  const inner = replacedSomewhere((node as Record<string, unknown>)[name], value, draw);
  if (Array.isArray(node)) return node.map((item: unknown, index) => (String(index) === name ? inner : item));
  return { ...node, [name]: inner };
};

test.afterEach(closeAll);

for (const service of services()) {
  test(`trials of ${service} end with verdicts whatever the server answers`, PROOF, async () => {
    const contract = await loadContract(service);
    const trials = await trialsOf(contract);
    const sandbox = await startSandbox({ contracts: [contract] });
    const crashes: string[] = [];
    try {
      for (let seed = 1; seed <= sizeInLane(RUNS); seed++) {
        const draw = drawer(seed);
        const { capabilities, target, release } = await equip(
          targetOf("external", { ...sandbox.environment, ...ALLOWED }, false),
          { seed, external: true },
        );
        const base = target.baseUrls[service] ?? "";
        const url = await web(async (request, response) => {
          const answer = await forwarded(base, request);
          const isChanged = draw(fc.double({ min: 0, max: 1, noNaN: true })) < CHANGED;
          const { status, headers, text } = isChanged ? changed(answer, draw) : answer;
          response.writeHead(status, headers);
          response.end(text);
        });
        const session = openSession({
          target: targetOf("external", { ...target.values, [baseUrlName(service)]: url }, false),
          capabilities,
          contracts: [contract],
          depth: "quick",
          seed,
          prefix: "t0",
        });
        for (let count = 0; count < TRIALS_PER_RUN; count++) {
          const { trial, crash } = await session.run(draw(fc.constantFrom(...trials)));
          if (crash !== undefined) crashes.push(`seed ${seed}, ${trial}: ${crash}`);
        }
        await session.close();
        await closeAll();
        await release();
      }
    } finally {
      await sandbox.close();
    }
    expect(crashes).toEqual([]);
  });
}

const ALLOWED = { ALLOW_DESTRUCTIVE: "true", ALLOW_LOCKING: "true", MAX_BILLABLE_CALLS: "100000" };

const forwarded = async (base: string, request: http.IncomingMessage): Promise<Answer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const {
    host: _,
    connection: __,
    "content-length": ___,
    "transfer-encoding": ____,
    ...headers
  } = request.headers;
  const {
    statusCode,
    headers: received,
    body,
  } = await forward(`${base}${request.url}`, {
    method: (request.method ?? "GET") as "GET",
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  const type = received["content-type"];
  return {
    status: statusCode,
    headers: type === undefined ? {} : { "content-type": String(type) },
    text: await body.text(),
  };
};
