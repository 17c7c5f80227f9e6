/** The reads that show a resource: by itself, or in a list. */
import type { Contract, Operation, Rule } from "./contract.ts";
import { grouped, keptIn, oncePer } from "./once.ts";

export interface View {
  readonly operation: Operation;
  /** Whether the resource is an item of a list. */
  readonly isList: boolean;
}

/** Returns the reads whose answers are about the resource. Those that do harm or cost money are left out. */
export const viewsOf = (contract: Contract, resource: string): readonly View[] =>
  keptIn(viewsBy(contract), resource, () =>
    contract.operations.flatMap((operation): View[] => {
      if (operation.method !== "GET" || operation.hazards.length > 0 || !operation.repeatable) return [];
      const places = placesIn(contract, operation);
      const shows = (pointer: string) =>
        places.some((place) => place.pointer === pointer && place.schema["x-resource"] === resource);
      const { list, parameters } = operation;
      if (list !== undefined) return shows(`${list.items}/*/id`) ? [{ operation, isList: true }] : [];
      const own = parameters.findLast(({ in: place }) => place === "path");
      // An answer about another resource, such as a part of it, may name it too.
      const isAbout = shows("/id") || !places.some(({ pointer }) => pointer === "/id");
      const isOwn =
        isAbout && own?.resource === resource && [own.name, "id"].some((name) => shows(`/${name}`));
      return isOwn ? [{ operation, isList: false }] : [];
    }),
  );

const viewsBy = oncePer((_: Contract) => new Map<string, readonly View[]>());

const placesIn = (contract: Contract, { operationId }: Operation): readonly Rule[] =>
  placesBy(contract).get(operationId) ?? [];

/** The places of resources in successful answers, by operation. */
const placesBy = oncePer(({ rules }: Contract) =>
  grouped(
    rules.filter(
      ({ direction, status = 0, schema }) =>
        direction === "response" && status < 300 && schema["x-resource"] !== undefined,
    ),
    ({ operationId }) => operationId,
  ),
);
