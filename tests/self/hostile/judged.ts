/** Judges a hostile server in this process, as `npm run certify` does, up to the certificate. */
import type { Contract } from "../../../helpers/contract/contract.ts";
import { equip } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { baseUrlName } from "../../../helpers/target/names.ts";
import type { TrialResult } from "../../../helpers/trials/ledger.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import type { Sandbox } from "../../../mocks/engine/server.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { examine } from "../../../runner/doctor/doctor.ts";
import { runInfo } from "../reports/reports-data.ts";
import { runAlone } from "../support/in-process.ts";
import { type AnswerEarly, hostileServer, type Misbehave } from "./hostile-server.ts";

export interface Judging {
  readonly contract: Contract;
  readonly trials: readonly Trial[];
  /** Whether these are all trials of the service. */
  readonly isWhole: boolean;
  /** The correct server behind the hostile one. */
  readonly sandbox: Sandbox;
  readonly values?: Readonly<Record<string, string>>;
}

export interface Judged {
  readonly certificate: Certificate;
  readonly results: readonly TrialResult[];
  readonly crashes: readonly string[];
}

const ALLOWED = { ALLOW_DESTRUCTIVE: "true", ALLOW_LOCKING: "true", MAX_BILLABLE_CALLS: "100000" };

/** A hostile server in front of a tenant of the correct one, with settings that suit both. */
const openHostile = async (
  { contract: { service }, sandbox, values = {} }: Judging,
  misbehave: Misbehave,
  early?: AnswerEarly,
) => {
  const opened = await equip(targetOf("external", { ...sandbox.environment, ...ALLOWED }, false), {
    seed: 1,
    external: true,
  });
  const base = new URL(opened.target.baseUrls[service] ?? "");
  const origin = await hostileServer(base.origin, misbehave, early);
  const own = { ...opened.target.values, [baseUrlName(service)]: `${origin}${base.pathname}` };
  const target = targetOf("external", { ...own, REQUEST_TIMEOUT_SECONDS: "2", ...values }, false);
  return { ...opened, origin, target };
};

/** Returns the causes for which a run would not start on the hostile server. */
export const examined = async (
  judging: Judging,
  misbehave: Misbehave,
  early?: AnswerEarly,
): Promise<string[]> => {
  const { target, release } = await openHostile(judging, misbehave, early);
  try {
    const { causes } = await examine(target, [judging.contract]);
    return causes.map(({ text }) => text);
  } finally {
    await release();
  }
};

export const judge = async (judging: Judging, misbehave: Misbehave, early?: AnswerEarly): Promise<Judged> => {
  const { contract, trials, isWhole } = judging;
  const { target, capabilities, origin, release } = await openHostile(judging, misbehave, early);
  const results = await runAlone(contract, trials, { target, capabilities }).finally(release);
  return {
    certificate: certificateOf(contract, trials, results, { origin, isWhole }),
    results,
    crashes: results.flatMap(({ trial, crash }) => (crash === undefined ? [] : [`${trial}: ${crash}`])),
  };
};

const certificateOf = (
  contract: Contract,
  trials: readonly Trial[],
  results: readonly TrialResult[],
  { origin, isWhole }: { readonly origin: string; readonly isWhole: boolean },
): Certificate => {
  const { service, version, digest } = contract;
  const tried = trials.flatMap(({ requirements }) => requirements);
  // Each answer is judged for the requirements of all answers too.
  const judged = results.flatMap(({ entries }) => entries.map(({ requirement }) => requirement));
  const run = runInfo({
    contracts: [{ service, version, digest, provider: null }],
    services: [service],
    selection: isWhole ? null : { requirements: [...tried, ...judged] },
    target: { name: "external", embedded: false, baseUrls: { [service]: origin } },
  });
  const facts = trials.map(({ id, requirements }) => ({
    trial: id,
    requirements,
    state: "finished" as const,
  }));
  return buildCertificate(run, [contract], results, { trials: facts, problems: [], durationMs: 0 });
};
