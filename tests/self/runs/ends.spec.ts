/**
 * The ends of processes: of a run that ends by itself, by a signal at a chosen or a random moment, or by a crash, of a command
 * whose npm ends, and of a command that has a folder for temporary files. No process, no folder and no unlisted resource is
 * left, and the results are readable.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { leftoversPath, readLeftovers } from "../../../helpers/run/leftovers.ts";
import { configuration } from "../../../helpers/target/names.ts";
import { type Sandbox, startSandbox } from "../../../mocks/engine/server.ts";
import { certificatePath, readCertificate } from "../../../reports/folder/certificate-file.ts";
import { type SystemProcess, waitingParents } from "../../../runner/command/end-with-npm.ts";
import { financialClient } from "../sandbox/daily/clients.ts";
import { type Command, certify, ROOT, start, temporary } from "../support/command.ts";
import { isInSample, LONG } from "../support/lanes.ts";
import { closeAll, web } from "../support/loopback.ts";
import { below, expectGone, withEnvironment } from "../support/processes.ts";
import { type HoldingProxy, holdingProxy, type Passing } from "./holding-proxy.ts";

const contract = await loadContract("financial-data");
const INCOMPLETE = 3;

let opened: Sandbox | undefined;
/** Returns a sandbox without an admin interface, which each test starts anew. It has one customer of the user. */
const external = async (): Promise<Sandbox> => {
  opened ??= await startSandbox({ plain: true, contracts: [contract] });
  return opened;
};
test.afterEach(async () => {
  await closeAll();
  await opened?.close();
  opened = undefined;
});

const MAKING = (request: Passing): boolean => request.path.endsWith("/customers/testing");
/** Whether the request changes a customer that the run created and knows by its id. */
const CHANGING = (request: Passing): boolean =>
  request.method === "PUT" && /\/customers\/\d+$/.test(request.path);

interface Run {
  readonly child: ChildProcess;
  readonly out: string;
  /** Waits until the run has written this text to stderr. */
  said(text: string): Promise<void>;
  stderr(): string;
  /** The exit code, or the signal that ended the run. */
  readonly ended: Promise<number | string | null>;
}

interface RunOptions {
  /** The default is a requirement whose trial creates a customer and changes it. */
  readonly requirement?: string;
  readonly environment?: Record<string, string>;
  /** Whether the command leads its own process group, as in a terminal. */
  readonly leads?: boolean;
  readonly out?: string;
}

