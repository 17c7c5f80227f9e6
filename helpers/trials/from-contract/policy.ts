/** The policy of a service: the data and functions that adapt the generated trials to it. */
import type fc from "fast-check";
import type { RuleResult } from "../../checks/rules.ts";
import type { JsonSchema, Operation, Response, Rule, Service } from "../../contract/contract.ts";
import type { CheckResult } from "../../exchange/check-result.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { GenerateContext } from "../../generate/context.ts";
import type { ProbePair } from "../../generate/edit.ts";
import type { ProbeKind } from "../../generate/probes.ts";
import type { Call } from "../call.ts";
import type { ObservedContext, TrialContext } from "../trial.ts";

/** A policy. Requirement ids omit the service prefix. */
export interface Policy {
  readonly service: Service;
  /** The expected refusal of a request that breaks a rule. */
  readonly refusal: {
    readonly statuses: readonly number[];
    readonly words?: string;
    /** Other statuses that refuse it if the document lists them for the operation. */
    readonly ifListed?: readonly number[];
  };
  /** Whether a control that is refused is judged beside the call without its parameter. */
  readonly judgesControls?: true;
  /** Additional statuses that the documents allow for every operation. */
  readonly otherStatuses?: readonly number[];
  /** The checks of each answer, in any trial and in recorded traffic. */
  readonly answers?: readonly AnswerCheck[];
  /** Requirements of the whole service that refusals of all operations show. */
  readonly shared?: {
    /** The requirement that every call needs credentials. */
    readonly credentialsNeeded?: string;
    readonly notFound?: string;
    readonly unauthorized?: string;
  };
  /** Calls with wrong credentials, in addition to the call without any. */
  readonly credentials?: readonly CredentialVariant[];
  /** Credentials of which calls with a similar value are sent too: one slip for each operation. A server must compare whole values. */
  readonly similarCredentials?: readonly (Pick<CredentialVariant, "statuses" | "requirements"> & {
    /** Name of the security scheme. */
    readonly scheme: string;
  })[];
  /** Returns the subject of the gap for an observation; without a subject it is not sent. */
  gapOf?(rule: Rule, kind: Pick<ProbeKind, "kind">): string | undefined;
  /** The subject of the gap for malformed identifiers. */
  readonly malformedIdGap?: string;
  /** Whether log-ins get generated trials, because no scenario tries them. */
  readonly hasLogInTrials?: true;
  /** Runs a generated trial with additional prerequisites of the operation. */
  provide?(
    context: TrialContext,
    operation: Operation,
    run: (context: TrialContext) => Promise<void>,
  ): Promise<void>;
  /** Returns valid calls of the operation; `undefined` to generate them from the contract. */
  calls?(context: TrialContext, operation: Operation, count: number): Promise<Call[]> | undefined;
  /**
   * Returns the requests for trying a rule; `undefined` to generate them from the contract.
   * @param turn index of the probe
   */
  requests?(
    context: TrialContext,
    operation: Operation,
    rule: Rule,
    turn: number,
  ): Promise<Requests> | undefined;
  /** Whether the response shows that the server executed the request; if absent, any 2xx does. */
  isCarriedOut?(exchange: Exchange): boolean;
  /**
   * Whether a refused boundary value may have been refused only because it is unknown to the target; if absent, the
   * kind of the probe decides.
   */
  mayBeUnknown?(context: TrialContext, rule: Rule, kind: ProbeKind): boolean;
  /** Judges the content of a refusal, with its accepted control if there is one. @returns whether it names the field under test */
  judgeRefusal?(context: TrialContext, rule: Rule, kind: ProbeKind, shown: readonly Exchange[]): boolean;
  /** Whether the documents do not define if a response rule applies to this body. */
  readonly isOpen?: (
    broken: Pick<Rule, "keyword" | "pointer">,
    exchange: Exchange,
    context: ObservedContext,
  ) => boolean;
  /** Judges additional requirements on a response. */
  readonly judgeResponse?: (
    exchange: Exchange,
    context: ObservedContext,
    results: readonly RuleResult[],
  ) => void;
}

/** A check of each answer by itself. */
export interface AnswerCheck {
  /** The id of the requirement, without the service. */
  readonly requirement: string;
  /** The operations whose answers are checked; all if absent. */
  readonly operations?: readonly string[];
  /** Whether only violations are recorded, because a scenario shows that the requirement can be violated. */
  readonly isTriedByScenario?: true;
  /** @returns `undefined` when the answer shows nothing about the requirement */
  check(
    exchange: Exchange,
    promised: Response | undefined,
    context: ObservedContext,
  ): CheckResult | undefined;
}

export interface CredentialVariant {
  readonly what: string;
  /** Values by name of the security scheme; `null` omits the header. */
  readonly headers: Readonly<Record<string, string | null>>;
  /** Expected statuses of the refusal. */
  readonly statuses: readonly number[];
  /** Whether the call has only one of several credentials. */
  readonly single: boolean;
  readonly requirements: readonly string[];
}

/**
 * A probe at the boundary of a rule or just outside it, and its control, which is the same request without the tested
 * change.
 */
export interface Sample {
  readonly control: Call;
  readonly probe: Call;
}

/** Generates the requests of an operation around a tested value. */
export interface Requests {
  /** Returns the schema that the pointer of a rule refers to. */
  schemaOf(rule: Rule): JsonSchema;
  readonly generation: GenerateContext;
  samples(rule: Rule, pairs: fc.Arbitrary<ProbePair>): fc.Arbitrary<Sample>;
}
