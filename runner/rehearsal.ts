/** `npm run certify -- --plan`: rehearses a run on the embedded sandbox, and tells what it would send to its target. */
import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Contract } from "../helpers/contract/contract.ts";
import { createAllowance } from "../helpers/exchange/allowance.ts";
import type { Sent } from "../helpers/run/tally.ts";
import { targetOf } from "../helpers/target/load-target.ts";
import { baseUrlName, CONFIGURATION } from "../helpers/target/names.ts";
import { type Target, UNLIMITED } from "../helpers/target/target.ts";
import { createMadeList, type Made } from "../helpers/trials/made.ts";
import { startSandbox } from "../mocks/engine/server.ts";
import { startIssuer } from "../mocks/installments/issuer.ts";
import { EXIT_INCOMPLETE } from "../reports/exit-code.ts";
import type { PlannedRun } from "./planned-run.ts";
import { underHub } from "./run-tests.ts";

/** What a run took in its rehearsal. */
export interface Rehearsed {
  readonly sent: readonly Sent[];
  /** What it would have to remove in the end. */
  readonly made: readonly Made[];
}

/** Sends nothing to the target of the plan. */
export const rehearse = async (plan: PlannedRun, contracts: readonly Contract[]): Promise<Rehearsed> => {
  const services = plan.info.services;
  const tested = contracts.filter(({ service }) => services.includes(service));
  const sandbox = await startSandbox({ services, port: 0, seed: 1, faults: [], contracts: tested });
  const isIssuer = plan.target.values.INSTALLMENTS_ISSUER_URL !== undefined;
  const issuer = isIssuer ? await startIssuer() : undefined;
  const out = await mkdtemp(join(tmpdir(), "assay-plan-"));
  process.once("exit", () => rmSync(out, { recursive: true, force: true }));
  try {
    const address = issuer && { INSTALLMENTS_BASE_URL: issuer.url, INSTALLMENTS_ISSUER_URL: issuer.url };
    const target = standIn(plan, { ...sandbox.environment, ...address });
    const sent: Sent[] = [];
    const made = createMadeList();
    const rehearsal = { asStranger: !mayBeSandbox(plan.target) };
    const info = { ...plan.info, out, target: { ...plan.info.target, baseUrls: target.baseUrls } };
    const allowance = createAllowance(target.permissions);
    const hub = { allowance, made, onSent: (one: Sent) => sent.push(one) };
    await underHub({ info, target, rehearsal }, hub, { onStart: endTogether });
    return { sent, made: made.all() };
  } finally {
    await Promise.all([sandbox.close(), issuer?.close()]);
  }
};

/** Whoever breaks a rehearsal off gets no plan, and nothing is left to tidy up but its folder. */
const endTogether = (runner: ChildProcess): void => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      runner.once("exit", () => process.exit(EXIT_INCOMPLETE));
      runner.kill("SIGKILL");
    });
  }
};

/** Everything is allowed, to see what would be asked for; what is not configured for the target is not there either. */
const standIn = ({ target, info }: PlannedRun, environment: Readonly<Record<string, string>>): Target => {
  const addresses = info.services.map(baseUrlName);
  const names = CONFIGURATION.map(({ name }) => name).filter(
    (name) => target.values[name] !== undefined && !name.endsWith("_BASE_URL"),
  );
  const known = [...names, ...addresses, "INSTALLMENTS_ISSUER_URL"].flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]]],
  );
  const allowed = { ALLOW_DESTRUCTIVE: "true", ALLOW_LOCKING: "true", MAX_BILLABLE_CALLS: String(UNLIMITED) };
  return targetOf(target.name, { ...Object.fromEntries(known), ...allowed }, target.embedded);
};

/** On this machine it may be a sandbox of ours, which offers more, so that more is tried. */
const mayBeSandbox = ({ baseUrls }: Target): boolean =>
  Object.values(baseUrls).every((url) => /^(127\.|localhost$|\[::1\])/.test(new URL(url).hostname));
