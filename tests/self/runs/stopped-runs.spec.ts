/**
 * Stops a run with all its processes, as a terminal does. The run then leaves no resources, or lists the resources that
 * it leaves.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { leftoversPath, readLeftovers } from "../../../helpers/run/leftovers.ts";
import { configuration } from "../../../helpers/target/names.ts";
import type { Sandbox } from "../../../mocks/engine/server.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { below, expectGone } from "../support/processes.ts";
import {
  CHANGING,
  customersOf,
  expectIncomplete,
  externalServer,
  INCOMPLETE,
  MAKING,
  madeAfter,
  type Run,
  runThrough,
} from "./held-run.ts";
import { holdingProxy } from "./holding-proxy.ts";

let sandbox: Sandbox;

test.beforeEach(async () => {
  sandbox = await externalServer();
});
test.afterEach(async () => {
  await closeAll();
  await sandbox.close();
});

const origin = (): string => `http://127.0.0.1:${sandbox.port}`;

/** Sends a signal as a terminal does: to the command, its child processes and the compiler process. */
const signalAll = ({ child }: Run, signal: NodeJS.Signals): void => {
  process.kill(-(child.pid ?? Number.NaN), signal);
};

/** Creates an empty folder for temporary files, in which the loader and the test runner cache compiled code. */
const coldCache = async (): Promise<Record<string, string>> => {
  const folder = test.info().outputPath("cold");
  await mkdir(folder, { recursive: true });
  return { TMPDIR: folder };
};

/** The signals and when they are sent. The workers outlive SIGINT and still read the response of a pending call. */
const STOPS = [
  { signal: "SIGINT", hold: MAKING, lane: {} },
  { signal: "SIGINT", hold: CHANGING, lane: LONG },
  { signal: "SIGHUP", hold: CHANGING, lane: LONG },
] as const;

for (const { signal, hold, lane } of STOPS) {
  const when = hold === MAKING ? "while something is being made" : "after something was made";
  test(
    `${signal} to all processes ${when} removes it, with a loader that has compiled nothing before`,
    lane,
    async () => {
      const before = await customersOf(sandbox);
      const proxy = await holdingProxy(origin(), { hold });
      const run = await runThrough(proxy, sandbox, { leads: true, environment: await coldCache() });
      await proxy.held;
      const processes = below(run.child.pid ?? 0);
      expect(await readFile(leftoversPath(run.out), "utf8")).toContain("AddTestingCustomer");
      signalAll(run, signal);
      await run.said("Stopping and cleaning up.");
      proxy.release();
      expect([await run.ended, run.stderr()]).toEqual([
        INCOMPLETE,
        expect.stringContaining("Removed 1 created resource "),
      ]);
      expectIncomplete(run);
      expect(await customersOf(sandbox)).toEqual(before);
      expect(existsSync(leftoversPath(run.out))).toBe(false);
      await expectGone(processes);
    },
  );
}

test("after SIGKILL of all processes while a resource is being created, the call is listed", async () => {
  const before = await customersOf(sandbox);
  const proxy = await holdingProxy(origin(), { hold: MAKING });
  const run = await runThrough(proxy, sandbox, { leads: true });
  await proxy.held;
  signalAll(run, "SIGKILL");
  await run.ended;
  expect(await customersOf(sandbox)).toHaveLength(before.length + 1);
  const [own, ...others] = readLeftovers(run.out);
  expect([own?.target, own?.left, others]).toEqual(["external", [], []]);
  expect(own?.unclear).toMatchObject([{ operationId: "AddTestingCustomer", resources: ["customer"] }]);
});

test("after SIGKILL of all processes, the created resource is listed, without secrets, until it is removed", async () => {
  const before = await customersOf(sandbox);
  const proxy = await holdingProxy(origin(), { hold: CHANGING });
  const killed = await runThrough(proxy, sandbox, { leads: true });
  await proxy.held;
  signalAll(killed, "SIGKILL");
  await killed.ended;
  const made = await madeAfter(before, sandbox);
  const [left] = readLeftovers(killed.out);
  expect(made).not.toEqual([]);
  expect(left?.left.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  expect(left?.unclear).toEqual([]);
  const text = await readFile(leftoversPath(killed.out), "utf8");
  const secrets = configuration().flatMap(({ name, secret }) => (secret && sandbox.environment[name]) || []);
  expect(secrets.length).toBeGreaterThan(1);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);

  // A later run into the same folder removes its own resources only, and keeps the earlier entries.
  const later = await runThrough(await holdingProxy(origin()), sandbox, { out: killed.out });
  expect([await later.ended, later.stderr()]).toEqual([0, expect.stringContaining("Earlier runs left")]);
  expect(readLeftovers(killed.out)).toEqual([left]);
});
