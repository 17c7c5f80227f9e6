/** Judges files of recorded traffic, both halves. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { commandWith } from "../../../helpers/contract/code.ts";
import type { Contract, Service } from "../../../helpers/contract/contract.ts";
import { missing } from "../../../helpers/contract/extension.ts";
import { createRecorder } from "../../../helpers/exchange/recorder.ts";
import { createRedactor, type Redactor } from "../../../helpers/exchange/redact.ts";
import {
  documentsOf,
  findBases,
  type Reading,
  readTraffic,
  startReading,
} from "../../../helpers/traffic/read.ts";
import type { Ending } from "../../../helpers/traffic/seen.ts";
import type { Traffic } from "../../../reports/certificate/certificate.ts";
import { EXIT_VIOLATIONS, exitCodeOf } from "../../../reports/certificate/exit-code.ts";
import { counted } from "../../../reports/text.ts";
import { conclude } from "../../../runner/command/baseline-options.ts";
import { knownVersion } from "../../../runner/command/changes.ts";
import { partAt } from "../../../runner/extensions.ts";
import { openServiceJudge } from "../../../runner/service-judge.ts";
import type { CallerJudge } from "../judging/judge.ts";
import type { CallerOptions } from "./caller-options.ts";
import { certifyTraffic, claimResults } from "./certify.ts";
import { openChangedCalls, openChangedReads } from "./changed-documents.ts";
import { openCallerJudge } from "./policies.ts";

export interface JudgeOptions extends CallerOptions {
  readonly files: readonly string[];
  /** The contract with the document that the given one replaces. */
  readonly since?: Contract | undefined;
}

/** @returns the exit code, and the text for the terminal */
export const judgeFiles = async (options: JudgeOptions) => {
  const { files, contracts, target, out, baseline } = options;
  const startedAt = new Date();
  const baseUrls = target?.baseUrls ?? (await findBases(files, contracts));
  const named = { name: target?.name ?? "recorded traffic", embedded: false, baseUrls };
  const redactor = createRedactor(target?.values ?? {}, contracts);
  const recorder = createRecorder(redactor);
  const { judge: caller, contracts: judged } = await openCallerJudge(contracts, baseUrls, recorder);
  claimResults(out, baseline, "caller");
  const server = await openServiceJudge(judged, recorder);
  const endings: Ending[] = [];
  const reading = startReading((ending) => {
    endings.push(ending);
    caller.end(ending);
  });
  const changed = await openChanged(judged, options, baseUrls, redactor);
  for await (const seen of readTraffic(files, judged, baseUrls, reading, redactor)) {
    server.see(seen);
    for (const one of changed) one.see(seen);
    // This removes large responses.
    caller.see(seen);
  }
  caller.end(reading.ending);
  const foreign = Object.fromEntries(reading.foreign);
  const notes = [...changed.flatMap((one) => one.lines()), ...notesOf(reading, baseUrls, contracts)];
  const traffic = trafficOf(caller, foreign, notes);
  const common = {
    ...{ target: named, contracts: judged, traffic, startedAt, accepted: baseline.accepted },
    again: commandWith("judge", ...files),
  };
  const serviceOut = join(out, "service");
  mkdirSync(serviceOut, { recursive: true });
  const ofServer = certifyTraffic({ ...common, half: "service", results: server.results(), out: serviceOut });
  const ofCaller = certifyTraffic({
    ...common,
    half: "caller",
    results: caller.results(),
    problems: failedBy(...endings, reading.ending),
    out,
  });
  const code = await conclude(out, baseline);
  // The baseline is one of callers.
  const failOn = baseline.failOn === "advisory" ? baseline.failOn : "violation";
  const isViolated = exitCodeOf(ofServer.certificate, failOn) === EXIT_VIOLATIONS;
  return {
    exitCode: code === 0 && isViolated ? EXIT_VIOLATIONS : code,
    text: [ofServer.summary, ofCaller.summary, ...linesOf(traffic).map((line) => `${line}\n`)].join(""),
  };
};

