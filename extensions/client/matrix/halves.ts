/** Runs right and wrong callers and listeners: each wrong one must violate the requirement that it names. */
import type { Contract } from "../../../helpers/contract/contract.ts";
import { selfSigned } from "../../../helpers/flows/self-signed.ts";
import { strongestOf, type TrialResult } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import type { Evidence, MatrixRow } from "../../../reports/certificate/matrix.ts";
import { listenerKinds, tryListeners } from "../certifying/listen.ts";
import type { ListenerKind, ProbeName } from "../listener/kind.ts";
import { startListener } from "../subjects/listener.ts";
import { type ListenerRow, right, wrongOf } from "../subjects/listener-rows.ts";
import { RIGHT } from "../subjects/manners.ts";
import { callersOf, openCallerBench } from "./callers.ts";

/** A caller or listener; `violates` is the full id of a requirement, or `null` if it must be acquitted. */
interface Subject extends Pick<MatrixRow, "subject" | "violates"> {
  run(): Promise<readonly TrialResult[]>;
}

/**
 * Returns no rows for a service without subjects.
 * @param isSample whether only one of five wrong callers is run, and one wrong listener of each requirement, which gets only
 * the probe that finds it
 */
export const runSubjects = async (
  half: NonNullable<RunInfo["half"]>,
  contract: Contract,
  isSample = false,
): Promise<MatrixRow[]> => {
  const { service } = contract;
  if (half === "listener") return rowsOf(half, service, await listenerSubjects(contract, isSample));
  const { right, wrong } = await callersOf(service);
  const bench = await openCallerBench(contract);
  const subject = ({ name, ...client }: (typeof right)[number], violates: string | null): Subject => {
    const exercises = client.exercises ?? (violates === null ? ["all"] : []);
    return { subject: name, violates, run: async () => (await bench.run(client, exercises)).results };
  };
  const run = wrong.filter((_, index) => !isSample || index % SAMPLED === 0);
  return rowsOf(half, service, [
    ...right.map((client) => subject(client, null)),
    ...run.map((client) => subject(client, `${service}.${client.requirement}`)),
  ]).finally(bench.close);
};

const SAMPLED = 5;

const rowsOf = async (
  kind: MatrixRow["kind"],
  service: string,
  subjects: readonly Subject[],
): Promise<MatrixRow[]> => {
  const rows: MatrixRow[] = [];
  for (const { run, ...subject } of subjects) {
    const started = performance.now();
    const entries = (await run()).flatMap((result) =>
      result.entries.map((entry) => ({ ...entry, trial: result.trial })),
    );
    const strongest = [...strongestOf(entries).values()];
    const evidence = strongest.flatMap(({ requirement, verdict, trial, failure }): Evidence[] =>
      verdict === "failed" || verdict === "advisory"
        ? [{ requirement, verdict, trial, reason: failure?.message ?? "" }]
        : [],
    );
    rows.push({
      ...{ kind, service, ...subject },
      ...judged(subject.violates, evidence),
      passed: strongest.flatMap(({ requirement, verdict }) => (verdict === "passed" ? [requirement] : [])),
      seconds: (performance.now() - started) / 1000,
    });
  }
  return rows;
};

const judged = (
  violates: string | null,
  evidence: readonly Evidence[],
): Pick<MatrixRow, "status" | "evidence"> => {
  if (violates === null) return { status: evidence.length === 0 ? "acquitted" : "convicted", evidence };
  const named = evidence.filter(({ requirement }) => requirement === violates);
  const others = evidence.filter(({ requirement }) => requirement !== violates);
  const status = named.length > 0 ? "by-name" : others.length > 0 ? "by-another" : "survived";
  return { status, evidence: [...named, ...others] };
};

/** @param isSample whether one wrong listener of each requirement is run, which gets only the probe that finds it */
const listenerSubjects = async (contract: Contract, isSample: boolean) => {
  const kinds = (await listenerKinds()).filter(({ service }) => service === contract.service);
  const violated = new Set<string>();
  return kinds.flatMap((kind) =>
    [...right, ...wrongOf(kind.kind)].flatMap((row) => {
      const probe = row.probe as ProbeName | undefined;
      const violates = probe === undefined ? null : `${contract.service}.${kind.requirements[probe]}`;
      if (isSample && violates !== null && violated.has(violates)) return [];
      if (violates !== null) violated.add(violates);
      const only = isSample && probe !== undefined ? [probe] : undefined;
      return [
        { subject: `${kind.kind}: ${row.name}`, violates, run: () => tryOne(contract, kind, row, only) },
      ];
    }),
  );
};

/** The address that listeners have at the service. The requests go to the listener on this machine. */
const PUBLIC = "https://listener.example.com/events";
const TIME_LIMIT_MS = 5_000;
/** Longer than wrong listeners wait for the rest of a body. */
const PAUSE_MS = 200;

const tryOne = async (
  contract: Contract,
  kind: ListenerKind,
  { manners, url = PUBLIC }: ListenerRow,
  only: readonly ProbeName[] | undefined,
): Promise<readonly TrialResult[]> => {
  const listener = await startListener(
    { ...RIGHT, ...manners },
    url.startsWith("https:") ? selfSigned(new URL(url).hostname) : undefined,
  );
  try {
    const { results } = await tryListeners({
      kind,
      contract,
      urls: [url],
      timeLimitMs: TIME_LIMIT_MS,
      pauseMs: PAUSE_MS,
      effect: listener.effect,
      ...(only && { only }),
      connectTo: { host: listener.host, port: listener.port },
    });
    return results;
  } finally {
    await listener.close();
  }
};
