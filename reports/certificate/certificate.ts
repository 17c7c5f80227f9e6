/** The certificate of a run: a verdict for every requirement, and the findings. */
import type { Acceptance, AcceptanceState } from "../../helpers/accept/acceptance.ts";
import type { GapVerdict } from "../../helpers/behaviour/gaps.ts";
import type { Contract, Operation, Requirement, Service } from "../../helpers/contract/contract.ts";
import type { Upgrade } from "../../helpers/contract/documents/upgrade.ts";
import type { Reason } from "../../helpers/reasons/reason.ts";
import type { Failure } from "../../helpers/trials/failure.ts";
import type { OperationCount, Verdict } from "../../helpers/trials/ledger.ts";
import type { PlannedContract, RunInfo } from "../../helpers/trials/run-info.ts";
import type { Comparison } from "./changes.ts";
import type { innocenceTotalOf, mutationTotalOf } from "./matrix.ts";
import type { Outcome } from "./outcome.ts";

export interface CertifiedRequirement
  extends Pick<Requirement, "id" | "service" | "level" | "statement" | "source"> {
  readonly verdict: Verdict;
  /** The reason for `not-tried` or `blocked`, or for an `advisory` in place of `failed`. */
  readonly reason: string | null;
  /** The code of its cause; absent in certificates of earlier versions. */
  readonly code?: Reason["code"];
  readonly exchanges: number;
  /** Ids of findings. */
  readonly findings: readonly string[];
  /** The requirement failed, and the user accepted all its findings. */
  readonly accepted?: true;
}

export interface CertifiedOperation
  extends Pick<
    Operation,
    "service" | "operationId" | "method" | "path" | "section" | "deprecated" | "leaves"
  > {
  /** The number of exchanges, including those without a response. */
  readonly exchanges: number;
  readonly statuses: readonly Pick<OperationCount, "status" | "documented" | "observed">[];
}

export interface Finding extends Omit<Failure, "keyword" | "rank"> {
  readonly id: string;
  readonly requirement: string;
  /** A command line that reproduces the finding. */
  readonly replay: string;
  /** Identifies the finding across runs; no two findings share a fingerprint. */
  readonly fingerprint: string;
  /** The matching accept list entry. An accepted finding is a violation that does not fail the run. */
  readonly accepted?: Omit<Acceptance, "fingerprint">;
}

/** Advisories with the same cause: a component schema, or a parameter of the same name. */
export interface AdvisoryCause {
  /** `a-1`, `a-2`, …: the cause of most requirements first. */
  readonly id: string;
  /** `schema Parcel`, `parameter limit`, or the id of a requirement that has no rule. */
  readonly cause: string;
  readonly requirements: readonly string[];
  /** The first one shows the example. */
  readonly operations: readonly string[];
  /** The id of one finding. */
  readonly example?: string;
}

/** The number of requirements with each verdict, and of exchanges. */
export interface Summary
  extends Readonly<
    Record<"requirements" | Exclude<Verdict, "not-tried"> | "notTried" | "exchanges", number>
  > {
  /** The number of failed requirements that are accepted; present only with an accept list. */
  readonly accepted?: number;
  /** The number of those that were violated, or passed and a changed answer would have violated them; of a service only. */
  readonly ableToFail?: number;
  /** The number of requirements about changes that no read of the run showed; absent if every change was shown. */
  readonly unseenChanges?: number;
}

export interface Certificate
  extends Pick<RunInfo, "target" | "seed" | "depth" | "startedAt" | "selection" | "shard" | "document"> {
  readonly format: "certificate/1";
  /** The half of the integration that was judged. */
  readonly half: "service" | "caller" | "listener";
  readonly contracts: readonly (Omit<PlannedContract, "providerFile" | "corrections" | "changes"> & {
    /** The frozen requirement set of this version; `null` when there is none. */
    readonly requirementSet?: Contract["requirementSet"];
  })[];
  readonly durationMs: number;
  readonly outcome: Outcome;
  /** Whether a selection, an upgrade, a budget or a shard limited what was tried; absent in old certificates. */
  readonly partial?: boolean;
  /** What a budget allowed, and what it left out. The trials that find most classes of faults for their requests come first. */
  readonly budget?: {
    /** The maximum number of requests. */
    readonly requests?: number;
    /** The maximum duration. */
    readonly seconds?: number;
    /** The number of trials that were left out or cut short. */
    readonly trialsLeftOut: number;
    /** The share of the faults of the sandbox that the run does not find therefore, in percent. */
    readonly faultsLeftOut: number;
    /** The share of the classes of these faults of which the run finds none, in percent; absent in old certificates. */
    readonly classesLeftOut?: number;
  };
  readonly summary: Summary;
  readonly operations: readonly CertifiedOperation[];
  readonly requirements: readonly CertifiedRequirement[];
  readonly findings: readonly Finding[];
  /** The causes of the advisories; absent in old certificates. */
  readonly advisories?: readonly AdvisoryCause[];
  /** What trials noted in cases that the documents do not define. */
  readonly observations: readonly {
    readonly service: Service;
    readonly subject: string;
    readonly gap: string | null;
    readonly observed: readonly string[];
  }[];
  /** The observation register: the verdicts at level `gap`, which do not count in the summary; only if a target was tried. */
  readonly register?: readonly GapVerdict[];
  /** The fingerprint of behaviour by service: JSON, compressed with Brotli, in base64. */
  readonly behaviour?: Readonly<Record<Service, string>>;
  /** Problems of the run itself, as messages for the user. Any problem makes the run incomplete. */
  readonly problems: readonly string[];
  /** The state of each accept list entry. */
  readonly accepted?: {
    readonly file: string;
    readonly entries: readonly (Acceptance & { readonly state: AcceptanceState })[];
  };
  /** The mutation score of the checks; `null` when they have none. */
  readonly mutation?: ReturnType<typeof mutationTotalOf> | null;
  /** The innocence score of the checks; `null` when they have none. */
  readonly innocence?: ReturnType<typeof innocenceTotalOf> | null;
  /** What was read, if recorded traffic was judged. */
  readonly traffic?: Traffic;
  /** The changes since the baseline. */
  readonly comparison?: Comparison;
  /** The upgrade of a provider's document that selected the operations of this run. */
  readonly since?: Upgrade;
}

/** What a judgement of recorded traffic is based on. */
export interface Traffic {
  readonly clients: readonly { readonly name: string; readonly exchanges: number }[];
  /** The number of billable calls that were accepted. */
  readonly billableCalls: number;
  /** The number of exchanges with other hosts, by origin. They were not judged. */
  readonly foreign: Readonly<Record<string, number>>;
  /** Messages about what is missing in the recording. */
  readonly notes: readonly string[];
}

export interface TrialFact {
  readonly trial: string;
  readonly requirements: readonly string[];
  /** `interrupted`: the run ended first; `broken`: the trial crashed or timed out. */
  readonly state: "planned" | "finished" | "interrupted" | "broken";
  /** The reason for `interrupted` or `broken`. */
  readonly reason?: Reason;
}

export interface RunFacts {
  readonly trials: readonly TrialFact[];
  readonly problems: readonly string[];
  readonly durationMs: number;
  readonly traffic?: Traffic;
  /** True while the run has not finished. Such a run is incomplete, even with violations. */
  readonly brokenOff?: boolean;
}