/**
 * Compares the traffic with each document that is not the one of its recording.
 * @throws ContractError if the extension that compares documents is missing
 */
const openChanged = async (
  contracts: readonly Contract[],
  { files, since }: JudgeOptions,
  baseUrls: Readonly<Record<Service, string>>,
  redactor: Redactor,
): Promise<Pick<ReturnType<typeof openChangedReads>, "see" | "lines">[]> => {
  const documents = await documentsOf(files);
  const opened = contracts.map(async (contract) => {
    const { service, provider } = contract;
    const recorded = documents[service];
    const own = since?.service === service ? since : undefined;
    if ((provider === null && own === undefined) || baseUrls[service] === undefined) return [];
    if (own === undefined && recorded?.digest === provider?.digest) return [];
    const found = recorded?.file === undefined ? undefined : await knownVersion(contract, recorded.file);
    const base = own ?? (found?.provider?.digest === recorded?.digest ? found : undefined);
    const comparison = await partAt("comparison");
    if (comparison === undefined) throw missing("A comparison of two documents", "diff");
    const { judgeOfRequests, changedAnswers } = comparison;
    const judge = judgeOfRequests(base, contract);
    const calls = openChangedCalls(contract, judge, baseUrls[service], redactor);
    const reads = base && openChangedReads(contract, changedAnswers(base, contract), redactor);
    return [calls, ...(reads === undefined ? [] : [reads])];
  });
  return (await Promise.all(opened)).flat();
};

/** The number of clients that a certificate lists. */
const MOST_CLIENTS = 100;

/** @param foreign the number of exchanges with other hosts, by origin */
export const trafficOf = (
  judge: CallerJudge,
  foreign: Traffic["foreign"],
  notes: readonly string[],
): Traffic => ({
  clients: [...judge.clients()].slice(0, MOST_CLIENTS).map(([name, exchanges]) => ({ name, exchanges })),
  billableCalls: judge.results().reduce((sum, { billableCalls }) => sum + billableCalls, 0),
  foreign,
  notes,
});

/** Returns why a client that failed is not certified. */
export const failedBy = (...runs: readonly Ending[]): string[] => {
  const codes = new Set(runs.flatMap(({ exitCode = 0 }) => (exitCode === 0 ? [] : [exitCode])));
  return [...codes].map((code) => `The command failed: it ended with exit code ${code}.`);
};

const notesOf = (
  reading: Reading,
  baseUrls: Readonly<Record<Service, string>>,
  contracts: readonly Contract[],
): string[] => {
  const services = contracts.map(({ service }) => service);
  const absent = services.filter((service) => baseUrls[service] === undefined);
  const { unreadable, absentBodies, leftOut, masked, untimed } = reading;
  const notes: readonly (readonly [amount: number, text: string])[] = [
    [unreadable, `${counted(unreadable, "entry", "entries")} can't be read as exchanges.`],
    [
      absentBodies,
      `${counted(absentBodies, "body", "bodies")} not whole in the archive: nobody is judged by them.`,
    ],
    [leftOut.size, `No request in the archive has ${[...leftOut].join(", ")}: nobody is judged by that.`],
    [masked, `${counted(masked, "exchange")} with masked values: nobody is judged by them.`],
    [untimed, `${counted(untimed, "exchange")} without a time: nothing over time is judged with them.`],
    [absent.length, `There is no traffic with ${absent.join(", ")}.`],
  ];
  return [...reading.notes, ...notes.flatMap(([amount, text]) => (amount > 0 ? [text] : []))];
};

/** Returns lines for the terminal. */
export const linesOf = ({ clients, billableCalls, foreign, notes }: Traffic): string[] => {
  const named = clients.map(({ name, exchanges }) => `${name} with ${counted(exchanges, "exchange")}`);
  const billed = billableCalls > 0 ? [counted(billableCalls, "billable call")] : [];
  return [
    `traffic: ${[...named, ...billed].join(", ") || "no exchange with a service"}`,
    ...Object.entries(foreign).map(
      ([origin, count]) => `not judged: ${counted(count, "exchange")} with ${origin}`,
    ),
    ...notes,
  ];
};
