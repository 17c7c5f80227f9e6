/** The plan of a run: public information for the results, and private information for its processes. */
import type { AcceptList } from "../accept/acceptance.ts";
import type { Contract, Requirement, Service } from "../contract/contract.ts";
import type { LoadOptions } from "../contract/load.ts";
import { memoize } from "../contract/memoize.ts";
import type { Reason } from "../reasons/reason.ts";
import type { Target } from "../target/target.ts";
import type { Depth } from "./trial.ts";
import type { RankedTrial } from "./trial-order.ts";

/** The selection by `--operation`, `--exclude` and `--requirement`. A requirement must match each of them. */
export interface Selection {
  /** The operations that are tried. */
  readonly operations?: readonly string[];
  /** The operations that are never called. */
  readonly excluded?: readonly string[];
  readonly requirements?: readonly string[];
}

export interface PlannedContract extends Pick<LoadOptions, "providerFile" | "corrections" | "changes"> {
  readonly service: Service;
  readonly version: string;
  readonly digest: string;
  readonly provider: Contract["provider"];
  /** The path or address of the user's document, if the service comes from `--document`. */
  readonly document?: string;
  /** The digest of that document, which has the digests of its files. */
  readonly documentDigest?: string;
}

/** The user's limits for a run. */
export interface Budget {
  readonly requests?: number;
  readonly seconds?: number;
}

/** The public part of the plan. It is stored in the test results and contains no secrets. */
export interface RunInfo {
  readonly target: {
    readonly name: string;
    readonly embedded: boolean;
    readonly baseUrls: Readonly<Record<Service, string>>;
    /** Ids of the faults of the embedded sandbox, if it has any. */
    readonly faults?: readonly string[];
  };
  readonly contracts: readonly PlannedContract[];
  readonly services: readonly Service[];
  readonly seed: number;
  readonly depth: Depth;
  /** In ISO 8601 format. */
  readonly startedAt: string;
  /** The output directory. */
  readonly out: string;
  readonly selection: Selection | null;
  /** The index starts at 1. */
  readonly shard: { readonly index: number; readonly total: number } | null;
  /** What the run may send, if the user limited it. The trials that find most for their requests come first. */
  readonly budget?: Budget;
  /** Untested services with the reason: `no base URL: set PARCEL_PICKUP_BASE_URL`. */
  readonly untested: Readonly<Record<Service, Reason>>;
  /** Known violations that the user accepts. */
  readonly accepted?: AcceptList;
  /** The half of an integration that is judged, if it is not the service. */
  readonly half?: "caller" | "listener";
  /** The options that name the document and its server, if the service comes from `--document`. */
  readonly document?: readonly string[];
  /** The command that shows the findings again, if it is not `npm run certify` with a requirement. */
  readonly again?: string;
}

/** The full plan. It contains credentials, so it is never written to a file; processes get it from the coordinator. */
export interface RunPlan {
  readonly info: RunInfo;
  readonly target: Target;
  /** The trials of the services of which it is known what they prove, the most proof for a request first. */
  readonly order: readonly RankedTrial[];
  /** A folder that the test runner may empty. */
  readonly scratch: string;
  /** The number of processes that run trials. */
  readonly workers: number;
  /**
   * Whether the user started the test runner directly. Its own reporters are then used, and no certificate is written.
   */
  readonly standalone?: boolean;
  /** Whether the results keep requests that show a behaviour, since they may be compared with a baseline. */
  readonly comparable?: true;
  /** Whether to write Allure results. */
  readonly allure?: boolean;
  /** Whether to report events to the command that started the test runner. */
  readonly events?: true;
  /**
   * Set if the run only counts requests. `asExternal`: the target has only the capabilities of an external target.
   * `situations`: a situations file, which adds capabilities.
   */
  readonly dryRun?: { readonly asExternal: boolean; readonly situations?: string };
}

/** The key of the run's plan in the test runner's metadata. */
export const RUN_METADATA = "assay";

/** The name of the attachment with the result of a trial. */
export const LEDGER_ATTACHMENT = "ledger";

/** The annotation types for a trial's service, requirements, operations and id. Allure reads them as labels. */
export const SERVICE_ANNOTATION = "allure.label.parentSuite";
export const REQUIREMENT_ANNOTATION = "allure.label.story";
export const OPERATION_ANNOTATION = "allure.label.subSuite";
export const TRIAL_ANNOTATION = "allure.label.trial";

/** Whether the run selects this requirement. */
export const isSelected = (
  selection: Selection | null,
  requirement: Pick<Requirement, "id" | "operations">,
): boolean => {
  if (selection === null) return true;
  const { operations, requirements } = namesIn(selection);
  if (requirements?.has(requirement.id) === false) return false;
  if (!operations) return true;
  // A change may be about an operation that the contract lacks: only its own name selects it.
  if (requirement.operations.length === 0) return requirements !== undefined;
  return requirement.operations.some((operationId) => operations.has(operationId));
};

const namesIn = memoize(({ operations, requirements }: Selection) => ({
  operations: operations && new Set(operations),
  requirements: requirements && new Set(requirements),
}));
