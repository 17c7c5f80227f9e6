/** Signals at random moments: a readable certificate, no unlisted resource on the target, and no process is left. */
import { mkdir } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { readLeftovers } from "../../../helpers/run/leftovers.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { customersOf, externalServer, runThrough } from "../runs/held-run.ts";
import { holdingProxy } from "../runs/holding-proxy.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { below, expectGone } from "../support/processes.ts";
import { GONE_MS, numbersFrom, WAYS } from "./signal-cases.ts";

test.afterEach(closeAll);

const COUNT = 60;

/** The most requests before a signal; a run sends more. */
const MOST_REQUESTS = 40;

const next = numbersFrom(7);

const CASES = Array.from({ length: COUNT }, (_, index) => ({
  ...(WAYS[index % WAYS.length] as (typeof WAYS)[number]),
  isCold: index % 6 === 5,
  requests: Math.floor(next() * MOST_REQUESTS),
  /** The delay after that request; every fourth signal comes before any request. */
  milliseconds: Math.floor(next() * (index % 4 === 0 ? 4_000 : 20)),
  isEarly: index % 4 === 0,
}));

for (const [index, { signal, toAll, isCold, requests, milliseconds, isEarly }] of CASES.entries()) {
  const to = toAll ? "all processes" : "the command";
  const when = isEarly
    ? `${milliseconds} ms after the start`
    : `${milliseconds} ms after ${requests} requests`;
  test(`${index + 1}: ${signal} to ${to}, ${when}${isCold ? ", without a cache" : ""}`, LONG, async () => {
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
    const pid = run.child.pid ?? Number.NaN;
    await Promise.race([isEarly ? undefined : reached, run.ended]);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    const processes = below(pid);
    try {
      process.kill(toAll ? -pid : pid, signal);
    } catch {
      // The run ended before the signal.
    }
    await run.ended;
    await expectGone(processes, GONE_MS);
    expect(["incomplete", "certified", undefined]).toContain(readCertificate(run.out)?.outcome);
    const made = (await customersOf(sandbox)).map(({ id }) => id).filter((id) => !before.includes(id));
    const entries = readLeftovers(run.out);
    const listed = entries.flatMap(({ left }) => left.map(({ id }) => id));
    const unclear = entries.flatMap((entry) => entry.unclear).length;
    expect(made.filter((id) => !listed.includes(id)).length).toBeLessThanOrEqual(unclear);
    await sandbox.close();
  });
}
