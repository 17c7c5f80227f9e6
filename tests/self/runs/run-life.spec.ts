/**
 * After every kind of end, a run leaves a readable certificate, no process, and none of its resources on the target, or
 * lists the resources that it leaves. Its plan of any size reaches its processes, whose environment contains no secret.
 */
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { leftoversPath, readLeftovers } from "../../../helpers/run/leftovers.ts";
import { configuration } from "../../../helpers/target/names.ts";
import type { Sandbox } from "../../../mocks/engine/server.ts";
import { certificatePath, readCertificate } from "../../../reports/folder/certificate-file.ts";
import { certify, start, temporary } from "../support/command.ts";
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
  type RunOptions,
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

const origin = (): string => `http://127.0.0.1:${sandbox.port}`;

/** Starts a run, and waits until the proxy holds an answer back. */
const heldRun = async (hold: (request: Passing) => boolean, options: RunOptions = {}) => {
  const before = await customersOf(sandbox);
  const proxy = await holdingProxy(origin(), { hold });
  const run = await runThrough(proxy, sandbox, options);
  await proxy.held;
  return { before, proxy, run, processes: below(run.child.pid ?? 0) };
};

/** Returns the secrets of the target that a text contains. */
const secretsIn = (text: string): string[] => {
  const secrets = configuration().flatMap(({ name, secret }) => (secret && sandbox.environment[name]) || []);
  expect(secrets.length).toBeGreaterThan(1);
  return secrets.filter((secret) => text.includes(secret));
};

/** Sends a signal as a terminal does: to the command, its child processes and the compiler process. */
const signalAll = ({ child }: Run, signal: NodeJS.Signals): void => {
  process.kill(-(child.pid ?? Number.NaN), signal);
};

