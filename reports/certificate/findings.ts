/** Turns the failures in a ledger into findings. The same failure in several trials is one finding. */
import { join, relative } from "node:path";
import { isExpired } from "../../helpers/accept/acceptance.ts";
import { fingerprintOf } from "../../helpers/accept/fingerprint.ts";
import { commandWith } from "../../helpers/contract/code.ts";
import type { Failure } from "../../helpers/trials/failure.ts";
import type { LedgerEntry } from "../../helpers/trials/ledger.ts";
import type { RunInfo } from "../../helpers/trials/run-info.ts";
import { byText } from "../order.ts";
import type { Finding } from "./certificate.ts";

interface NamedFailure extends Failure {
  readonly requirement: string;
  readonly fingerprint: string;
}

/** Numbers the findings `f-1`, `f-2`, … by requirement, operation and message; keeps the smallest example of each. */
export const collectFindings = (run: RunInfo, entries: readonly LedgerEntry[]): Finding[] => {
  const smallest = new Map<string, NamedFailure>();
  for (const { requirement, failure } of entries) {
    if (!failure) continue;
    const fingerprint = fingerprintOf(requirement, failure);
    const shown = { ...failure, requirement, fingerprint };
    const known = smallest.get(fingerprint);
    if (!known || bySize(shown, known) < 0) smallest.set(fingerprint, shown);
  }
  return [...smallest.values()].sort(byPlace).map((shown, index) => {
    const id = `f-${index + 1}`;
    const { keyword: _keyword, rank: _rank, trial, ...finding } = shown;
    return {
      ...{ id, ...finding },
      // No run can repeat the trial of a caller or a listener.
      ...(trial !== undefined && run.half === undefined && { trial }),
      replay: replayLine(run, id, shown),
      ...acceptedBy(run, shown.fingerprint),
    };
  });
};

/** Returns the accept list entry of a fingerprint. An expired entry does not count. */
const acceptedBy = (run: RunInfo, fingerprint: string): Pick<Finding, "accepted"> => {
  const entry = run.accepted?.entries.find((one) => one.fingerprint === fingerprint);
  if (!entry || isExpired(entry, new Date(run.startedAt))) return {};
  const { owner, reason, expires } = entry;
  return { accepted: { owner, reason, expires } };
};

const byTexts = (a: NamedFailure, b: NamedFailure, names: readonly (keyof NamedFailure)[]): number =>
  names.map((name) => byText(String(a[name]), String(b[name]))).find((order) => order !== 0) ?? 0;

/** The plainest example of a requirement and operation comes first. */
const byPlace = (a: NamedFailure, b: NamedFailure): number =>
  byTexts(a, b, ["requirement", "operationId"]) || byRank(a, b) || byTexts(a, b, ["message", "pointer"]);

const byRank = (a: NamedFailure, b: NamedFailure): number => (a.rank ?? 0) - (b.rank ?? 0);

/** Compares by size, then by text, so that the order of trials does not affect the result. */
const bySize = (a: NamedFailure, b: NamedFailure): number =>
  (a.sequence?.length ?? 1) - (b.sequence?.length ?? 1) ||
  byRank(a, b) ||
  sizeOf(a) - sizeOf(b) ||
  byTexts(a, b, ["curl", "actual", "expected", "trial"]);

const sizeOf = ({ exchanges, curl }: Failure): number => {
  const request = exchanges[0]?.request;
  return request ? request.url.length + (request.body?.length ?? 0) : curl.length;
};

/** Returns the command that reproduces a finding. The certificate stores the steps of a sequence for `replay`. */
const replayLine = (run: RunInfo, id: string, { requirement, sequence }: NamedFailure): string => {
  if (run.again !== undefined) return run.again;
  const target = run.document ?? (run.target.embedded ? [] : ["--target", run.target.name]);
  const isDemo = run.target.faults !== undefined;
  if (sequence) {
    const certificate = join(relative(process.cwd(), run.out), "certificate.json");
    return commandWith("replay", certificate, id, ...target);
  }
  // Every requirement id starts with its service.
  const service = run.services.find((one) => requirement.startsWith(`${one}.`));
  const { providerFile: file, changes } = run.contracts.find((one) => one.service === service) ?? {};
  const isOfChange = changes?.entries.some((change) => change.requirement === requirement) === true;
  return commandWith(
    "certify",
    ...target,
    ...(run.document ? [] : isDemo ? ["--demo"] : ["--service", `${service}`]),
    ...(file === undefined ? [] : ["--contract", `${service}=${file}`]),
    ...(isOfChange ? ["--since", changes.base.madeFrom?.file ?? `${changes.base.providerFile}`] : []),
    ...(run.selection?.excluded ? ["--exclude", run.selection.excluded.join()] : []),
    ...["--requirement", requirement, "--seed", `${run.seed}`, "--depth", run.depth],
  );
};
