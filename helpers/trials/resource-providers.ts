/** The ways to a resource: the operations that find one or create one, the cheapest first. */
import type { Contract, Operation, ResourcePlace } from "../contract/contract.ts";

/** Whether trials share what is arranged, or one has it for itself. */
export type Kind = "shared" | "exclusive";

export interface ResourceProvider {
  readonly operation: Operation;
  readonly place: ResourcePlace;
  readonly isNew: boolean;
}

/** Finding one that exists costs nothing; creating one comes next, and what is slow or billed last. */
export const providersOf = (contract: Contract, resource: string, kind: Kind): ResourceProvider[] => {
  const all = contract.operations.flatMap((operation): ResourceProvider[] => [
    ...placesOf(operation.finds, resource).map((place) => ({ operation, place, isNew: false })),
    ...placesOf(operation.produces, resource).map((place) => ({ operation, place, isNew: true })),
  ]);
  // What a list without an owner in its path shows is everybody's.
  const own = all.filter(({ operation, isNew }) => isNew || operation.path.includes("{"));
  const ways = kind === "exclusive" && own.length > 0 ? own : all;
  return ways.sort((a, b) => costOf(a) - costOf(b));
};

const costOf = ({ operation, isNew }: ResourceProvider): number =>
  // What finds one by making another thing is no mere look.
  (operation.method === "GET" ? 0 : 1) +
  (operation.hazards.includes("billable") ? 4 : 0) +
  (operation.hazards.includes("slow") ? 2 : 0) +
  (isNew ? 1 : 0);

const placesOf = (places: readonly ResourcePlace[], resource: string): ResourcePlace[] =>
  places.filter((place) => place.resource === resource);
