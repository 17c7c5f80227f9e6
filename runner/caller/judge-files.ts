/** Judges files of recorded traffic, both halves. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type CallerJudge, createCallerJudge } from "../../helpers/caller/judge.ts";
import { commandWith } from "../../helpers/contract/code.ts";
import type { Contract, Service } from "../../helpers/contract/contract.ts";
import { withHalfRows } from "../../helpers/contract/half-rows.ts";
import { createRecorder } from "../../helpers/exchange/recorder.ts";
import { createRedactor } from "../../helpers/exchange/redact.ts";
import { findBases, type Reading, readTraffic, startReading } from "../../helpers/traffic/read.ts";
import type { Traffic } from "../../reports/certificate/certificate.ts";
import { EXIT_VIOLATIONS, exitCodeOf } from "../../reports/certificate/exit-code.ts";
import { keepBaseline } from "../../reports/folder/baseline.ts";
import { certificatePath } from "../../reports/folder/certificate-file.ts";
import { claimFolder } from "../../reports/folder/out-folder.ts";
import { isColored } from "../../reports/print.ts";
import { renderSummary } from "../../reports/render/terminal.ts";
import { counted } from "../../reports/text.ts";
import { conclude } from "../command/baseline-options.ts";
import type { CallerOptions } from "../command/caller-options.ts";
import { certifyTraffic } from "./certify.ts";
import { callerPolicies } from "./policies.ts";
import { openServiceJudge } from "./service-judge.ts";

export interface JudgedFiles extends CallerOptions {
  readonly files: readonly string[];
}

export interface Judgement {
  readonly exitCode: number;
  /** Text for the terminal. */
  readonly text: string;
}

export const judgeFiles = async ({
  files,
  contracts,
  target,
  out,
  baseline,
}: JudgedFiles): Promise<Judgement> => {
  const startedAt = new Date();
  const baseUrls = target?.baseUrls ?? (await findBases(files, contracts));
  const named = { name: target?.name ?? "recorded traffic", embedded: false, baseUrls };
  const recorder = createRecorder(createRedactor(target?.values ?? {}));
  const judged = contracts
    .filter(({ service }) => baseUrls[service] !== undefined)
    .map((contract) => withHalfRows(contract, "caller"));
  claimFolder(out, "run");
  if (baseline.baseline !== undefined) keepBaseline(out, baseline.baseline, "caller");
  const caller = createCallerJudge({ contracts: judged, policies: await callerPolicies(judged), recorder });
  const server = await openServiceJudge(judged, recorder);
  const reading = startReading();
  for await (const seen of readTraffic(files, judged, baseUrls, reading)) {
    server.see(seen);
    // This removes large responses.
    caller.see(seen);
  }
  caller.end(reading.ending);
  const foreign = Object.fromEntries(reading.foreign);
  const traffic = trafficOf(caller, foreign, notesOf(reading, baseUrls, contracts));
  const common = {
    target: named,
    traffic,
    startedAt,
    again: [commandWith("judge"), ...files].join(" "),
    accepted: baseline.accepted,
  };
  const color = isColored();
  const serviceOut = join(out, "service");
  mkdirSync(serviceOut, { recursive: true });
  const ofServer = certifyTraffic({
    ...common,
    half: "service",
    contracts: judged,
    results: server.results(),
    out: serviceOut,
  });
  const ofCaller = certifyTraffic({
    ...common,
    half: "caller",
    contracts: judged,
    results: caller.results(),
    problems: refusedBy(caller),
    out,
  });
  const code = await conclude(out, baseline);
  return {
    exitCode: code === 0 && exitCodeOf(ofServer) === EXIT_VIOLATIONS ? EXIT_VIOLATIONS : code,
    text: [
      renderSummary(ofServer, { color, path: certificatePath(serviceOut) }),
      renderSummary(ofCaller, { color, path: certificatePath(out) }),
      ...linesOf(traffic).map((line) => `${line}\n`),
    ].join(""),
  };
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

/** Returns why the traffic certifies nobody although nothing is violated. */
export const refusedBy = (judge: CallerJudge): string[] =>
  [...judge.refusing()].map(
    ([service, requests]) =>
      `${service} accepted no request of the client (${counted(requests, "request")}).`,
  );

const notesOf = (
  reading: Reading,
  baseUrls: Readonly<Record<Service, string>>,
  contracts: readonly Contract[],
): string[] => {
  const absent = contracts
    .filter(({ service }) => baseUrls[service] === undefined)
    .map(({ service }) => service);
  return [
    ...reading.notes,
    ...(reading.unreadable > 0
      ? [`${counted(reading.unreadable, "entry", "entries")} can't be read as exchanges.`]
      : []),
    ...(reading.absentBodies > 0
      ? [
          `${counted(reading.absentBodies, "body", "bodies")} not whole in the archive: nobody is judged by them.`,
        ]
      : []),
    ...(reading.leftOut.size > 0
      ? [`No request in the archive has ${[...reading.leftOut].join(", ")}: nobody is judged by that.`]
      : []),
    ...(reading.masked > 0
      ? [`${counted(reading.masked, "exchange")} with masked values: nobody is judged by them.`]
      : []),
    ...(reading.untimed > 0
      ? [`${counted(reading.untimed, "exchange")} without a time: nothing over time is judged with them.`]
      : []),
    ...(absent.length > 0 ? [`There is no traffic with ${absent.join(", ")}.`] : []),
  ];
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
