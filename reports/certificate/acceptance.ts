/** Reports the state of each accept list entry after a run. */
import {
  type Acceptance,
  type AcceptanceState,
  type AcceptList,
  isExpired,
} from "../../helpers/accept/acceptance.ts";
import { requirementOf } from "../../helpers/accept/fingerprint.ts";
import type { RunInfo } from "../../helpers/trials/run-info.ts";
import type { Certificate, CertifiedRequirement, Finding } from "./certificate.ts";

export const useOf = (
  { file, entries }: AcceptList,
  run: Pick<RunInfo, "startedAt" | "shard" | "services">,
  requirements: readonly CertifiedRequirement[],
  findings: readonly Finding[],
): NonNullable<Certificate["accepted"]> => {
  const stateOf = (entry: Acceptance): AcceptanceState => {
    if (findings.some(({ fingerprint }) => fingerprint === entry.fingerprint)) {
      return isExpired(entry, new Date(run.startedAt)) ? "expired" : "in-force";
    }
    // Another shard may report this finding.
    if (run.shard) return "not-tried";
    const id = requirementOf(entry.fingerprint);
    const requirement = requirements.find((one) => one.id === id);
    const tried = requirement
      ? ["passed", "failed", "advisory"].includes(requirement.verdict)
      : run.services.some((service) => id.startsWith(`${service}.`));
    return tried ? "stale" : "not-tried";
  };
  return { file, entries: entries.map((entry) => ({ ...entry, state: stateOf(entry) })) };
};
