/**
 * A run that the user starts with `npx playwright test`, on the embedded sandbox or on the target in the environment.
 * The test runner's own process contains the coordinator of the run.
 */
import type { PlaywrightTestConfig } from "@playwright/test";
import type { Contract } from "../helpers/contract/contract.ts";
import { services } from "../helpers/contract/services.ts";
import { createAllowance } from "../helpers/exchange/allowance.ts";
import { keepFilesPrivate } from "../helpers/run/files.ts";
import { runEnvironment } from "../helpers/run/this-run.ts";
import { loadTarget, targetOf } from "../helpers/target/load-target.ts";
import { baseUrlName } from "../helpers/target/names.ts";
import type { Target } from "../helpers/target/target.ts";
import { trackCreatedResources } from "../helpers/trials/created-resources.ts";
import { loadContracts, providerFiles } from "./command/contracts.ts";
import { openCoordinator } from "./coordinator.ts";
import { EVERYTHING_ALLOWED } from "./embedded.ts";
import { type PlannedRun, planOf } from "./planned-run.ts";
import { openRunReceiver } from "./run-receiver.ts";

/** The folder of the test runner's results, and of the list of a run's leftovers. */
export const STANDALONE_OUT = "test-results/services";

/** The environment variable that contains the first line of the sandbox, for all processes of the test runner. */
const SANDBOX_LINE = "ASSAY_SANDBOX";
const WEB_SERVER: PlaywrightTestConfig["webServer"] = {
  name: "sandbox",
  command: "node bin/start.cjs mock",
  wait: { stdout: new RegExp(`^(?<${SANDBOX_LINE}>\\{.*\\})\\n`) },
  gracefulShutdown: { signal: "SIGTERM", timeout: 2_000 },
};

/** Removes the resources that the tests created on an external target; absent if no such run is open. */
let removal: (() => Promise<void>) | undefined;

/**
 * Opens the coordinator of the run, and puts its address into the environment for the rest of this process and its
 * children.
 * @returns the settings of the test runner that the run adds
 */
export const openStandaloneRun = async (): Promise<
  Pick<PlaywrightTestConfig, "webServer" | "globalTeardown">
> => {
  keepFilesPrivate();
  const external = externalTarget();
  const values = external?.values ?? process.env;
  const contracts = await loadContracts(services(), providerFiles(services(), {}, values), {
    bindings: values.BINDINGS,
  });
  const plan = (): PlannedRun => planFor(external ?? embeddedTarget(), contracts);
  const made = trackCreatedResources();
  const allowance = createAllowance(plan().target.permissions);
  const { address } = await openCoordinator({
    plan: () => ({ ...plan(), scratch: STANDALONE_OUT }),
    allowance,
    made,
    ...(external && { receiver: await openRunReceiver(plan()) }),
  });
  Object.assign(process.env, runEnvironment(address));
  if (external === undefined) return { webServer: WEB_SERVER };
  const { openCleanUp } = await import("./clean-up.ts");
  removal = await openCleanUp(plan(), contracts, allowance, made);
  return { globalTeardown: "./runner/standalone-teardown.ts" };
};

/** Removes the resources that the tests created on an external target. */
export const endStandaloneRun = async (): Promise<void> => removal?.();

/** Returns the target of `.env.NAME` if `TARGET` is NAME, or the target of the base URLs in the environment. */
const externalTarget = (): Target | undefined => {
  const name = process.env.TARGET;
  const hasAddress = services().some((service) => process.env[baseUrlName(service)]);
  return name || hasAddress ? loadTarget(name || "environment", process.env) : undefined;
};

/**
 * Returns the embedded target. Before the sandbox listens, the addresses are placeholders that are good enough to list
 * tests.
 */
const embeddedTarget = (): Target => {
  const line = process.env[SANDBOX_LINE];
  const unknown = Object.fromEntries(services().map((service) => [baseUrlName(service), "http://127.0.0.1"]));
  const values = line === undefined ? unknown : JSON.parse(line).credentials;
  return targetOf("sandbox", { ...values, ...EVERYTHING_ALLOWED }, true);
};

const planFor = (target: Target, contracts: readonly Contract[]): PlannedRun => {
  const flags = { service: services(), seed: 1, out: STANDALONE_OUT, allure: false } as const;
  const files = providerFiles(services(), {}, target.values);
  return { ...planOf(flags, target, contracts, null, files), standalone: true };
};
