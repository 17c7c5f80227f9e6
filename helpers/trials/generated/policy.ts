/** How the generated trials of one service differ from those of any other: data, and a few functions. */
import type fc from "fast-check";
import type { RuleResult } from "../../checks/rules.ts";
import type { JsonSchema, Operation, Rule, Service } from "../../contract/contract.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { GenerateContext } from "../../generate/context.ts";
import type { ProbeKind, ProbePair } from "../../generate/probes.ts";
import type { Call } from "../call.ts";
import type { TrialContext } from "../trial.ts";

/** Requirement ids are written without the service in front. */
export interface Policy {
  readonly service: Service;
  /** What refuses a request that breaks a rule. */
  readonly refusal: { readonly statuses: readonly number[]; readonly words?: string };
  /** Statuses that the documents allow for every operation, besides those of the contract. */
  readonly otherStatuses?: readonly number[];
  /** Requirements of the whole interface that the answers of all operations show. */
  readonly shared?: {
    readonly jsonBodies?: string;
    /** That no call goes without credentials. */
    readonly credentialsNeeded?: string;
    readonly notFound?: string;
    readonly unauthorized?: string;
  };
  /** Calls with wrong credentials, besides the call without any. */
  readonly credentials?: readonly CredentialVariant[];
  /** Subject of the gap that an answer to an observation belongs to; observations are not sent if absent. */
  gapOf?(rule: Rule, kind: ProbeKind): string;
  /** Subject of the gap that the answer to a malformed identifier belongs to. */
  readonly malformedIdGap?: string;
  /** Runs a generated trial of the operation with what its calls need beyond identifiers. */
  provide?(
    context: TrialContext,
    operation: Operation,
    run: (context: TrialContext) => Promise<void>,
  ): Promise<void>;
  /** Valid calls of the operation; `undefined` where the contract tells how to make them. */
  calls?(context: TrialContext, operation: Operation, count: number): Promise<Call[]> | undefined;
  /**
   * The requests in which a rule is tried; `undefined` where the contract tells how to make them.
   * @param turn counts the probes of the rule
   */
  requests?(
    context: TrialContext,
    operation: Operation,
    rule: Rule,
    turn: number,
  ): Promise<Requests> | undefined;
  /** Whether an accepted request shows that it was carried out; a 2xx alone does if absent. */
  isCarriedOut?(exchange: Exchange): boolean;
  /** Whether a refused boundary value may only be unknown to the target; by the kind of the probe if absent. */
  mayBeUnknown?(context: TrialContext, rule: Rule, kind: ProbeKind): boolean;
  /** Judges what a refusal says besides its status. @returns whether it is about the field under test */
  judgeRefusal?(context: TrialContext, rule: Rule, kind: ProbeKind, refusal: Exchange): boolean;
  /** Whether the documents leave open what a rule of a response says about this body. */
  isOpen?(rule: Rule, exchange: Exchange, context: TrialContext): boolean;
  /** Judges what an answer shows beyond the rules of its contract. */
  judgeResponse?(exchange: Exchange, context: TrialContext, results: readonly RuleResult[]): void;
}

export interface CredentialVariant {
  readonly what: string;
  /** By name of the security scheme; `null` leaves its header out. */
  readonly headers: Readonly<Record<string, string | null>>;
  /** Statuses of the refusal. */
  readonly statuses: readonly number[];
  /** Whether only one of several credentials is given. */
  readonly single: boolean;
  readonly requirements: readonly string[];
}

/** A request that just keeps to a rule, or just breaks it, and its control: the same request without that. */
export interface Sample {
  readonly control: Call;
  readonly probe: Call;
}

/** How the requests of an operation are made around a value under test. */
export interface Requests {
  /** Schema in which the pointer of a rule lies. */
  schemaOf(rule: Rule): JsonSchema;
  readonly generation: GenerateContext;
  samples(rule: Rule, pairs: fc.Arbitrary<ProbePair>): fc.Arbitrary<Sample>;
}
