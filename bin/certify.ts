/**
 * `npm run certify`: tests whether a target keeps its promises, and proves each result. The default target is the
 * embedded sandbox.
 */
import type { Command } from "commander";
import { commandName } from "../helpers/contract/code.ts";
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { ConfigurationError, externalTarget, loadTarget } from "../helpers/target/load-target.ts";
import type { Target } from "../helpers/target/target.ts";
import { print } from "../reports/print.ts";
import { renderPlan } from "../reports/render/plan.ts";
import { carryOut, leaveOut, prepareFolder } from "../runner/carry-out.ts";
import { wantsAllure } from "../runner/command/allure-option.ts";
import {
  addBaselineOptions,
  BASELINE_HELP,
  type BaselineFlags,
  type BaselineOptions,
  conclude,
  readBaselineOptions,
  refuseForShard,
} from "../runner/command/baseline-options.ts";
import {
  addBudgetOptions,
  BUDGET_HELP,
  type BudgetFlags,
  withBudget,
} from "../runner/command/budget-options.ts";
import { withChangesSinceBaseline } from "../runner/command/changes.ts";
import { createCommand } from "../runner/command/command.ts";
import { loadContracts, providerFiles, showInvented } from "../runner/command/contracts.ts";
import {
  contractOption,
  depthOption,
  parseList,
  parseShard,
  parseWhole,
  serviceOption,
} from "../runner/command/options.ts";
import { runCommand } from "../runner/command/run-command.ts";
import { readSettings } from "../runner/command/settings.ts";
import { demoFlags } from "../runner/demo.ts";
import { announceEnds, announcePace, announcePlan, examineBeforeRun } from "../runner/doctor/before-run.ts";
import type { Embedded } from "../runner/embedded.ts";
import { openEvents, refuseEvents } from "../runner/events.ts";
import { extended, givenSettings, instead, narrowed } from "../runner/extensions.ts";
import { triedElsewhere } from "../runner/half-trials.ts";
import { issuerService, issuerServiceTitle, issuerSettings } from "../runner/issuer.ts";
import type { PlannedRun } from "../runner/planned-run.ts";
import { type PlanFlags, planOf } from "../runner/planned-run.ts";
import { openRunReceiver, type RunReceiver } from "../runner/run-receiver.ts";
import { operationsFor, selectionOf } from "../runner/selection.ts";
import { createTestRunner, type TestRunner } from "../runner/test-runner.ts";

interface Flags extends BaselineFlags, BudgetFlags, PlanFlags {
  readonly target?: string;
  readonly contract: Readonly<Record<Service, string>>;
  readonly issuer?: string;
  readonly plan?: true;
  readonly demo?: true;
  readonly events?: string;
}

const main = async (): Promise<number> => {
  const command = (await extended(commandLine, "server", "certify")).parse();
  const given = forIssuer({ ...flagsOf(command), allure: wantsAllure(command) });
  refuseForShard(given);
  refuseEvents({ ...given });
  const baselineOptions = await readBaselineOptions(given);
  const code = await instead({ ...given, baseline: baselineOptions });
  if (code !== undefined) return code;
  const runner = createTestRunner({
    isShard: given.shard !== undefined,
    hasEvents: given.events !== undefined,
  });
  try {
    return await certify(given, baselineOptions, runner);
  } finally {
    await runner.close();
  }
};

const certify = async (
  given: Flags,
  baselineOptions: BaselineOptions,
  runner: TestRunner,
): Promise<number> => {
  const configured = configuredTarget(given);
  // The test runner loads its code while this process loads the contracts and the sandbox.
  if (given.plan === undefined) runner.start();
  const values = configured?.values ?? givenSettings();
  const files = providerFiles(given.service, given.contract, values);
  const load = (services: readonly Service[]) =>
    loadContracts(services, files, { bindings: values.BINDINGS });
  const select = (contracts: readonly Contract[]) => selectionOf(given, contracts);
  const operationsIn = (contracts: readonly Contract[]) => operationsFor(given, contracts);
  const part = await narrowed(given, { files, load, select, operationsIn });
  const contracts =
    part?.contracts ??
    (await withChangesSinceBaseline(await load(given.service), baselineOptions.baseline, operationsIn));
  const selection = part?.selection ?? select(contracts);
  const flags = part === undefined ? given : { ...given, service: contracts.map(({ service }) => service) };
  if (configured === undefined) showInvented(contracts);
  // Load the sandbox only when it is needed.
  const sandbox =
    configured === undefined
      ? await (await import("../runner/embedded.ts")).embedded(contracts, flags.faults)
      : undefined;
  const target = configured ?? (sandbox as Embedded).target;
  await readSettings(target, contracts);
  let receiver: RunReceiver | undefined;
  try {
    const planned = planOf(flags, target, contracts, selection, files);
    const plan = {
      ...withBudget(accepting(planned, baselineOptions), flags),
      ...(flags.events !== undefined && { events: true as const }),
      ...((baselineOptions.baseline !== undefined || planned.info.shard !== null) && {
        comparable: true as const,
      }),
    };
    if (flags.plan) {
      announcePlan(plan);
      const { carryOutDryRun } = await import("../runner/dry-run.ts");
      print(renderPlan({ ...plan, contracts, ...(await carryOutDryRun(plan, contracts)) }));
      return 0;
    }
    const nothing =
      part?.nothing ?? (selection?.requirements && (await triedElsewhere(contracts, selection)));
    if (nothing === undefined) receiver = await openRunReceiver(plan);
    prepareFolder(plan, contracts, { ...baselineOptions, upgrade: part?.upgrade });
    const events = flags.events === undefined ? undefined : openEvents(flags.events);
    if (nothing === undefined) {
      const stopped = await examineBeforeRun(plan, contracts, receiver);
      if (stopped !== undefined) {
        await events?.end(plan.info.out, stopped);
        return stopped;
      }
      announcePace(plan);
      announceEnds(plan, contracts);
    }
    if (nothing === undefined) await carryOut(plan, contracts, { runner, receiver, events });
    else leaveOut(plan, contracts, nothing);
    const code = await conclude(plan.info.out, baselineOptions);
    await events?.end(plan.info.out, code);
    return code;
  } finally {
    await receiver?.close();
    await sandbox?.close();
  }
};

