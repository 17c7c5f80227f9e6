/** The table of hostile modes: for each misbehaviour of a server, the run has the right outcome. */
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { services } from "../../../helpers/contract/services.ts";
import { equip } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { baseUrlName } from "../../../helpers/target/names.ts";
import type { TrialResult } from "../../../helpers/trials/ledger.ts";
import type { Trial } from "../../../helpers/trials/trial.ts";
import { type Sandbox, startSandbox } from "../../../mocks/engine/server.ts";
import { trialsOf } from "../../../mutation/workbench.ts";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import type { Certificate } from "../../../reports/certificate/certificate.ts";
import { examine } from "../../../runner/doctor/doctor.ts";
import { runInfo } from "../reports/reports-data.ts";
import { ALLOWED, runAlone } from "../support/in-process.ts";
import { LONG, PROOF, sizeInLane } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import { type AnswerEarly, hostileServer, type Misbehave } from "./hostile-server.ts";
import { always, CERTIFIED, type Flow, type Mode } from "./mode.ts";
import { ANSWER_MODES } from "./modes-answers.ts";
import { CONNECTION_MODES } from "./modes-connections.ts";
import { FLOW_MODES } from "./modes-flows.ts";
import { STRANGE_MODES } from "./modes-strange.ts";
import { TEXT_MODES } from "./modes-texts.ts";

interface Judging {
  readonly contract: Contract;
  readonly trials: readonly Trial[];
  /** Whether these are all trials of the service. */
  readonly isWhole: boolean;
  /** The correct server behind the hostile one. */
  readonly sandbox: Sandbox;
  readonly values?: Readonly<Record<string, string>>;
}

interface Judged {
  readonly certificate: Certificate;
  readonly results: readonly TrialResult[];
  readonly crashes: readonly string[];
}

/** The trials of each flow. `most` limits their number, because several need a long set-up. */
const FLOWS: Readonly<
  Record<Flow, { readonly service: string; readonly named?: RegExp; readonly most?: number }>
> = {
  cards: { service: "card-enrollment" },
  token: { service: "financial-data", named: /^(Authentication|Customers)\b/, most: 20 },
  polling: {
    service: "financial-data",
    named: /reports\/(generation|result|failure)$|report-retrieval\/parameters/,
  },
  webhook: { service: "financial-data", named: /^Webhook subscriptions/, most: 20 },
  deposits: { service: "financial-data", named: /^Micro entries/ },
  paging: { service: "financial-data", named: /^Transactions/, most: 70 },
};

/** The default lane tries every n-th trial only. */
const SPACING = { sample: 6, full: 1 };

interface Prepared extends Omit<Judging, "trials" | "isWhole"> {
  readonly trials: readonly Trial[];
}

const prepared = new Map<string, Promise<Prepared>>();

/** Starts a correct server of a service on first use. */
const prepare = (service: string): Promise<Prepared> =>
  getOrInsert(prepared, service, async () => {
    const contract = await loadContract(service);
    const options = { contracts: [contract] };
    return { contract, trials: await trialsOf(contract), sandbox: await startSandbox(options) };
  });

const judgingOf = async ({ flow }: Mode): Promise<Judging> => {
  const { service, named = /^/, most = Number.POSITIVE_INFINITY } = FLOWS[flow];
  const { trials, ...rest } = await prepare(service);
  const own = trials.filter((trial) => named.test(`${trial.section} / ${trial.id}`));
  const spacing = Math.max(sizeInLane(SPACING), Math.ceil(own.length / most));
  const chosen = own.filter((_, index) => index % spacing === 0);
  return { ...rest, trials: chosen, isWhole: chosen.length === trials.length };
};

test.afterAll(async () => {
  const open = [...prepared.values()];
  // The worker may run further tests of this file after tests of other files.
  prepared.clear();
  for (const { sandbox } of await Promise.all(open)) await sandbox.close();
});
test.afterEach(closeAll);

