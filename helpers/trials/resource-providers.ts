/** Lists the operations that find or create a resource, the cheapest first. */
import type { Contract, Operation, ResourcePlace } from "../contract/contract.ts";

/** Whether trials share the arranged resource, or only one trial uses it. */
export type Kind = "shared" | "exclusive";

export interface ResourceProvider {
  readonly operation: Operation;
  readonly place: ResourcePlace;
  readonly isNew: boolean;
}

/** Returns the ways to get a resource. Finding one is cheapest, then creating one. Slow and billable calls are last. */
export const providersOf = (contract: Contract, resource: string, kind: Kind): ResourceProvider[] => {
  const all = contract.operations.flatMap((operation): ResourceProvider[] => [
    ...placesOf(operation.finds, resource).map((place) => ({ operation, place, isNew: false })),
    ...placesOf(operation.produces, resource).map((place) => ({ operation, place, isNew: true })),
  ]);
  // A list without an owner in its path returns resources that other trials use too.
  const own = all.filter(({ operation, isNew }) => isNew || operation.path.includes("{"));
  const ways = kind === "exclusive" && own.length > 0 ? own : all;
  return ways.sort((a, b) => costOf(a) - costOf(b));
};

const costOf = ({ operation, isNew }: ResourceProvider): number =>
  // Finding a resource with another method than GET may create something else.
  (operation.method === "GET" ? 0 : 1) +
  (operation.hazards.includes("billable") ? 4 : 0) +
  (operation.hazards.includes("slow") ? 2 : 0) +
  (isNew ? 1 : 0);

const placesOf = (places: readonly ResourcePlace[], resource: string): ResourcePlace[] =>
  places.filter((place) => place.resource === resource);
