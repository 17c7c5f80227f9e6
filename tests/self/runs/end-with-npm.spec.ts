/** A command that npm started ends with npm, and one that was started to outlive its script stays. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { expect, test } from "@playwright/test";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { type SystemProcess, waitingParents } from "../../../runner/command/end-with-npm.ts";
import { ROOT, temporary } from "../support/command.ts";
import { below, expectGone, withEnvironment } from "../support/processes.ts";
import { customersOf, externalServer } from "./held-run.ts";

const MOCK = "npm run --silent mock -- --service installments";

/** Marks all processes that this file starts, because some outlive their parents. */
const MARK = `STARTED_BY_TEST=${randomUUID()}`;

test.afterEach(() => {
  for (const { pid } of withEnvironment(MARK)) {
    try {
      process.kill(pid);
    } catch {
      // It has ended.
    }
  }
});

test.afterAll(() => expectGone(withEnvironment(MARK)));

const inBash = (line: string, environment: Record<string, string> = {}): ChildProcess =>
  spawn("bash", ["-c", line], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NO_COLOR: "1",
      ...Object.fromEntries([MARK.split("=")]),
      ...environment,
    },
  });

/** Returns the base URL of the sandbox that a process starts, when it is ready. */
const baseUrlFrom = async ({ stdout }: ChildProcess): Promise<string> => {
  const [line] = await once(stdout?.setEncoding("utf8") as NodeJS.ReadableStream, "data");
  return (JSON.parse(line) as { baseUrls: { installments: string } }).baseUrls.installments;
};

/** Starts a sandbox through npm, kills npm with a signal, and waits until the sandbox has noticed it. */
const endWithNpm = async (line: string, signal: NodeJS.Signals): Promise<void> => {
  const npm = inBash(`exec ${line}`);
  await baseUrlFrom(npm);
  const processes = below(npm.pid ?? Number.NaN);
  expect(processes).not.toEqual([]);
  npm.kill(signal);
  await expectGone(processes);
};

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  test(`mock ends when npm run is ended by ${signal}`, () => endWithNpm(MOCK, signal));
}

test("mock ends when npx is ended", () =>
  endWithNpm('npm exec -c "node bin/start.cjs mock --service installments"', "SIGKILL"));

test("certify ends when npm is ended, and removes what it created", async () => {
  const sandbox = await externalServer();
  const before = await customersOf(sandbox);
  const out = await temporary();
  const selection = "--service financial-data --operation AddTestingCustomer,ModifyCustomer,GetCustomer";
  const npm = inBash(`exec npm run --silent certify -- --target external ${selection} --out ${out}`, {
    ...sandbox.environment,
    MAX_REQUESTS_PER_SECOND: "5",
  });
  npm.stdout?.resume();
  npm.stderr?.resume();
  await expect.poll(async () => (await customersOf(sandbox)).length).toBeGreaterThan(before.length);
  const processes = below(npm.pid ?? Number.NaN);
  npm.kill("SIGKILL");
  await expectGone(processes);
  expect(await customersOf(sandbox)).toEqual(before);
  expect(readCertificate(out)?.outcome).toBe("incomplete");
  await sandbox.close();
});

/** Ways to start a sandbox that outlives its starter. */
const STAYING = {
  "a script of npm that ends": `npm exec -c "node bin/start.cjs mock --service installments & true"`,
  "a script that ends, and npm does not": `${MOCK} & true`,
  "nohup in a script of npm": `npm exec -c "nohup node bin/start.cjs mock --service installments & true"`,
  "setsid in a script of npm": `npm exec -c "setsid node bin/start.cjs mock --service installments & true"`,
} as const;

for (const [about, line] of Object.entries(STAYING)) {
  test(`mock stays after ${about}`, async () => {
    const script = inBash(`${line}; read`);
    const baseUrl = await baseUrlFrom(script);
    script.stdin?.end("\n");
    await once(script, "exit");
    // Until another sandbox has noticed the end of its npm, this one had the time to notice its own.
    await endWithNpm(MOCK, "SIGKILL");
    expect((await fetch(`${baseUrl}/`)).status).toBe(404);
  });
}

const NPM: SystemProcess = { parent: 50, title: "npm run mock", isDetached: false };
const SHELL: SystemProcess = { parent: 20, title: "sh -c node bin/start.cjs mock", isDetached: false };
const COMMAND: SystemProcess = { parent: 30, title: "node bin/start.cjs mock", isDetached: false };

/** The processes that a command finds at its start, by id, and the parents that wait for it. */
const CHAINS: readonly (readonly [string, Readonly<Record<number, SystemProcess>>, readonly number[]])[] = [
  ["npm and a shell", { 20: NPM, 30: SHELL, 40: COMMAND }, [30, 20]],
  ["npm, whose shell became the command", { 20: NPM, 40: { ...COMMAND, parent: 20 } }, [20]],
  ["npx", { 20: { ...NPM, title: "npx assay mock" }, 40: { ...COMMAND, parent: 20 } }, [20]],
  ["a shell without npm", { 20: { ...NPM, title: "bash" }, 30: SHELL, 40: COMMAND }, []],
  ["a program that starts it", { 20: NPM, 30: { ...SHELL, title: "node tests.js" }, 40: COMMAND }, []],
  ["parent 1", { 1: NPM, 40: { ...COMMAND, parent: 1 } }, []],
  ["a shell with parent 1", { 1: NPM, 30: { ...SHELL, parent: 1 }, 40: COMMAND }, []],
  ["parent 0, which is in another container", { 40: { ...COMMAND, parent: 0 } }, []],
  ["a parent that has ended", { 40: COMMAND }, []],
  ["nohup", { 20: NPM, 30: SHELL, 40: { ...COMMAND, isDetached: true } }, []],
];

for (const [about, processes, waiting] of CHAINS) {
  test(`a command under ${about} ends with ${waiting.length} of its parents`, () => {
    const lookUp = (pid: number) => processes[pid];
    expect(waitingParents(40, lookUp)).toEqual(waiting);
  });
}
