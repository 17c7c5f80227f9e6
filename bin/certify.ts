/** `npm run certify`: tells, with proof, whether a target keeps its promises; by default the embedded sandbox. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, InvalidArgumentError, Option } from "commander";
import { type Contract, SERVICES, type Service } from "../helpers/contract/contract.ts";
import { ContractError } from "../helpers/contract/source-file.ts";
import { loadBindings } from "../helpers/target/bindings.ts";
import {
  ConfigurationError,
  loadTarget,
  receiverPlace,
  requestTimeout,
  targetOf,
} from "../helpers/target/load-target.ts";
import { baseUrlName } from "../helpers/target/names.ts";
import type { Target } from "../helpers/target/target.ts";
import type { RunInfo, Selection } from "../helpers/trials/run-info.ts";
import { planToEnvironment, type RunPlan } from "../helpers/trials/run-plan.ts";
import { DEPTHS, type Depth } from "../helpers/trials/trial.ts";
import { type Sandbox, startSandbox } from "../mocks/server.ts";
import { generateAllureReport } from "../reports/allure.ts";
import { readCertificate } from "../reports/certificate-file.ts";
import { BAD_ARGUMENTS, exitCodeOf } from "../reports/exit-code.ts";
import { allureReportDir, allureResultsDir, clearResults } from "../reports/reporters.ts";
import { loadContracts, type ProviderFiles, providerFiles } from "./contracts.ts";
import { AVAILABLE, addContract, parseList, parseServices, parseWhole } from "./options.ts";
import { suggest } from "./suggest.ts";

interface Flags {
  readonly target?: string;
  readonly service: readonly Service[];
  readonly operation?: readonly string[];
  readonly requirement?: readonly string[];
  readonly contract: ProviderFiles;
  readonly depth: Depth;
  readonly seed: number;
  readonly out: string;
  readonly shard?: NonNullable<RunInfo["shard"]>;
  readonly issuer?: string;
}

const EMBEDDED = "sandbox";

const main = async (): Promise<number> => {
  const flags = forIssuer(commandLine().parse().opts<Flags>());
  const configured = configuredTarget(flags);
  const files = providerFiles(flags.service, flags.contract, configured?.values ?? process.env);
  const contracts = await loadContracts(flags.service, files);
  const selection = selectionOf(flags, contracts);
  const sandbox = configured === undefined ? await embedded(contracts) : undefined;
  const target = configured ?? targetOfSandbox(sandbox as Sandbox);
  requestTimeout(target);
  receiverPlace(target);
  loadBindings(target, contracts.flatMap(operationIds));
  try {
    const plan = planOf(flags, target, contracts, selection, files);
    const { out } = plan.info;
    clearResults(out);
    await runTests(plan);
    await generateAllureReport(allureResultsDir(out), allureReportDir(out)).catch(warn);
    return exitCodeOf(readCertificate(out)?.outcome ?? "incomplete");
  } finally {
    await sandbox?.close();
  }
};

const commandLine = (): Command =>
  new Command("certify")
    .description(
      "Certifies a target: a verdict for every requirement, each failure with the request that shows it.\n" +
        "Without --target the embedded sandbox is started and certified.",
    )
    .option("--target <name>", "the server configured in .env.<name> and the environment")
    .option("--service <a,b>", `services to certify (${AVAILABLE.join(", ")})`, parseServices, [...AVAILABLE])
    .option("--operation <id,…>", "only requirements about these operations", parseList)
    .option("--requirement <id,…>", "only these requirements", parseList)
    .option(
      "--contract <SERVICE=FILE>",
      "the provider's own OpenAPI document of a service; repeatable",
      addContract,
      {},
    )
    .addOption(new Option("--depth <depth>", "how much to try").choices(DEPTHS).default("standard"))
    .option("--seed <n>", "what generated inputs derive from", parseWhole(0, 0x7fff_ffff), 1)
    .option("--out <dir>", "where results go", "reports/out")
    .option("--shard <i/n>", "run one part of n; put them together with npm run merge", parseShard)
    .option("--issuer <url>", "an issuer's endpoint, which is sent notifications of installments")
    .allowExcessArguments(false)
    .addHelpText(
      "after",
      "\nExit code: 0 certified, 1 violations, 2 bad arguments or configuration, 3 incomplete.",
    )
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : BAD_ARGUMENTS));

/** An issuer has to do with installments alone. */
const forIssuer = (flags: Flags): Flags =>
  flags.issuer === undefined ? flags : { ...flags, service: ["installments"] };

/** An issuer's endpoint takes the place of the service: the one address that is called. */
const configuredTarget = ({ target: name, issuer }: Flags): Target | undefined => {
  const known = name === undefined ? undefined : loadTarget(name, process.env);
  if (issuer === undefined) return known;
  const others = Object.entries(known?.values ?? {}).filter(([key]) => !key.endsWith("_BASE_URL"));
  const addresses = { INSTALLMENTS_BASE_URL: issuer, INSTALLMENTS_ISSUER_URL: issuer };
  return targetOf(name ?? "issuer", { ...Object.fromEntries(others), ...addresses }, false);
};

