/** The peak memory of all processes of a run, in proportional shares (PSS): a hostile server does not raise it much. */
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { start, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { below } from "../support/processes.ts";
import { hostileService, type Misbehave } from "./hostile-server.ts";
import type { Mode } from "./mode.ts";
import { ANSWER_MODES } from "./modes-answers.ts";
import { CONNECTION_MODES } from "./modes-connections.ts";

test.afterEach(closeAll);
test.skip(process.platform !== "linux", "other systems don't tell the share of a process");

/** The modes that send most. */
const LARGE = /^(a bomb of (gzip|br)|a bomb in a bomb|10 MB of headers|a body of 30 MB)$/;

const MODES = [...ANSWER_MODES, ...CONNECTION_MODES].filter(({ about }: Mode) => LARGE.test(about));

/** The most that a hostile server may cost, compared with a correct one. */
const MOST = 1.2;

/** The time between two readings, in milliseconds. */
const PERIOD_MS = 200;

const contract = await loadContract("card-enrollment");

/** Returns the proportional share of a process in kilobytes; 0 if it has ended. */
const shareOf = (pid: number): number => {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

/** Certifies a server. @returns the peak memory of the run in kilobytes */
const peakOf = async (misbehave: Misbehave): Promise<number> => {
  const sandbox = await startSandbox({ seed: 1, contracts: [contract], plain: true });
  const args = ["--target", "memory", "--service", contract.service, "--out", await temporary()];
  const child = start("certify", args, {
    ...sandbox.environment,
    CARD_ENROLLMENT_BASE_URL: await hostileService(sandbox.baseUrls[contract.service], misbehave),
    REQUEST_TIMEOUT_SECONDS: "2",
  });
  child.stdout.resume();
  child.stderr.resume();
  const pid = child.pid ?? Number.NaN;
  let peak = 0;
  const reading = setInterval(() => {
    const shares = [{ pid }, ...below(pid)].map((one) => shareOf(one.pid));
    peak = Math.max(
      peak,
      shares.reduce((sum, share) => sum + share, 0),
    );
  }, PERIOD_MS);
  await new Promise((resolve) => child.once("close", resolve));
  clearInterval(reading);
  await sandbox.close();
  return peak;
};

test("large answers raise the peak memory of a run by a fifth at most", LONG, async () => {
  const clean = await peakOf((_, correct) => correct());
  expect(clean).toBeGreaterThan(0);
  expect(MODES).toHaveLength(5);
  const shares: Record<string, number> = {};
  // The examination before a run meets a correct server: otherwise many runs end before they begin.
  for (const { about, misbehave } of MODES)
    shares[about] =
      (await peakOf((request, correct) =>
        request.index < EXAMINATION ? correct() : misbehave(request, correct),
      )) / clean;
  const rows = Object.entries(shares).map(([about, share]) => `${about}: ${share.toFixed(2)}`);
  test.info().annotations.push({ type: "peak", description: `${clean} kB; ${rows.join("; ")}` });
  expect(Object.entries(shares).filter(([, share]) => share > MOST)).toEqual([]);
});

/** The most requests of an examination. */
const EXAMINATION = 12;
