/** Tells what became of the entries of an accept list in a run. */

import { type Acceptance, type AcceptList, isExpired } from "../helpers/accept/acceptance.ts";
import { requirementOf } from "../helpers/accept/fingerprint.ts";
import type { RunInfo } from "../helpers/trials/run-info.ts";
import type { AcceptanceState, AcceptListUse, CertifiedRequirement, Finding } from "./certificate.ts";

export const useOf = (
  { file, entries }: AcceptList,
  run: Pick<RunInfo, "startedAt" | "shard" | "services">,
  requirements: readonly CertifiedRequirement[],
  findings: readonly Finding[],
): AcceptListUse => ({
  file,
  entries: entries.map((entry) => ({ ...entry, state: stateOf(entry, run, requirements, findings) })),
});

const TRIED: readonly CertifiedRequirement["verdict"][] = ["passed", "failed", "advisory"];

const stateOf = (
  entry: Acceptance,
  run: Pick<RunInfo, "startedAt" | "shard" | "services">,
  requirements: readonly CertifiedRequirement[],
  findings: readonly Finding[],
): AcceptanceState => {
  if (findings.some(({ fingerprint }) => fingerprint === entry.fingerprint)) {
    return isExpired(entry, new Date(run.startedAt)) ? "expired" : "in-force";
  }
  // Another shard may find it.
  if (run.shard) return "not-tried";
  const id = requirementOf(entry.fingerprint);
  const requirement = requirements.find((one) => one.id === id);
  if (requirement) return TRIED.includes(requirement.verdict) ? "stale" : "not-tried";
  return run.services.some((service) => id.startsWith(`${service}.`)) ? "stale" : "not-tried";
};
