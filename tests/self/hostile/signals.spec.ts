/**
 * Signals at random moments, and while a command has a folder for temporary files: no process, no unlisted resource on the
 * target and no such folder is left, and the results are readable.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { readLeftovers } from "../../../helpers/run/leftovers.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { customersOf, externalServer, runThrough } from "../runs/held-run.ts";
import { holdingProxy } from "../runs/holding-proxy.ts";
import { type Command, start, temporary } from "../support/command.ts";
import { isInSample, LONG } from "../support/lanes.ts";
import { closeAll, web } from "../support/loopback.ts";
import { below, expectGone } from "../support/processes.ts";

test.afterEach(closeAll);

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
    const sandbox = await externalServer();
    const before = (await customersOf(sandbox)).map(({ id }) => id);
    let tell = (): void => {};
    const reached = new Promise<void>((resolve) => {
      tell = resolve;
    });
    let passed = 0;
    const refuse = (): undefined => {
      passed += 1;
      if (passed > requests) tell();
    };
    const proxy = await holdingProxy(`http://127.0.0.1:${sandbox.port}`, { refuse });
    const cold = test.info().outputPath("cold");
    await mkdir(cold, { recursive: true });
    const run = await runThrough(proxy, sandbox, {
      requirement: "financial-data.ModifyCustomer.success,financial-data.AddTestingCustomer.success",
      leads: true,
      ...(isCold && { environment: { TMPDIR: cold } }),
    });
    const moment = (isEarly ? Promise.resolve() : reached).then(() => delayed(milliseconds));
    await endAt(run.child, moment, way);
    expect(["incomplete", "certified", undefined]).toContain(readCertificate(run.out)?.outcome);
    const made = (await customersOf(sandbox)).map(({ id }) => id).filter((id) => !before.includes(id));
    const entries = readLeftovers(run.out);
    const listed = entries.flatMap(({ left }) => left.map(({ id }) => id));
    const unclear = entries.flatMap((entry) => entry.unclear).length;
    expect(made.filter((id) => !listed.includes(id)).length).toBeLessThanOrEqual(unclear);
    await sandbox.close();
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
