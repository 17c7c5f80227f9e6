/** `npm run mock`: runs the sandbox alone, until it is stopped. */
import { writeFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { buildContract } from "../helpers/contract/build.ts";
import { asDocumented } from "../helpers/contract/changes.ts";
import type { Service } from "../helpers/contract/contract.ts";
import { ENDING_SIGNALS } from "../helpers/contract/process-end.ts";
import { jsonText } from "../helpers/exchange/visible.ts";
import { ConfigurationError } from "../helpers/target/load-target.ts";
import { DataError, SettingsError } from "../mocks/engine/data/data-error.ts";
import { type Resolution, resolutionOf } from "../mocks/engine/deliveries/destinations.ts";
import { NAMED_SETS, UnknownDeviationError } from "../mocks/engine/deviations/named.ts";
import { DEMANDS, type Demand, isDemand } from "../mocks/engine/gateway/gateway.ts";
import { startSandbox } from "../mocks/engine/server.ts";
import { startIssuer } from "../mocks/engine/services.ts";
import type { TestData } from "../mocks/engine/test-data.ts";
import { print } from "../reports/print.ts";
import { createCommand } from "../runner/command/command.ts";
import { loadContracts, providerFiles, showInvented } from "../runner/command/contracts.ts";
import { contractOption, parseList, parseWhole, serviceOption } from "../runner/command/options.ts";
import { runCommand } from "../runner/command/run-command.ts";
import { addSandboxOptions, type SandboxFlags, sandboxSettings } from "../runner/command/sandbox-settings.ts";
import { extended, instead } from "../runner/extensions.ts";
import { issuerService, issuerServiceTitle } from "../runner/issuer.ts";

interface Flags extends SandboxFlags {
  readonly port: number;
  readonly service: readonly Service[];
  readonly contract: Readonly<Record<Service, string>>;
  readonly fault: readonly string[];
  readonly difference: readonly string[];
  readonly variant: readonly string[];
  readonly allOperations?: true;
  readonly plain?: true;
  readonly situations?: string;
  readonly require: readonly Demand[];
  readonly issuer?: true;
  readonly allowHost: readonly string[];
  readonly resolve: readonly Resolution[];
}

const SEED = 1;

const main = async (): Promise<number> => {
  const flags = (await extended(commandLine, "contract", "mock")).parse().opts<Flags>();
  const { port, service, contract, fault, difference, variant, plain, situations } = flags;
  const { require: demands, issuer, allowHost, resolve } = flags;
  const files = providerFiles(service, contract, process.env);
  // The command starts without the loader's thread, so nothing can be loaded later.
  if (situations !== undefined && !plain) throw new ConfigurationError("--situations: give --plain as well.");
  const loaded = await loadContracts(service, files, {
    build: buildContract,
    bindings: process.env.BINDINGS,
  });
  const contracts = flags.allOperations ? loaded : loaded.map((one) => asDocumented(one));
  showInvented(contracts);
  const code = await instead({ ...flags, contracts });
  if (code !== undefined) return code;
  const { options, told, authority } = await sandboxSettings(flags, service, contracts);
  const start = () =>
    startSandbox({
      ...options,
      services: service,
      port,
      seed: SEED,
      faults: fault,
      contracts,
      differences: [...difference, ...variant],
      plain: plain === true,
      demands,
      destinations: { allowed: allowHost, resolutions: resolve },
    });
  const sandbox = await told(start);
  if (flags.dumpData === true) {
    const { stringify } = await import("yaml");
    print(stringify(sandbox.data()));
    await sandbox.close();
    return 0;
  }
  if (situations !== undefined) writeSituations(situations, sandbox.testData);
  const reference = issuer === true ? await startIssuer(issuerService()) : undefined;
  const { baseUrls, environment, refused } = sandbox;
  const line = {
    baseUrls,
    credentials: environment,
    faults: fault,
    ...(flags.from !== undefined && { note: OWN_CREDENTIALS }),
    ...(refused && { refused }),
    ...(reference && { issuer: reference.url }),
    ...(authority !== undefined && { authority }),
  };
  // Handle the signals before the first line reports that the sandbox is ready.
  for (const signal of ENDING_SIGNALS) {
    process.once(signal, () => void Promise.all([sandbox.close(), reference?.close()]));
  }
  print(`${jsonText(line)}\n`);
  return 0;
};

const OWN_CREDENTIALS =
  "Only these credentials count. Those of the recorded server do not: the recording hides them.";

/** Writes JSON, which is YAML too. */
const writeSituations = (file: string, situations: TestData): void => {
  const capabilities = ["hosted-pages"];
  writeFileSync(file, `${JSON.stringify({ situations, capabilities }, null, 2)}\n`);
};

const commandLine = (): Command =>
  addSandboxOptions(createCommand("mock"))
    .description(
      "Starts the sandbox and prints one line of JSON with its base URLs and credentials when ready.",
    )
    .option("--port <n>", "port to listen on; 0 takes a free one", parseWhole(0, 65_535), 0)
    .addOption(serviceOption("services to mock", "mocks"))
    .addOption(contractOption())
    .option("--all-operations", "with --contract: serve the operations that the document lacks as well")
    .option(
      "--fault <id>",
      "a fault to activate; repeatable",
      (id: string, ids: string[]) => [...ids, id],
      [],
    )
    .option(
      "--difference <id,…|all>",
      "permitted differences to activate, by id; `all` activates every switch and every assumed rule of requests; repeatable",
      parseList,
      [],
    )
    .option(
      "--variant <name>",
      `a named set of permitted differences. ${NAMED_SETS.map(({ name, what }) => `${name}: ${what}`).join(". ")}`,
      parseList,
      [],
    )
    .option("--plain", "start without the admin interface, and with test data for most situations instead")
    .option("--situations <file>", "with --plain: write a situations file of the test data (see SITUATIONS)")
    .option(
      "--require <demand,…>",
      `put a gateway before the sandbox that asks for ${DEMANDS.join(", ")} (=FIELD, FIELD:HEADER with the JWE header of the key id, or FIELD:HEADER:strict to accept only what RFC 7518 allows). Test keys are generated at the start. The first line has their settings, and \`refused\` has wrong and expired ones`,
      parseDemands,
      [],
    )
    .option(
      "--issuer",
      `also start a reference issuer, which accepts notifications of ${issuerServiceTitle()}`,
    )
    .option(
      "--allow-host <host>",
      "a host that deliveries may go to besides this machine; repeatable",
      (host: string, hosts: string[]) => [...hosts, host.toLowerCase()],
      [],
    )
    .option(
      "--resolve <HOST:PORT=ADDRESS:PORT>",
      "send deliveries for that host and port to another address, as curl does; repeatable",
      addResolution,
      [],
    )
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

const parseDemands = (list: string, before: readonly Demand[]): Demand[] => {
  const demands = parseList(list, before);
  const unknown = demands.find((one) => !isDemand(one));
  if (unknown === undefined) return [...new Set(demands as Demand[])];
  throw new InvalidArgumentError(`There is no "${unknown}". Choose from: ${DEMANDS.join(", ")}.`);
};

const addResolution = (text: string, others: Flags["resolve"]): Flags["resolve"] => {
  const resolution = resolutionOf(text);
  if (resolution === undefined) {
    throw new InvalidArgumentError("Write it as HOST:PORT=ADDRESS:PORT, with an IP address.");
  }
  return [...others, resolution];
};

// After an error, the sandbox may listen already.
await runCommand(main, [DataError, SettingsError, UnknownDeviationError]);
