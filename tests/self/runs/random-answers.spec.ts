/** Random answers of a server end in verdicts, never in an exception of a trial. */
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { equip } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { baseUrlName } from "../../../helpers/target/names.ts";
import { openSession } from "../../../helpers/trials/session.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { hostileService, type Reply } from "../hostile/hostile-server.ts";
import { ALLOWED } from "../support/in-process.ts";
import { PROOF, type Sizes, sizeInLane } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";

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

/** Draws values from one seed, so that a failing run can be repeated. */
const drawer = (seed: number) => {
  let drawn = 0;
  return <Value>(arbitrary: fc.Arbitrary<Value>): Value => {
    drawn += 1;
    return fc.sample(arbitrary, { seed: seed * 100_003 + drawn, numRuns: 1 })[0] as Value;
  };
};

type Draw = ReturnType<typeof drawer>;

const changed = (reply: Reply, draw: Draw): Reply => {
  const kind = draw(fc.constantFrom("status", "header", "body", "place", "place", "place"));
  if (kind === "status") return { ...reply, status: draw(fc.constantFrom(...STATUSES)) };
  if (kind === "header")
    return { ...reply, headers: { ...reply.headers, ...draw(fc.constantFrom(...HEADERS)) } };
  const value = draw(fc.jsonValue());
  if (kind === "body") return { ...reply, body: JSON.stringify(value) };
  try {
    const json: unknown = JSON.parse(String(reply.body));
    return { ...reply, body: JSON.stringify(replacedSomewhere(json, value, draw)) ?? "" };
  } catch {
    return { ...reply, body: "{" };
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
        const url = await hostileService(target.baseUrls[service], async (_, correct) => {
          const { headers, ...others } = await correct();
          const reply = { ...others, headers: { "content-type": headers["content-type"] ?? "" } };
          const isChanged = draw(fc.double({ min: 0, max: 1, noNaN: true })) < CHANGED;
          return isChanged ? changed(reply, draw) : reply;
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
