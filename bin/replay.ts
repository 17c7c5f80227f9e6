/** `npm run replay -- CERTIFICATE FINDING`: repeats the steps of a finding, and reports whether it still occurs. */
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { equip } from "../fixtures/engine/sandbox-capabilities.ts";
import { perform } from "../fixtures/engine/sequences.ts";
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { ContractError } from "../helpers/contract/source-file.ts";
import { type Replay, replay } from "../helpers/sequences/replay.ts";
import { loadBindings } from "../helpers/target/bindings.ts";
import { ConfigurationError, loadTarget } from "../helpers/target/load-target.ts";
import type { Target } from "../helpers/target/target.ts";
import type { RecordedStep } from "../helpers/trials/failure.ts";
import { openSession } from "../helpers/trials/session.ts";
import type { Trial, TrialContext } from "../helpers/trials/trial.ts";
import type { Certificate, Finding } from "../reports/certificate.ts";
import { stepText } from "../reports/finding-text.ts";
import { loadContracts, providerFiles } from "../runner/command/contracts.ts";
import { contractOption } from "../runner/command/options.ts";
import { runCommand } from "../runner/command/run-command.ts";
import { embedded } from "../runner/embedded.ts";

interface Flags {
  readonly target?: string;
  readonly contract: Readonly<Record<Service, string>>;
}

type Sequence = Finding & { readonly sequence: readonly RecordedStep[] };

const UNREACHED = 3;
const ENDS: Readonly<Record<Replay["end"], { readonly code: number; readonly words: string }>> = {
  holds: { code: 0, words: "The finding does not occur any more." },
  broken: { code: 1, words: "The finding occurs again." },
  unknown: {
    code: UNREACHED,
    words: "No single response shows the finding: compare the responses with what the finding expects.",
  },
};

const main = async (): Promise<number> => {
  const command = commandLine().parse();
  const [file = "", id = ""] = command.args;
  const flags = command.opts<Flags>();
  const finding = findingOf(file, id);
  const service = finding.requirement.split(".")[0] ?? "";
  const configured = flags.target === undefined ? undefined : loadTarget(flags.target, process.env);
  const files = providerFiles([service], flags.contract, configured?.values ?? process.env);
  const contracts = await loadContracts([service], files);
  const sandbox = configured === undefined ? await embedded(contracts) : undefined;
  try {
    const target = configured ?? sandbox?.target;
    return await taken(finding, service, contracts, target as Target);
  } finally {
    await sandbox?.close();
  }
};

const commandLine = (): Command =>
  new Command("replay")
    .description(
      "Repeats the steps of a finding with the same requests and the ids that the target returns this time.\n" +
        "Redacted values are generated. Without --target it uses a new embedded sandbox.",
    )
    .argument("<certificate>", "certificate.json of the run that found it")
    .argument("<finding>", "id of the finding, for example f-3")
    .option("--target <name>", "the server configured in .env.<name> and the environment")
    .addOption(contractOption())
    .addHelpText(
      "after",
      "\nExit code: 0 the finding does not occur again, 1 it does, 2 bad arguments, 3 it can't be determined.",
    )
    .exitOverride();

/** @throws ConfigurationError when the finding does not exist or has no steps */
const findingOf = (file: string, id: string): Sequence => {
  const { findings = [] } = read(file);
  const finding = findings.find((one) => one.id === id);
  const { sequence } = finding ?? {};
  if (finding !== undefined && sequence !== undefined) return { ...finding, sequence };
  const replayable = findings.flatMap((one) => (one.sequence === undefined ? [] : [one.id]));
  throw new ConfigurationError(
    `${file} has no finding "${id}" whose steps can be repeated. ${replayable.length === 0 ? "It has no such finding." : `Such findings are: ${replayable.join(", ")}.`}`,
  );
};

const read = (file: string): Partial<Certificate> => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Partial<Certificate>;
  } catch (error) {
    throw new ConfigurationError(`${file} can't be read as a certificate: ${(error as Error).message}`);
  }
};

const taken = async (
  { requirement, message, sequence }: Sequence,
  service: Service,
  contracts: readonly Contract[],
  wanted: Target,
): Promise<number> => {
  const { release, ...equipment } = await equip(wanted);
  const session = openSession({
    ...equipment,
    contracts,
    bindings: await loadBindings(wanted),
    depth: "standard",
    seed: 1,
    prefix: "replay",
  });
  process.stdout.write(`${requirement}: ${message}\n\n`);
  let end: Replay["end"] | undefined;
  const run = async (context: TrialContext): Promise<void> => {
    let number = 0;
    const replayed = await replay(sequence, {
      driver: { send: (call) => context.send(call), perform: (act) => perform(context, act) },
      operations: context.contract.operations,
      values: context.target.values,
      onStep: (step, exchange) => {
        number += 1;
        const now = exchange === undefined ? "" : `, now ${exchange.response?.status ?? "no answer"}`;
        process.stdout.write(`${number}. ${stepText(step)}${now}\n`);
      },
    });
    end = replayed.end;
  };
  try {
    const result = await session.run(trialOf(service, requirement, run));
    const [problem] = result.entries.flatMap(({ reason }) => reason ?? []);
    const { code, words } =
      end === undefined ? { code: UNREACHED, words: result.crash ?? problem ?? "" } : ENDS[end];
    process.stdout.write(`\n${words}\n`);
    return code;
  } finally {
    await session.close();
    await release?.();
  }
};

/** Returns a trial that judges nothing: a replay only checks whether one finding still occurs. */
const trialOf = (service: Service, requirement: string, run: Trial["run"]): Trial => ({
  id: "replay",
  service,
  title: "replay",
  section: "",
  operations: [],
  requirements: [requirement],
  hazards: [],
  run,
  observe: () => undefined,
});

await runCommand(main, [ConfigurationError, ContractError]);
