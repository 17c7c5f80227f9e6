/**
 * `npm run certify -- --plan`: runs the suite on the embedded sandbox, and shows the requests that a run would send to
 * a target.
 */
import type { ChildProcess } from "node:child_process";
import type { Contract } from "../helpers/contract/contract.ts";
import { ENDING_SIGNALS, temporaryFolder } from "../helpers/contract/process-end.ts";
import { createAllowance } from "../helpers/exchange/allowance.ts";
import type { Sent } from "../helpers/run/tally.ts";
import { isIssuer } from "../helpers/target/issuer.ts";
import { targetOf } from "../helpers/target/load-target.ts";
import { baseUrlName, configuration } from "../helpers/target/names.ts";
import type { Target } from "../helpers/target/target.ts";
import { type CreatedResource, trackCreatedResources } from "../helpers/trials/created-resources.ts";
import { startSandbox } from "../mocks/engine/server.ts";
import { startIssuer } from "../mocks/engine/services.ts";
import type { Certificate } from "../reports/certificate/certificate.ts";
import { EXIT_INCOMPLETE } from "../reports/certificate/exit-code.ts";
import { readCertificate } from "../reports/folder/certificate-file.ts";
import { issuerService, issuerSettings } from "./issuer.ts";
import type { PlannedRun } from "./planned-run.ts";
import { runTestRunner } from "./test-runner.ts";

/** Runs the plan on a sandbox; sends nothing to the target. */
export const carryOutDryRun = async (
  plan: PlannedRun,
  contracts: readonly Contract[],
): Promise<{
  readonly sent: readonly Sent[];
  readonly made: readonly CreatedResource[];
  readonly certificate: Certificate | undefined;
}> => {
  const services = plan.info.services;
  const tested = contracts.filter(({ service }) => services.includes(service));
  const out = temporaryFolder("plan");
  const sandbox = await startSandbox({ services, port: 0, seed: 1, faults: [], contracts: tested });
  const issuer = isIssuer(plan.target) ? await startIssuer(issuerService()) : undefined;
  try {
    const target = standIn(plan, sandbox.environment, issuer && issuerSettings(issuer.url));
    const sent: Sent[] = [];
    const made = trackCreatedResources();
    const { SITUATIONS: situations } = plan.target.values;
    const dryRun = {
      asExternal: !plan.target.embedded,
      ...(situations !== undefined && { situations }),
    };
    const info = { ...plan.info, out, target: { ...plan.info.target, baseUrls: target.baseUrls } };
    const allowance = createAllowance(target.permissions);
    const coordinator = { allowance, made, onSent: (one: Sent) => sent.push(one) };
    const options = { isShard: info.shard !== null, isSilent: true };
    await runTestRunner(
      options,
      { info, target, workers: plan.workers, order: plan.order, dryRun },
      coordinator,
      endTogether,
    );
    return { sent, made: made.all(), certificate: readCertificate(out) };
  } finally {
    await Promise.all([sandbox.close(), issuer?.close()]);
  }
};

/** Ends the dry run and the command together, because an interrupted dry run gives no plan. */
const endTogether = (runner: ChildProcess): void => {
  for (const signal of ENDING_SIGNALS) {
    process.once(signal, () => {
      runner.once("exit", () => process.exit(EXIT_INCOMPLETE));
      runner.kill("SIGKILL");
    });
  }
};

/** Returns the sandbox as the target, with the permissions and no more configuration than the target has. */
const standIn = (
  { target, info }: PlannedRun,
  environment: Readonly<Record<string, string>>,
  issuer: Readonly<Record<string, string>> | undefined,
): Target => {
  const addresses = info.services.map(baseUrlName);
  const names = configuration()
    .map(({ name }) => name)
    .filter((name) => target.values[name] !== undefined && !name.endsWith("_BASE_URL"));
  const known = [...names, ...addresses].flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]]],
  );
  const values = { ...Object.fromEntries(known), ...issuer };
  const { requestsPerSecond: _, ...permissions } = target.permissions;
  return { ...targetOf(target.name, values, target.embedded), permissions };
};
