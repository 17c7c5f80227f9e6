/** Builds a generated trial of one operation. */
import type { Contract, Level, Operation } from "../../contract/contract.ts";
import { requirementOf } from "../../contract/lookups.ts";
import type { Trial, TrialContext } from "../trial.ts";
import type { Policy } from "./policy.ts";
import { observeResponse } from "./responses.ts";

export interface Subject {
  readonly contract: Contract;
  readonly policy: Policy;
  readonly operation: Operation;
}

/** Returns the level of a requirement, which a document may state and a server may confirm. */
export const statedLevel = ({ contract }: Subject, requirement: string): Level =>
  requirementOf(contract, requirement)?.level ?? "assumed";

/** Servers handle credentials and identifiers in one place: a run that saves requests tries all with one of so many operations. */
const MANY = 20;

export const isOneOfMany = ({ contract, operation }: Subject): boolean =>
  contract.operations.indexOf(operation) % MANY === 0;

/** @returns one trial, or none if the contract has none of the requirements */
export const operationTrial = (
  { contract, policy, operation }: Subject,
  {
    name,
    title,
    section = operation.section,
    requirements,
  }: {
    /** Name of the trial, unique within its operation. */
    readonly name: string;
    readonly title: string;
    /** Section of the document; the section of the operation by default. */
    readonly section?: string;
    /** Full requirement ids; those that the contract does not have are ignored. */
    readonly requirements: readonly string[];
  },
  run: (context: TrialContext) => Promise<void>,
): Trial[] => {
  const { operationId } = operation;
  const stated = [...new Set(requirements)].filter(
    (requirement) => requirementOf(contract, requirement) !== undefined,
  );
  if (stated.length === 0) return [];
  return [
    {
      id: `${operationId}/${name}`,
      service: contract.service,
      title: `${operationId}: ${title}`,
      section,
      operations: [operationId],
      requirements: stated,
      hazards: [],
      runsAgain: false,
      run: (context) =>
        policy.provide === undefined ? run(context) : policy.provide(context, operation, run),
      observe: observeResponse(policy),
    },
  ];
};