const runThrough = async (
  proxy: HoldingProxy,
  { requirement = "financial-data.ModifyCustomer.success", environment, leads, ...options }: RunOptions = {},
): Promise<Run> => {
  const [sandbox, out] = [await external(), options.out ?? (await temporary())];
  const address = new URL(sandbox.environment.FINANCIAL_DATA_BASE_URL ?? "");
  const selection = ["--service", contract.service, "--requirement", requirement];
  const child = start(
    "certify",
    ["--target", "external", "--depth", "standard", ...selection, "--out", out],
    {
      ...sandbox.environment,
      FINANCIAL_DATA_BASE_URL: `${proxy.origin}${address.pathname}`,
      ...environment,
    },
    { leads: leads === true },
  );
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

const customers = async (): Promise<{ readonly id: string }[]> => {
  const { baseUrls, environment } = await external();
  const client = await financialClient({ baseUrls, credentials: environment }, contract);
  const { json } = await client("GET", "/aggregation/v1/customers?limit=1000");
  return (json as { customers: { id: string }[] }).customers;
};

/** Returns the customers that were made after a list was read. */
const madeAfter = async (before: readonly { readonly id: string }[]): Promise<{ readonly id: string }[]> =>
  (await customers()).filter(({ id }) => before.every((one) => one.id !== id));

const proxied = async (options: Parameters<typeof holdingProxy>[1] = {}): Promise<HoldingProxy> =>
  holdingProxy(`http://127.0.0.1:${(await external()).port}`, options);

const expectIncomplete = ({ out }: Run): void => {
  const certificate = readCertificate(out);
  expect(certificate?.outcome).toBe("incomplete");
  expect(certificate?.requirements).toHaveLength(contract.requirements.length);
};

/** Starts a run, and waits until the proxy holds an answer back. */
const heldRun = async (hold: (request: Passing) => boolean, options: RunOptions = {}) => {
  const before = await customers();
  const proxy = await proxied({ hold });
  const run = await runThrough(proxy, options);
  await proxy.held;
  return { before, proxy, run, processes: below(run.child.pid ?? 0) };
};

/** Returns the secrets of the target that a text contains. */
const secretsIn = (text: string): string[] => {
  const secrets = configuration().flatMap(({ name, secret }) => (secret && opened?.environment[name]) || []);
  expect(secrets.length).toBeGreaterThan(1);
  return secrets.filter((secret) => text.includes(secret));
};

/** Sends a signal as a terminal does: to the command, its child processes and the compiler process. */
const signalAll = ({ child }: Run, signal: NodeJS.Signals): void => {
  process.kill(-(child.pid ?? Number.NaN), signal);
};

test("a run that ends normally leaves only the user's resources, and no earlier certificate at its first request", async () => {
  const before = await customers();
  const out = await temporary();
  await writeFile(certificatePath(out), JSON.stringify({ format: "certificate/1", outcome: "earlier" }));
  const seen: unknown[] = [];
  const refuse = (): undefined => void seen.push(readCertificate(out)?.outcome);
  const proxy = await proxied({ refuse });
  const run = await runThrough(proxy, { out });
  expect(await run.ended).toBe(0);
  expect(seen[0]).toBe("incomplete");
  expect(seen).not.toContain("earlier");
  expect(readCertificate(out)?.outcome).toBe("certified");
  expect(proxy.passed.filter(MAKING)).not.toEqual([]);
  expect(await customers()).toEqual(before);
  expect(run.stderr()).toContain("Removed 1 created resource from the target.");
});

test("a resource that can't be removed is named, and stays in the list", async () => {
  const refuse = ({ method }: Passing) => (method === "DELETE" ? 500 : undefined);
  const proxy = await proxied({ refuse });
  const before = await customers();
  const run = await runThrough(proxy);
  expect(await run.ended).toBe(0);
  const [made] = await madeAfter(before);
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
    expect(await customers()).toEqual(before);
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
  const [made] = await madeAfter(before);
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
    if (command !== undefined) expect(await customers()).toEqual(before);
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
  expect(await customers()).toHaveLength(before.length + 1);
  const [own, ...others] = readLeftovers(run.out);
  expect([own?.target, own?.left, others]).toEqual(["external", [], []]);
  expect(own?.unclear).toMatchObject([{ operationId: "AddTestingCustomer", resources: ["customer"] }]);
});

test("after SIGKILL of all processes, the created resource is listed, without secrets, until it is removed", async () => {
  const { before, run: killed } = await heldRun(CHANGING, { leads: true });
  signalAll(killed, "SIGKILL");
  await killed.ended;
  const made = await madeAfter(before);
  const [left] = readLeftovers(killed.out);
  expect(made).not.toEqual([]);
  expect(left?.left.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  expect(left?.unclear).toEqual([]);
  const text = await readFile(leftoversPath(killed.out), "utf8");
  expect(secretsIn(text)).toEqual([]);

  // A later run into the same folder removes its own resources only, and keeps the earlier entries.
  const later = await runThrough(await proxied(), { out: killed.out });
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
  expect(stderr).toBe(
    "assay.config.yaml: accept\nTrying card-enrollment on the embedded sandbox, standard depth …\n",
  );
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
  const before = await customers();
  const out = await temporary();
  const selection = "--service financial-data --operation AddTestingCustomer,ModifyCustomer,GetCustomer";
  const npm = inBash(`exec npm run --silent certify -- --target external ${selection} --out ${out}`, {
    ...(await external()).environment,
    MAX_REQUESTS_PER_SECOND: "5",
  });
  npm.stdout?.resume();
  npm.stderr?.resume();
  await expect.poll(async () => (await customers()).length).toBeGreaterThan(before.length);
  const processes = below(npm.pid ?? Number.NaN);
  npm.kill("SIGKILL");
  await expectGone(processes);
  expect(await customers()).toEqual(before);
  expect(readCertificate(out)?.outcome).toBe("incomplete");
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

/** How a signal is sent: to the command, or to all processes of its group, as a terminal does. */
interface Way {
  readonly signal: NodeJS.Signals;
  readonly toAll: boolean;
}

const WAYS: readonly Way[] = [
  { signal: "SIGINT", toAll: true },
  { signal: "SIGTERM", toAll: false },
  { signal: "SIGKILL", toAll: true },
  { signal: "SIGKILL", toAll: false },
  { signal: "SIGHUP", toAll: true },
];

/** The time in which processes end. */
const GONE_MS = 3_000;

/** Returns the same numbers between 0 and 1 each time (a linear congruential generator). */
const numbersFrom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};

const delayed = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Sends a signal to a command at a moment, and expects all of its processes to end. */
const endAt = async (
  child: ChildProcess,
  moment: Promise<unknown>,
  { signal, toAll }: Way,
  within = GONE_MS,
) => {
  const ended = once(child, "close");
  const pid = child.pid ?? Number.NaN;
  await Promise.race([moment, ended]);
  const processes = [...below(pid), { pid }, { pid: -pid }];
  try {
    process.kill(toAll ? -pid : pid, signal);
  } catch {
    // The command ended before the signal.
  }
  await ended;
  await expectGone(processes, within);
};

/** The most requests before a signal to a run; it sends more. */
const MOST_REQUESTS = 40;

const nextOfRun = numbersFrom(7);

const RUNS = Array.from({ length: 60 }, (_, index) => ({
  way: WAYS[index % WAYS.length] as Way,
  isCold: index % 6 === 5,
  requests: Math.floor(nextOfRun() * MOST_REQUESTS),
  /** The delay after that request; every fourth signal comes before any request. */
  milliseconds: Math.floor(nextOfRun() * (index % 4 === 0 ? 4_000 : 20)),
  isEarly: index % 4 === 0,
}));

const wordsOf = ({ signal, toAll }: Way): string => `${signal} to ${toAll ? "all processes" : "the command"}`;

for (const [index, { way, isCold, requests, milliseconds, isEarly }] of RUNS.entries()) {
  const when = isEarly
    ? `${milliseconds} ms after the start`
    : `${milliseconds} ms after ${requests} requests`;
  test(`${index + 1}: ${wordsOf(way)}, ${when}${isCold ? ", without a cache" : ""}`, LONG, async () => {
    const before = (await customers()).map(({ id }) => id);
    let tell = (): void => {};
    const reached = new Promise<void>((resolve) => {
      tell = resolve;
    });
    let passed = 0;
    const refuse = (): undefined => {
      passed += 1;
      if (passed > requests) tell();
    };
    const proxy = await proxied({ refuse });
    const cold = test.info().outputPath("cold");
    await mkdir(cold, { recursive: true });
    const run = await runThrough(proxy, {
      requirement: "financial-data.ModifyCustomer.success,financial-data.AddTestingCustomer.success",
      leads: true,
      ...(isCold && { environment: { TMPDIR: cold } }),
    });
    const moment = (isEarly ? Promise.resolve() : reached).then(() => delayed(milliseconds));
    await endAt(run.child, moment, way);
    expect(["incomplete", "certified", undefined]).toContain(readCertificate(run.out)?.outcome);
    const made = (await customers()).map(({ id }) => id).filter((id) => !before.includes(id));
    const entries = readLeftovers(run.out);
    const listed = entries.flatMap(({ left }) => left.map(({ id }) => id));
    const unclear = entries.flatMap((entry) => entry.unclear).length;
    expect(made.filter((id) => !listed.includes(id)).length).toBeLessThanOrEqual(unclear);
  });
}

/** Commands that serve or that notify; `ISSUER` is the address of an issuer. */
const SERVING: readonly (readonly [Command, args: readonly string[]])[] = [
  ["proxy", ["--service", "card-enrollment"]],
  ["proxy", ["--target", "signals", "--service", "installments"]],
  ["mock", ["--port", "0"]],
  ["certify", ["--service", "installments", "--issuer=ISSUER"]],
];

const nextOfCommand = numbersFrom(23);

/** The latest moment of a signal, in milliseconds after the start. */
const LATEST_MS = 5_000;

for (const [name, args] of SERVING)
  for (const way of WAYS) {
    const milliseconds = Math.floor(nextOfCommand() * LATEST_MS);
    test(`${[name, ...args].join(" ")}: ${wordsOf(way)} after ${milliseconds} ms`, LONG, async () => {
      const address = await web((request, response) => {
        request.resume().once("end", () => setTimeout(() => response.writeHead(204).end(), 50));
      });
      const out = await temporary();
      const given = args.map((one) => one.replace("ISSUER", address));
      const environment = { INSTALLMENTS_BASE_URL: `${address}/installments` };
      const child = start(
        name,
        [...given, ...(name === "mock" ? [] : ["--out", out])],
        args.includes("--target") ? environment : {},
        { leads: true },
      );
      child.stdout.resume();
      child.stderr.resume();
      await endAt(child, delayed(milliseconds), way);
      expect(["incomplete", "certified", "violations", undefined]).toContain(readCertificate(out)?.outcome);
    });
  }

const DOCUMENT = fileURLToPath(
  new URL("../../../extensions/document/tests/documents/drafts.yaml", import.meta.url),
);
/** Nothing listens at this address. */
const NOWHERE = ["--url", "http://127.0.0.1:9"];

/** Commands, and the part of a folder's name for which the signal waits. */
const FOLDERS: readonly (readonly [Command, args: readonly string[], awaited: string])[] = [
  ["mock", ["--document", DOCUMENT], "document"],
  ["proxy", ["--document", DOCUMENT, ...NOWHERE], "document"],
  ["certify", ["--document", DOCUMENT, ...NOWHERE, "--plan"], "document"],
  ["certify", ["--service", "card-enrollment", "--plan"], "plan"],
  ["certify", ["--service", "card-enrollment", "--plan"], "scratch"],
  ["certify", ["--service", "card-enrollment"], "scratch"],
  ["bench", ["goals"], "bench"],
];

const AWAITED = FOLDERS.flatMap((row) =>
  (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => [...row, signal] as const),
);

for (const [index, [name, args, awaited, signal]] of AWAITED.entries()) {
  const options = args.filter((one) => one.startsWith("--"));
  const words = `${[name, ...options].join(" ")}, ended by ${signal} when it has the folder ${awaited}, leaves no folder`;
  test(words, isInSample(index, 10) ? {} : LONG, async () => {
    const TMPDIR = test.info().outputPath("temporary");
    await mkdir(TMPDIR);
    const folders = (): string[] => readdirSync(TMPDIR).filter((one) => one.startsWith("assay-"));
    const out = name === "certify" || name === "proxy" ? ["--out", test.info().outputPath("out")] : [];
    const child = start(name, [...args, ...out], { TMPDIR }, { leads: true });
    child.stdout.resume();
    child.stderr.resume();
    const hasFolder = expect
      .poll(folders, { intervals: [10] })
      .toContainEqual(expect.stringContaining(awaited));
    await endAt(child, hasFolder, { signal, toAll: true }, 60_000);
    expect(folders()).toEqual([]);
  });
}