test("a run that ends normally leaves only the user's resources, and no earlier certificate at its first request", async () => {
  const before = await customersOf(sandbox);
  const out = await temporary();
  await writeFile(certificatePath(out), JSON.stringify({ format: "certificate/1", outcome: "earlier" }));
  const seen: unknown[] = [];
  const refuse = (): undefined => void seen.push(readCertificate(out)?.outcome);
  const proxy = await holdingProxy(origin(), { refuse });
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
  const proxy = await holdingProxy(origin(), { refuse });
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

/** Creates an empty folder for temporary files, in which the loader and the test runner cache compiled code. */
const coldCache = async (): Promise<Record<string, string>> => {
  const folder = test.info().outputPath("cold");
  await mkdir(folder, { recursive: true });
  return { TMPDIR: folder };
};

/**
 * The signals, to the command or to all of its processes as a terminal does, and when they are sent. The workers outlive
 * SIGINT and still read the response of a pending call.
 */
const STOPS = [
  { signal: "SIGINT", to: "the command", hold: MAKING, lane: {} },
  { signal: "SIGTERM", to: "the command", hold: MAKING, lane: {} },
  { signal: "SIGINT", to: "all processes", hold: MAKING, lane: {} },
  { signal: "SIGINT", to: "all processes", hold: CHANGING, lane: LONG },
  { signal: "SIGHUP", to: "all processes", hold: CHANGING, lane: LONG },
] as const;

for (const { signal, to, hold, lane } of STOPS) {
  const when = hold === MAKING ? "while something is being made" : "after something was made";
  const isToAll = to === "all processes";
  const cache = isToAll ? ", with a loader that has compiled nothing before" : "";
  test(`${signal} to ${to} ${when} leaves a certificate and removes it${cache}`, lane, async () => {
    const environment = isToAll ? await coldCache() : {};
    const { before, proxy, run, processes } = await heldRun(hold, { leads: isToAll, environment });
    expect(await readFile(leftoversPath(run.out), "utf8")).toContain("AddTestingCustomer");
    if (isToAll) signalAll(run, signal);
    else run.child.kill(signal);
    await run.said("Stopping and cleaning up.");
    proxy.release();
    expect([await run.ended, run.stderr()]).toEqual([
      INCOMPLETE,
      expect.stringContaining("Removed 1 created resource "),
    ]);
    expectIncomplete(run);
    // Among all processes, another one may be the first that tells of its end.
    if (!isToAll) expect(readCertificate(run.out)?.problems).toEqual(["The run was interrupted."]);
    expect(await customersOf(sandbox)).toEqual(before);
    expect(existsSync(leftoversPath(run.out))).toBe(false);
    await expectGone(processes);
  });
}

test("a second SIGINT ends the run immediately and names the remaining resources", async () => {
  let count = 0;
  const { before, run, processes } = await heldRun((request) => MAKING(request) && ++count === 2, {
    requirement: "financial-data.AddTestingCustomer.success",
  });
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

/** The test runner is the command's child, and a worker is the test runner's child. */
const VICTIMS = {
  "the command": undefined,
  "the test runner": /cli\.js test/,
  "a worker": /workerProcessEntry|common\/process/,
};

for (const [name, command] of Object.entries(VICTIMS)) {
  test(`SIGKILL of ${name} leaves a certificate and no process`, async () => {
    const { before, run, processes } = await heldRun(CHANGING);
    expect(processes.length).toBeGreaterThanOrEqual(2);
    const victim = command === undefined ? run.child : processes.find((one) => command.test(one.command));
    process.kill(victim?.pid ?? Number.NaN, "SIGKILL");
    expect(await run.ended).toBe(command === undefined ? "SIGKILL" : INCOMPLETE);
    await expectGone(processes);
    expectIncomplete(run);
    // A command that is killed removes nothing.
    if (command !== undefined) expect(await customersOf(sandbox)).toEqual(before);
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

test("after SIGKILL of all processes while a resource is being created, the call is listed", async () => {
  const { before, run } = await heldRun(MAKING, { leads: true });
  signalAll(run, "SIGKILL");
  await run.ended;
  expect(await customersOf(sandbox)).toHaveLength(before.length + 1);
  const [own, ...others] = readLeftovers(run.out);
  expect([own?.target, own?.left, others]).toEqual(["external", [], []]);
  expect(own?.unclear).toMatchObject([{ operationId: "AddTestingCustomer", resources: ["customer"] }]);
});

test("after SIGKILL of all processes, the created resource is listed, without secrets, until it is removed", async () => {
  const { before, run: killed } = await heldRun(CHANGING, { leads: true });
  signalAll(killed, "SIGKILL");
  await killed.ended;
  const made = await madeAfter(before, sandbox);
  const [left] = readLeftovers(killed.out);
  expect(made).not.toEqual([]);
  expect(left?.left.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  expect(left?.unclear).toEqual([]);
  const text = await readFile(leftoversPath(killed.out), "utf8");
  expect(secretsIn(text)).toEqual([]);

  // A later run into the same folder removes its own resources only, and keeps the earlier entries.
  const later = await runThrough(await holdingProxy(origin()), sandbox, { out: killed.out });
  expect([await later.ended, later.stderr()]).toEqual([0, expect.stringContaining("Earlier runs left")]);
  expect(readLeftovers(killed.out)).toEqual([left]);
});

test("a run accepts an accept list that is larger than the maximum size of an environment", async () => {
  const requirement = "card-enrollment.auth.whole-interface";
  const reason = "known since the last release, and to be fixed in the next one: see the ticket about it";
  const entries = Array.from({ length: 1_000 }, (_, index) => ({
    fingerprint: `card-enrollment.auth.401-on-failed-check@${index.toString(16).padStart(12, "0")}`,
    owner: "somebody@example.com",
    reason: `${reason}\n`.repeat(25),
    expires: "2099-12-31",
  }));
  const file = test.info().outputPath("accept.yaml");
  // JSON is YAML.
  await writeFile(file, JSON.stringify(entries));
  expect(JSON.stringify(entries).length).toBeGreaterThan(2 ** 21);
  const args = ["--service", "card-enrollment", "--requirement", requirement, `--accept=${file}`];
  const { code, certificate, stderr } = await certify(args);
  expect([code, certificate.outcome]).toEqual([0, "certified"]);
  expect(stderr).toBe("Trying card-enrollment on the embedded sandbox, standard depth …\n");
  expect(certificate.accepted?.entries).toHaveLength(entries.length);
});

test("no process of a run has a credential in its environment", async () => {
  test.skip(!existsSync("/proc/self/environ"), "the environment of another process can't be read here");
  const { proxy, run, processes } = await heldRun(MAKING);
  // The loader's compiler starts before the product's code, with the environment of the command itself.
  const ours = processes.filter(({ command }) => !command.includes("esbuild"));
  // At least the test runner and one worker.
  expect(ours.length).toBeGreaterThanOrEqual(2);
  for (const { pid, command } of ours) {
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
    expect(secretsIn(environment), command).toEqual([]);
    const [, plan] = /(?:^|\0)ASSAY_RUN=([^\0]*)/.exec(environment) ?? [];
    expect(plan ?? "1:0").toMatch(/^\d+:[\da-f-]+$/);
  }
  proxy.release();
  expect(await run.ended).toBe(0);
});