const textsOf = ({ certificate }: Judged): string =>
  [
    ...certificate.findings.flatMap(({ message, actual }) => [message, actual]),
    ...certificate.requirements.map(({ reason }) => reason ?? ""),
    ...certificate.observations.flatMap(({ observed }) => observed),
  ].join("\n");

/** Returns how a run differs from what it must be; empty if it does not. */
const problemsOf = (mode: Mode, judged: Judged): string[] => {
  const { certificate, crashes } = judged;
  const { outcome, summary, requirements, selection, operations } = certificate;
  // A sample of the trials lacks some that would show that an accepted call is wrong.
  const accepts = operations.some(({ statuses }) =>
    statuses.some(({ status, observed }) => status < 300 && observed > 0),
  );
  const found = requirements.filter(
    ({ id, verdict }) =>
      verdict === "passed" && !(mode.passesNothing instanceof RegExp && mode.passesNothing.test(id)),
  );
  return [
    ...crashes,
    ...(mode.ends.includes(outcome) ? [] : [`it ends with ${outcome}: ${JSON.stringify(summary)}`]),
    ...(mode.says === undefined || mode.says.test(textsOf(judged)) ? [] : [`nothing says ${mode.says}`]),
    ...(mode.passesNothing && (selection === null || !accepts) ? found.map(({ id }) => `${id} passes`) : []),
    ...(mode.failsNothing && summary.failed > 0 ? [`${summary.failed} fail`] : []),
  ];
};

/** Returns how the examination before a run differs from what it must be; empty if it does not. */
const examinationOf = async (
  { misbehave, early, ends, examined: expected }: Mode,
  judging: Judging,
): Promise<string[]> => {
  if (ends !== CERTIFIED && expected === undefined) return [];
  const causes = await examined(judging, misbehave, early);
  if (expected === undefined) return causes.map((cause) => `the run would not start: ${cause}`);
  return causes.some((cause) => expected.test(cause)) ? [] : [`the examination finds ${causes.join(" ")}`];
};

/** The longest that a run may take, in seconds of processor time: a minute, and up to two on a busy machine. */
const LONGEST_S = 120;

const MODES = [...ANSWER_MODES, ...CONNECTION_MODES, ...TEXT_MODES, ...FLOW_MODES, ...STRANGE_MODES];

for (const mode of MODES) {
  test(`${mode.flow}: ${mode.about}: ${mode.ends.join(" or ")}`, mode.quick ? PROOF : LONG, async () => {
    const judging = await judgingOf(mode);
    const before = process.cpuUsage();
    const judged = await judge(judging, mode.misbehave, mode.early);
    const { user, system } = process.cpuUsage(before);
    const examination = await examinationOf(mode, judging);
    expect([...problemsOf(mode, judged), ...examination]).toEqual([]);
    expect((user + system) / 1e6, "the processor time in seconds").toBeLessThan(LONGEST_S);
  });
}

const BODIES = ["", "{}", '{"code":16,"status":"UNAUTHENTICATED","message":"No.","details":[]}'];

for (const service of services()) {
  test(`${service}: the same answer to every request passes nothing`, LONG, async () => {
    const judging = { ...(await prepare(service)), isWhole: true };
    for (const [status, body] of [200, 401, 404].flatMap((one) =>
      BODIES.map((text) => [one, text] as const),
    )) {
      const { requirements } = (await judge(judging, always(status, body))).certificate;
      const passed = requirements.filter(({ verdict }) => verdict === "passed");
      expect([status, body, passed.map(({ id }) => id)]).toEqual([status, body, []]);
    }
  });
}

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
const examined = async (judging: Judging, misbehave: Misbehave, early?: AnswerEarly): Promise<string[]> => {
  const { target, release } = await openHostile(judging, misbehave, early);
  try {
    const { causes } = await examine(target, [judging.contract]);
    return causes.map(({ text }) => text);
  } finally {
    await release();
  }
};

const judge = async (judging: Judging, misbehave: Misbehave, early?: AnswerEarly): Promise<Judged> => {
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