/** Returns the flags. A run with a budget has quick depth by default, because the order of its trials is for it. */
const flagsOf = (command: Command): Flags => {
  const options = command.opts<Flags>();
  const [target = options.target] = command.args;
  if (options.target !== undefined && options.target !== target)
    throw new ConfigurationError(`Two targets are given: ${target} and --target ${options.target}.`);
  const flags = target === undefined ? options : { ...options, target };
  const isLimited = flags.maxRequests !== undefined || flags.maxTime !== undefined;
  const chosen = flags.demo
    ? { ...flags, ...demoFlags(command), ...(flags.depth && { depth: flags.depth }) }
    : flags;
  return isLimited ? { depth: "quick", ...chosen } : chosen;
};

const accepting = (plan: PlannedRun, { accepted }: BaselineOptions): PlannedRun =>
  accepted === undefined ? plan : { ...plan, info: { ...plan.info, accepted } };

const commandLine = (): Command =>
  addBaselineOptions(addBudgetOptions(createCommand("certify")))
    .description(
      "Certifies a target: a verdict for every requirement, each failure with the request that shows it.\n" +
        "Without --target the embedded sandbox is started and certified.",
    )
    .argument("[target]", "the same as --target")
    .option("--target <name>", "the server configured in .env.<name> and the environment")
    .option(
      "--demo",
      "certify one service of the embedded sandbox with a planted fault, to see what is found",
    )
    .addOption(serviceOption("services to certify", "tests"))
    .option(
      "--operation <name,…>",
      "only requirements about these operations: an id, tag:NAME, a method, or a path as in 'GET /orders*'",
      parseList,
    )
    .option("--exclude <name,…>", "never call these operations, named in the same way", parseList)
    .option("--requirement <id,…>", "only these requirements", parseList)
    .addOption(contractOption())
    .addOption(depthOption())
    .option("--seed <n>", "seed of the generated inputs", parseWhole(0, 0x7fff_ffff), 1)
    .option("--out <dir>", "folder for the results", "reports/out")
    .option("--shard <i/n>", `run one part of n; merge the parts with ${commandName("merge")}`, parseShard)
    .option("--allure", "make an Allure report; the default if CI is set", Boolean(process.env.CI))
    .option(
      "--issuer <url>",
      `an issuer's endpoint, to which the run sends notifications of ${issuerServiceTitle()}`,
    )
    .option("--accept <file>", "findings that are known and accepted, by fingerprint")
    .option("--events <file|->", "write the events of the run as JSON lines (schemas/event.schema.json)")
    .option("--plan", "only report what the run would send, by a dry run on the embedded sandbox")
    .addHelpText("after", [BASELINE_HELP, SITUATIONS_HELP, BUDGET_HELP, EXIT_CODES].join("\n"))
    .exitOverride();

const EXIT_CODES = "\nExit code: 0 certified, 1 violations, 2 bad arguments or configuration, 3 incomplete.";

const SITUATIONS_HELP = `
Some requirements can only be tried in a situation that no client can cause, for example with a frozen consumer. In
SITUATIONS (in the environment or .env.<name>), name a YAML file that tells, for each situation, the identifiers that you
know there, a command, or an HTTP request. The file may also offer the target's clock, linked accounts and mail.
schemas/situations.template.yaml lists all situations.`;

/** Selects, with `--issuer`, the only service that sends notifications. */
const forIssuer = (flags: Flags): Flags =>
  flags.issuer === undefined ? flags : { ...flags, service: [issuerService()] };

/** Returns the target of the flags; an issuer's endpoint replaces the base URLs. */
const configuredTarget = ({ target: name, issuer }: Flags): Target | undefined => {
  const known = name === undefined ? undefined : loadTarget(name, givenSettings());
  if (issuer === undefined) return known;
  const { MAX_REQUESTS_PER_SECOND: rate } = process.env;
  const values = known?.values ?? (rate ? { MAX_REQUESTS_PER_SECOND: rate } : {});
  const others = Object.entries(values).filter(([key]) => !key.endsWith("_BASE_URL"));
  return externalTarget(name ?? "issuer", { ...Object.fromEntries(others), ...issuerSettings(issuer) });
};

await runCommand(main);
