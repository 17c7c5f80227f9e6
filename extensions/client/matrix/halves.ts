/** Runs right and wrong callers and listeners: each wrong one must violate the requirement that it names. */
import type { Contract } from "../../../helpers/contract/contract.ts";
import { strongestOf, type TrialResult } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import type { Evidence, MatrixRow } from "../../../reports/certificate/matrix.ts";
import { callersOf, openCallerBench } from "./callers.ts";
import { listenerSubjects } from "./listeners.ts";

/**
 * Returns no rows for a service without subjects.
 * @param isSample whether only one of five wrong callers is run, and one wrong listener of each requirement, which gets only
 * the probe that finds it
 */
export const runSubjects = (
  half: NonNullable<RunInfo["half"]>,
  contract: Contract,
  isSample = false,
): Promise<MatrixRow[]> =>
  half === "caller" ? runCallers(contract, isSample) : runListeners(contract, isSample);

type Subject = Pick<MatrixRow, "kind" | "service" | "subject" | "violates">;

const rowOf = async (subject: Subject, run: () => Promise<readonly TrialResult[]>): Promise<MatrixRow> => {
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
  return {
    ...subject,
    ...judged(subject.violates, evidence),
    passed: strongest.flatMap(({ requirement, verdict }) => (verdict === "passed" ? [requirement] : [])),
    seconds: (performance.now() - started) / 1000,
  };
};

/** @param violates the requirement that the subject violates; `null` if it must be acquitted */
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

const runListeners = async (contract: Contract, isSample: boolean): Promise<MatrixRow[]> => {
  const rows: MatrixRow[] = [];
  const violated = new Set<string>();
  for (const { name, requirement, run } of await listenerSubjects(contract)) {
    if (isSample && requirement !== null && violated.has(requirement)) continue;
    if (requirement !== null) violated.add(requirement);
    const subject = {
      kind: "listener",
      service: contract.service,
      subject: name,
      violates: requirement,
    } as const;
    rows.push(await rowOf(subject, () => run(isSample)));
  }
  return rows;
};

const SAMPLED = 5;

/** Runs the callers of a service, each on a sandbox of its own; right ones with all exercises. */
const runCallers = async (contract: Contract, isSample: boolean): Promise<MatrixRow[]> => {
  const { service } = contract;
  const { right, wrong } = await callersOf(service);
  const bench = await openCallerBench(contract);
  const rows: MatrixRow[] = [];
  const clients = [
    ...right.map((client) => ({ client, violates: null, exercises: client.exercises ?? ["all"] })),
    ...wrong
      .filter((_, index) => !isSample || index % SAMPLED === 0)
      .map((client) => ({
        client,
        violates: `${service}.${client.requirement}`,
        exercises: client.exercises ?? [],
      })),
  ];
  try {
    for (const { client, violates, exercises } of clients) {
      const subject = { kind: "caller", service, subject: client.name, violates } as const;
      rows.push(await rowOf(subject, async () => (await bench.run(client, exercises)).results));
    }
  } finally {
    await bench.close();
  }
  return rows;
};
