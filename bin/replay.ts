/** `npm run replay -- CERTIFICATE FINDING`: shows a finding again, and reports whether it still occurs. */
import type { Command } from "commander";
import { commandWith } from "../helpers/contract/code.ts";
import type { Contract, Service } from "../helpers/contract/contract.ts";
import { isFromDocument } from "../helpers/contract/services.ts";
import { ConfigurationError, loadTarget } from "../helpers/target/load-target.ts";
import { baseUrlName } from "../helpers/target/names.ts";
import type { Target } from "../helpers/target/target.ts";
import { UnknownDeviationError } from "../mocks/engine/deviations/named.ts";
import { trialsOf } from "../mutation/workbench.ts";
import type { Certificate, Finding } from "../reports/certificate/certificate.ts";
import { certificatePath, readGivenCertificate } from "../reports/folder/certificate-file.ts";
import { print } from "../reports/print.ts";
import { createCommand } from "../runner/command/command.ts";
import { loadContracts, providerFiles } from "../runner/command/contracts.ts";
import { contractOption } from "../runner/command/options.ts";
import { runCommand } from "../runner/command/run-command.ts";
import { readSettings } from "../runner/command/settings.ts";
import { type Embedded, embedded } from "../runner/embedded.ts";
import { extended, givenSettings } from "../runner/extensions.ts";
import { shownAddresses } from "../runner/planned-run.ts";
import type { ReplayOptions } from "../runner/replay/replay-session.ts";
import { replayTrial } from "../runner/replay/replay-trial.ts";

interface Flags {
  readonly target?: string;
  readonly contract: Readonly<Record<Service, string>>;
}

const UNREACHED = 3;
const ENDS: Readonly<Record<"holds" | "broken", { readonly code: number; readonly words: string }>> = {
  holds: { code: 0, words: "The finding does not occur any more." },
  broken: { code: 1, words: "The finding occurs again." },
};

const main = async (): Promise<number> => {
  const command = (await extended(commandLine, "server")).parse();
  const [file, id] = namedBy(command.args);
  const flags = command.opts<Flags>();
  const certificate = readGivenCertificate(file);
  const finding = findingOf(certificate, file, id);
  if (certificate.document !== undefined && !isFromDocument() && flags.target === undefined)
    throw new ConfigurationError(`${file} is about ${certificate.document[1]}: give it with --document.`);
  const service = finding.requirement.split(".")[0] ?? "";
  const configured = configuredTarget(certificate, service, flags);
  const values = configured?.values ?? givenSettings();
  const files = providerFiles([service], flags.contract, values);
  const contracts = await loadContracts([service], files, { bindings: values.BINDINGS });
  if (configured !== undefined) await readSettings(configured, contracts);
  const sandbox = configured === undefined ? await embedded(contracts, plantedIn(certificate)) : undefined;
  const target = configured ?? (sandbox as Embedded).target;
  try {
    say(`${finding.requirement}: ${finding.message}`);
    say(`asked        ${askedText(target, service, certificate)}\n`);
    return await shownAgain(finding, { contracts, target, run: certificate });
  } finally {
    await sandbox?.close();
  }
};

const plantedIn = ({ target }: Certificate): string[] => [target.faults ?? []].flat().map(String);

/** Returns the certificate and the finding. @throws ConfigurationError when no finding is named */
const namedBy = ([first, second]: readonly string[]): readonly [file: string, id: string] => {
  if (first !== undefined && second !== undefined) return [first, second];
  if (first !== undefined && /^f-\d+$/.test(first)) return [certificatePath(LAST), first];
  throw new ConfigurationError(
    `Which finding? Name its id: ${commandWith("replay", ...(first === undefined ? [] : [first]), "f-1")}`,
  );
};

/** The folder of the last run, unless it got another. */
const LAST = "reports/out";

/**
 * Returns the server that the certificate is about, or that the user names; `undefined` for an embedded sandbox.
 * @throws ConfigurationError when the settings of the server are missing
 */
const configuredTarget = (
  { target: { name, embedded: isEmbedded }, selection }: Certificate,
  service: Service,
  { target: wanted = isEmbedded ? undefined : name }: Flags,
): Target | undefined => {
  if (wanted === undefined) return undefined;
  const target = loadTarget(wanted, givenSettings());
  const { excluded } = selection ?? {};
  if (target.baseUrls[service] !== undefined)
    return { ...target, permissions: { ...target.permissions, ...(excluded && { excluded }) } };
  throw new ConfigurationError(
    `Target "${wanted}" has no address of ${service}: set ${baseUrlName(service)}.`,
  );
};

const askedText = (
  { name, embedded: isEmbedded, baseUrls }: Target,
  service: Service,
  { target }: Certificate,
): string => {
  if (isEmbedded) return `a new embedded ${name}`;
  const address = shownAddresses(baseUrls)[service];
  const before = target.embedded ? "the embedded sandbox" : target.baseUrls[service];
  return `${name}, ${address}${address === before ? "" : `; the certificate is about ${before}`}`;
};

const commandLine = (): Command =>
  createCommand("replay")
    .description(
      "Shows a finding again by the trial that found it: it logs in, creates what it needs, and removes it afterwards.\n" +
        "It asks the server that the certificate is about; if that was the embedded sandbox, a new one.",
    )
    .usage("[options] [certificate] <finding>")
    .argument("[certificate]", "certificate.json of the run that found it; by default of the last run")
    .argument("[finding]", "id of the finding, for example f-3")
    .option("--target <name>", "another server, configured in .env.<name> and the environment")
    .addOption(contractOption())
    .addHelpText(
      "after",
      "\nExit code: 0 the finding does not occur again, 1 it does, 2 bad arguments, 3 it can't be determined.",
    )
    .exitOverride();

/** @throws ConfigurationError when there is no such finding, or it is not about a service */
const findingOf = ({ findings, half }: Certificate, file: string, id: string): Finding => {
  if (half === "caller" || half === "listener") {
    throw new ConfigurationError(
      `${file} is about a ${half}: replay shows the findings about a service again.`,
    );
  }
  const finding = findings.find((one) => one.id === id);
  if (finding !== undefined) return finding;
  throw new ConfigurationError(`${file} has no finding "${id}". ${idsIn(findings)}`);
};

const idsIn = (findings: readonly Finding[]): string => {
  if (findings.length === 0) return "It has none.";
  const ids = findings.slice(0, MOST_NAMED).map(({ id }) => id);
  const others = findings.length - ids.length;
  return `Its findings are: ${ids.join(", ")}${others === 0 ? "" : ` and ${others} others`}.`;
};

const MOST_NAMED = 100;

const shownAgain = async (finding: Finding, options: ReplayOptions): Promise<number> => {
  const [contract] = options.contracts as readonly [Contract];
  const again = await replayTrial(finding, await trialsOf(contract), options);
  if (again.end === "unknown") {
    say(`\n${again.problem}`);
    return UNREACHED;
  }
  if (again.end === "broken") {
    const { failure, isSame } = again;
    say(
      `\n${isSame ? "" : `seen         ${failure.operationId}: ${failure.message}\n`}expected     ${failure.expected}`,
    );
    say(`got          ${failure.actual}${failure.curl === "" ? "" : `\ncurl         ${failure.curl}`}`);
  }
  const { code, words } = ENDS[again.end];
  say(`\n${words}`);
  return code;
};

const say = (text: string): void => print(`${text}\n`);

await runCommand(main, [UnknownDeviationError]);
