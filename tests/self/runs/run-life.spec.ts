/** However a run ends, it leaves a readable certificate and no process, and on the target nothing that it made. */
import { type ChildProcess, execFileSync } from "node:child_process";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { type Sandbox, startSandbox } from "../../../mocks/engine/server.ts";
import { readCertificate } from "../../../reports/certificate-file.ts";
import { clientOf } from "../sandbox/financial-data/client.ts";
import { start, temporary } from "../support/command.ts";
import { closeAll } from "../support/loopback.ts";
import { type HoldingProxy, holdingProxy, type Passing } from "./holding-proxy.ts";

const contract = await loadContract("financial-data");
const INCOMPLETE = 3;

/** A stranger's server: it has no admin interface, and one customer, which is the user's. */
let sandbox: Sandbox;

test.beforeEach(async () => {
  const options = { services: [contract.service], port: 0, seed: 1, faults: [], plain: true } as const;
  sandbox = await startSandbox({ ...options, contracts: [contract] });
});
test.afterEach(async () => {
  await closeAll();
  await sandbox.close();
});

const MAKING = (request: Passing): boolean => request.path.endsWith("/customers/testing");
/** After a customer was made for it, whose id the run knows. */
const CHANGING = (request: Passing): boolean =>
  request.method === "PUT" && /\/customers\/\d+$/.test(request.path);

interface Run {
  readonly child: ChildProcess;
  readonly out: string;
  /** Comes when the run has said so on stderr. */
  said(text: string): Promise<void>;
  stderr(): string;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
}

/** One trial; unless said otherwise one that makes a customer and changes it. */
const runThrough = async (
  proxy: HoldingProxy,
  requirement = "financial-data.ModifyCustomer.success",
): Promise<Run> => {
  const out = await temporary();
  const address = new URL(sandbox.environment.FINANCIAL_DATA_BASE_URL ?? "");
  const args = ["--service", contract.service, "--requirement", requirement];
  const child = start("certify", ["--target", "stranger", ...args, "--out", out], {
    ...sandbox.environment,
    FINANCIAL_DATA_BASE_URL: `${proxy.origin}${address.pathname}`,
  });
  let stderr = "";
  child.stdout.resume();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | string | null>((resolve) =>
    child.once("close", (code, signal) => resolve(code ?? signal)),
  );
  const said = async (text: string): Promise<void> => {
    while (!stderr.includes(text)) {
      await new Promise((resolve) => child.stderr.once("data", resolve).once("end", resolve));
      if (child.stderr.readableEnded && !stderr.includes(text)) throw new Error(`It ended with: ${stderr}`);
    }
  };
  return { child, out, said, stderr: () => stderr, ended };
};

const customers = async (): Promise<unknown[]> => {
  const client = await clientOf(contract, sandbox.environment);
  const { json } = await client.operate("GetCustomers");
  return (json as { customers: unknown[] }).customers;
};

const expectIncomplete = ({ out }: Run): void => {
  const certificate = readCertificate(out);
  expect(certificate?.outcome).toBe("incomplete");
  expect(certificate?.requirements).toHaveLength(contract.requirements.length);
};

/** Processes that the run has started, and those that these have started. */
const below = (pid: number): { readonly pid: number; readonly command: string }[] => {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
  const children = rows.filter(([, , parent]) => Number(parent) === pid);
  return children.flatMap(([, child, , command = ""]) => [
    { pid: Number(child), command },
    ...below(Number(child)),
  ]);
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const expectGone = async (processes: readonly { readonly pid: number }[]): Promise<void> => {
  await expect.poll(() => processes.filter(({ pid }) => isAlive(pid)), { timeout: 60_000 }).toEqual([]);
};

test("a run that ends by itself removes what it made, and leaves what is the user's as it was", async () => {
  const before = await customers();
  const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`);
  const run = await runThrough(proxy);
  expect(await run.ended).toBe(0);
  expect(proxy.passed.filter(MAKING)).not.toEqual([]);
  expect(await customers()).toEqual(before);
  expect(run.stderr()).toContain("Removed from the target what the run had made there: 1 thing.");
});

test("what can't be removed is named", async () => {
  const refuse = ({ method }: Passing) => (method === "DELETE" ? 500 : undefined);
  const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`, { refuse });
  const run = await runThrough(proxy);
  expect(await run.ended).toBe(0);
  const [, made] = (await customers()) as { id: string }[];
  expect(run.stderr()).toContain(`financial-data: customer ${made?.id} (DeleteCustomer answered 500)`);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`${signal} leaves a certificate, and removes even what was being made`, async () => {
    const before = await customers();
    const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`, { hold: MAKING });
    const run = await runThrough(proxy);
    await proxy.held;
    const processes = below(run.child.pid ?? 0);
    run.child.kill(signal);
    await run.said("The run is broken off.");
    proxy.release();
    expect(await run.ended).toBe(INCOMPLETE);
    expectIncomplete(run);
    expect(readCertificate(run.out)?.problems).toEqual(["The run was interrupted."]);
    expect(await customers()).toEqual(before);
    await expectGone(processes);
  });
}

test("a second SIGINT ends the run at once, and names what is left", async () => {
  let count = 0;
  const hold = (request: Passing): boolean => MAKING(request) && ++count === 2;
  const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`, { hold });
  const run = await runThrough(proxy, "financial-data.AddTestingCustomer.success");
  await proxy.held;
  const processes = below(run.child.pid ?? 0);
  run.child.kill("SIGINT");
  await run.said("The run is broken off.");
  // What follows closely is taken for an echo of the first.
  const again = setInterval(() => run.child.kill("SIGINT"), 50);
  expect(await run.ended).toBe(INCOMPLETE);
  clearInterval(again);
  expectIncomplete(run);
  const [, made] = (await customers()) as { id: string }[];
  expect(run.stderr()).toContain(`financial-data: customer ${made?.id} (the run was ended)`);
  await expectGone(processes);
});

test("SIGKILL leaves a certificate, and no process", async () => {
  const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`, { hold: CHANGING });
  const run = await runThrough(proxy);
  await proxy.held;
  const processes = below(run.child.pid ?? 0);
  expect(processes.length).toBeGreaterThanOrEqual(2);
  run.child.kill("SIGKILL");
  await expectGone(processes);
  expectIncomplete(run);
});

/** The test runner is the command's child, and a worker the child of that. */
const RUNNER = /cli\.js test/;
const WORKER = /workerProcessEntry|common\/process/;

for (const [name, command] of [
  ["the test runner", RUNNER],
  ["a worker", WORKER],
] as const) {
  test(`SIGKILL of ${name} leaves a certificate, and nothing that was made`, async () => {
    const before = await customers();
    const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`, { hold: CHANGING });
    const run = await runThrough(proxy);
    await proxy.held;
    const processes = below(run.child.pid ?? 0);
    const victim = processes.find((one) => command.test(one.command));
    process.kill(victim?.pid ?? Number.NaN, "SIGKILL");
    expect(await run.ended).toBe(INCOMPLETE);
    expectIncomplete(run);
    expect(await customers()).toEqual(before);
    await expectGone(processes);
  });
}
