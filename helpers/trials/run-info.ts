/** The plan of one run: what every part of it needs to know, and what only its own processes may. */
import type { AcceptList } from "../accept/acceptance.ts";
import type { Contract, Requirement, Service } from "../contract/contract.ts";
import type { Target } from "../target/target.ts";
import type { Depth } from "./trial.ts";

/** What `--operation` and `--requirement` chose; where both are given, a requirement has to meet both. */
export interface Selection {
  readonly operations?: readonly string[];
  readonly requirements?: readonly string[];
}

export interface PlannedContract {
  readonly service: Service;
  readonly version: string;
  readonly digest: string;
  readonly provider: Contract["provider"];
  /** Where the provider's document was read from, as the user gave it. */
  readonly providerFile?: string;
}

/** It travels in the test results and holds no secret. */
export interface RunInfo {
  readonly target: {
    readonly name: string;
    readonly embedded: boolean;
    readonly baseUrls: Readonly<Record<Service, string>>;
  };
  readonly contracts: readonly PlannedContract[];
  readonly services: readonly Service[];
  readonly seed: number;
  readonly depth: Depth;
  /** How long the sequences of all models may go on at exhaustive depth. */
  readonly sequenceSeconds?: number;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Directory that everything is written to. */
  readonly out: string;
  readonly selection: Selection | null;
  /** Counted from 1. */
  readonly shard: { readonly index: number; readonly total: number } | null;
  /** Services that are not tested, and why: `no base URL: set PARCEL_PICKUP_BASE_URL`. */
  readonly untested: Readonly<Record<Service, string>>;
  /** What the user knows to be wrong and accepts. */
  readonly accepted?: AcceptList;
}

/** Never written to a file or an environment, since it holds credentials: processes ask the coordinator for it. */
export interface RunPlan {
  readonly info: RunInfo;
  readonly target: Target;
  /** Folder that the test runner may empty. */
  readonly scratch: string;
  /** Whether the test runner was started by itself: its own reporters tell what came of the tests, and no certificate. */
  readonly standalone?: boolean;
  /** Whether Allure's results are written as well. */
  readonly allure?: boolean;
  /** Given where the run is only counted; `asExternal`: the target offers nothing that a stranger's would not. */
  readonly dryRun?: { readonly asExternal: boolean };
}

/** Name of the run's plan in the test runner's metadata. */
export const RUN_METADATA = "assay";

/** Name of the attachment that carries a trial's ledger page. */
export const LEDGER_ATTACHMENT = "ledger";

/** Annotation types of a test, by which Allure files it too: each requirement that its trial judges, and the trial's id. */
export const REQUIREMENT_ANNOTATION = "allure.label.story";
export const TRIAL_ANNOTATION = "allure.label.trial";

/** Whether the run was asked about this requirement. */
export const isSelected = (
  selection: Selection | null,
  requirement: Pick<Requirement, "id" | "operations">,
): boolean => {
  const { operations, requirements } = selection ?? {};
  if (requirements && !requirements.includes(requirement.id)) return false;
  return !operations || requirement.operations.some((operationId) => operations.includes(operationId));
};
