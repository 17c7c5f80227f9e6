/**
 * After every kind of end, a run leaves a readable certificate, no process, and none of its resources on the target.
 */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { leftoversPath, readLeftovers } from "../../../helpers/run/leftovers.ts";
import type { Sandbox } from "../../../mocks/engine/server.ts";
import { certificatePath, readCertificate } from "../../../reports/folder/certificate-file.ts";
import { start, temporary } from "../support/command.ts";
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
  runThrough,
} from "./held-run.ts";
import { holdingProxy, type Passing } from "./holding-proxy.ts";

let sandbox: Sandbox;

test.beforeEach(async () => {
  sandbox = await externalServer();
});
test.afterEach(async () => {
  await closeAll();
  await sandbox.close();
});

test("a run that ends normally leaves only the user's resources, and no earlier certificate at its first request", async () => {
  const before = await customersOf(sandbox);
  const out = await temporary();
  await writeFile(certificatePath(out), JSON.stringify({ format: "certificate/1", outcome: "earlier" }));
  const seen: unknown[] = [];
  const refuse = (): undefined => void seen.push(readCertificate(out)?.outcome);
  const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`, { refuse });
  const run = await runThrough(proxy, sandbox, { out });
  expect(await run.ended).toBe(0);
  expect(seen[0]).toBe("incomplete");
  expect(seen).not.toContain("earlier");
  expect(readCertificate(out)?.outcome).toBe("certified");
  expect(proxy.passed.filter(MAKING)).not.toEqual([]);
  expect(await customersOf(sandbox)).toEqual(before);
  expect(run.stderr()).toContain("Removed 1 created resource from the target.");
});

test("a resource that can't be removed is named, and stays in the list", async () => {
  const refuse = ({ method }: Passing) => (method === "DELETE" ? 500 : undefined);
  const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`, { refuse });
  const before = await customersOf(sandbox);
  const run = await runThrough(proxy, sandbox);
  expect(await run.ended).toBe(0);
  const [made] = await madeAfter(before, sandbox);
  expect(run.stderr()).toContain(`financial-data: customer ${made?.id} (DeleteCustomer answered 500)`);
  expect(readLeftovers(run.out)).toMatchObject([
    { left: [{ id: made?.id, resource: "customer" }], unclear: [] },
  ]);
  expect(run.stderr()).toContain(leftoversPath(run.out));
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`${signal} leaves a certificate and removes even a resource that was being created`, async () => {
    const before = await customersOf(sandbox);
    const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`, { hold: MAKING });
    const run = await runThrough(proxy, sandbox);
    await proxy.held;
    const processes = below(run.child.pid ?? 0);
    run.child.kill(signal);
    await run.said("Stopping and cleaning up.");
    proxy.release();
    expect(await run.ended).toBe(INCOMPLETE);
    expectIncomplete(run);
    expect(readCertificate(run.out)?.problems).toEqual(["The run was interrupted."]);
    expect(await customersOf(sandbox)).toEqual(before);
    await expectGone(processes);
  });
}

test("a second SIGINT ends the run immediately and names the remaining resources", async () => {
  const before = await customersOf(sandbox);
  let count = 0;
  const hold = (request: Passing): boolean => MAKING(request) && ++count === 2;
  const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`, { hold });
  const run = await runThrough(proxy, sandbox, {
    requirement: "financial-data.AddTestingCustomer.success",
  });
  await proxy.held;
  const processes = below(run.child.pid ?? 0);
  run.child.kill("SIGINT");
  await run.said("Stopping and cleaning up.");
  // The run ignores a signal that closely follows the first one, because it may be a copy of the first.
  const again = setInterval(() => run.child.kill("SIGINT"), 50);
  expect(await run.ended).toBe(INCOMPLETE);
  clearInterval(again);
  expectIncomplete(run);
  const [made] = await madeAfter(before, sandbox);
  expect(run.stderr()).toContain(`financial-data: customer ${made?.id} (the run was ended)`);
  await expectGone(processes);
});

test("SIGKILL leaves a certificate and no process", async () => {
  const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`, { hold: CHANGING });
  const run = await runThrough(proxy, sandbox);
  await proxy.held;
  const processes = below(run.child.pid ?? 0);
  expect(processes.length).toBeGreaterThanOrEqual(2);
  run.child.kill("SIGKILL");
  await expectGone(processes);
  expectIncomplete(run);
});

/** The test runner is the command's child, and a worker is the test runner's child. */
const RUNNER = /cli\.js test/;
const WORKER = /workerProcessEntry|common\/process/;

for (const [name, command] of [
  ["the test runner", RUNNER],
  ["a worker", WORKER],
] as const) {
  test(`SIGKILL of ${name} leaves a certificate and none of the run's resources`, async () => {
    const before = await customersOf(sandbox);
    const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`, { hold: CHANGING });
    const run = await runThrough(proxy, sandbox);
    await proxy.held;
    const processes = below(run.child.pid ?? 0);
    const victim = processes.find((one) => command.test(one.command));
    process.kill(victim?.pid ?? Number.NaN, "SIGKILL");
    expect(await run.ended).toBe(INCOMPLETE);
    expectIncomplete(run);
    expect(await customersOf(sandbox)).toEqual(before);
    await expectGone(processes);
  });
}

test("a refused run and a run killed while it loads leave no process", async () => {
  const refused = start("certify", ["--operation", "Nope"], {}, { leads: true });
  const [code] = await once(refused, "exit");
  expect(code).toBe(2);
  const killed = start("certify", ["--out", await temporary()], {}, { leads: true });
  await expect.poll(() => below(killed.pid as number)).not.toEqual([]);
  killed.kill("SIGKILL");
  await expectGone([refused, killed].map(({ pid }) => ({ pid: -(pid as number) })));
});