const parseShard = (text: string): NonNullable<RunInfo["shard"]> => {
  const [, index = 0, total = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= total) return { index, total };
  throw new InvalidArgumentError("Write it as 1/2: the part, counted from 1, and how many there are.");
};

const embedded = (contracts: readonly Contract[]): Promise<Sandbox> =>
  startSandbox({
    services: contracts.map(({ service }) => service),
    port: 0,
    seed: 1,
    faults: [],
    contracts,
  });

/** On our own machine nothing is billed, and nothing that is deleted or locked belongs to anybody. */
const targetOfSandbox = (sandbox: Sandbox): Target =>
  targetOf(
    EMBEDDED,
    {
      ...sandbox.environment,
      ALLOW_DESTRUCTIVE: "true",
      ALLOW_LOCKING: "true",
      MAX_BILLABLE_CALLS: String(Number.MAX_SAFE_INTEGER),
    },
    true,
  );

const operationIds = ({ operations }: Contract): string[] => operations.map(({ operationId }) => operationId);

const selectionOf = (flags: Flags, contracts: readonly Contract[]): Selection | null => {
  const { operation: operations, requirement: requirements } = flags;
  if (operations === undefined && requirements === undefined) return null;
  const known = {
    operation: contracts.flatMap(operationIds),
    requirement: contracts.flatMap((contract) => contract.requirements.map(({ id }) => id)),
  };
  for (const kind of ["operation", "requirement"] as const) {
    const unknown = flags[kind]?.find((name) => !known[kind].includes(name));
    if (unknown !== undefined) {
      throw new ConfigurationError(`There is no ${kind} "${unknown}".${suggest(unknown, known[kind])}`);
    }
  }
  return { ...(operations && { operations }), ...(requirements && { requirements }) };
};

const planOf = (
  flags: Flags,
  target: Target,
  contracts: readonly Contract[],
  selection: Selection | null,
  files: ProviderFiles,
): RunPlan => {
  const tested = contracts.filter(({ service }) => target.baseUrls[service] !== undefined);
  const without = flags.service.filter((service) => target.baseUrls[service] === undefined);
  if (tested.length === 0) {
    throw new ConfigurationError(
      `Target "${target.name}" has no base URL to test at: set ${without.map(baseUrlName).join(" or ")}.`,
    );
  }
  return {
    target,
    info: {
      target: { name: target.name, embedded: target.embedded, baseUrls: withoutUserInfo(target.baseUrls) },
      contracts: contracts.map(({ service, version, digest, provider }) => ({
        service,
        version,
        digest,
        provider,
        ...(files[service] !== undefined && { providerFile: files[service] }),
      })),
      services: tested.map(({ service }) => service),
      seed: flags.seed,
      depth: flags.depth,
      startedAt: new Date().toISOString(),
      out: resolve(flags.out),
      selection,
      shard: flags.shard ?? null,
      untested: Object.fromEntries(
        without.map((service) => [service, `no base URL: set ${baseUrlName(service)}`]),
      ),
    },
  };
};

/** A password in an address is a secret as well. */
const withoutUserInfo = (urls: Target["baseUrls"]): RunInfo["target"]["baseUrls"] =>
  Object.fromEntries(
    SERVICES.filter((service) => urls[service] !== undefined).map((service) => {
      const url = new URL(urls[service] as string);
      url.username = "";
      url.password = "";
      return [service, url.href.replace(/\/+$/, "")];
    }),
  );

/** The test runner in a process of its own; its exit code says less than the certificate does. */
const runTests = (plan: RunPlan): Promise<void> =>
  new Promise((done, fail) => {
    const cli = createRequire(import.meta.url).resolve("@playwright/test/cli");
    const config = fileURLToPath(new URL("../playwright.config.ts", import.meta.url));
    const runner = spawn(process.execPath, [cli, "test", "--config", config], {
      stdio: "inherit",
      env: { ...process.env, ...planToEnvironment(plan) },
    });
    const stop = () => void runner.kill("SIGINT");
    process.on("SIGTERM", stop);
    // The terminal interrupts the runner too; this process stays to see it end.
    process.on("SIGINT", () => {});
    runner.once("error", fail);
    runner.once("exit", () => done());
  });

/** The report only shows what the certificate says: without it the verdicts stand. */
const warn = (error: Error): void => void process.stderr.write(`${error.message}\n`);

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    const expected = error instanceof ConfigurationError || error instanceof ContractError;
    process.stderr.write(`${expected ? error.message : error.stack}\n`);
    process.exitCode = BAD_ARGUMENTS;
  },
);
