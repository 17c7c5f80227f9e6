/** Runs right and wrong callers and listeners: each wrong one must violate the requirement that it names. */
import type { Contract } from "../../../helpers/contract/contract.ts";
import { strongestOf, type TrialResult } from "../../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../../helpers/trials/run-info.ts";
import type { Evidence, MatrixRow } from "../../../reports/certificate/matrix.ts";
import { callersOf, openCallerBench } from "./callers.ts";
import { listenerSubjects } from "./listeners.ts";

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
