/**
 * Bindings of a contract: where the provider's document has what the contract names. They are guesses by name, place and
 * shape, made when both are joined. A run writes them to a file, and the user may correct them (`BINDINGS`).
 */

import type { Bindings, Contract, Operation, Shapes } from "../contract.ts";
import { ContractError } from "../documents/source-file.ts";
import { yaml } from "../documents/yaml.ts";
import { successBodies } from "../lookups.ts";
import { hasPlace } from "../schemas/schema-visitor.ts";
import { placesIn } from "./binding-places.ts";

/** The correction of a guess where the provider's document does not have the place. */
export const NONE = "none";

/** Returns the bindings of what begins with a text on our side and on theirs, without it: `/name/first` → `/firstName`. */
export const boundWithin = (
  bound: Bindings[string] = {},
  ours: string,
  theirs = "",
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(bound).flatMap(([one, other]) =>
      one.startsWith(ours) && (other === NONE || other.startsWith(theirs))
        ? [[one.slice(ours.length), other === NONE ? NONE : other.slice(theirs.length)]]
        : [],
    ),
  );

/**
 * Returns where the joined operations have what the contract names differently. Operations without such places are absent.
 * @param joined the same operations in the same order
 */
export const bindingsOf = (ours: Shapes, joined: Shapes): Bindings =>
  Object.fromEntries(
    joined.operations.flatMap((operation, index) => {
      const named = operation.parameters.flatMap(({ in: place, name, ours: own }) =>
        own === undefined ? [] : [[`${place} ${own}`, name]],
      );
      const own = bodiesOf(ours.operations[index] as Operation);
      const isOurs = (part: string, pointer: string): boolean =>
        own.some(([one, schema]) => one === part && hasPlace(ours.schemas, schema, pointer));
      const placed = bodiesOf(operation).flatMap(([part, schema]) =>
        placesIn(joined.schemas, schema).flatMap(({ pointer, noted }) =>
          noted.filter((place) => isOurs(part, place)).map((place) => [`${part} ${place}`, pointer]),
        ),
      );
      // The first place of several is the one that is read.
      const all = [...named, ...placed.reverse()];
      return all.length === 0 ? [] : [[operation.operationId, Object.fromEntries(all)]];
    }),
  );

/** Returns the schemas of the request body and of success bodies. */
export const bodiesOf = (operation: Operation) => [
  ...Object.values(operation.requestBody?.content ?? {}).map((schema) => ["request", schema] as const),
  ...successBodies(operation).map((schema) => ["response", schema] as const),
];

/** @throws ContractError for a correction that names a place which the provider's operation does not have */
export const assertBound = (
  operationId: string,
  bound: Bindings[string],
  theirs: Operation,
  schemas: Contract["schemas"],
): void => {
  for (const [ours, place] of Object.entries(bound)) {
    const [part] = ours.split(" ");
    const isThere =
      place === NONE ||
      theirs.parameters.some((one) => one.in === part && one.name === place) ||
      bodiesOf(theirs).some(([one, schema]) => one === part && hasPlace(schemas, schema, place));
    if (isThere) continue;
    throw new ContractError(
      `BINDINGS: ${operationId}: the provider's document has no place "${place}" for "${ours}". Correct it, or write ${NONE}.`,
    );
  }
};

/** Returns the text of a file that a person can read, and correct for BINDINGS. */
export const bindingsText = (bindings: Bindings): string => `${HEAD}${yaml().stringify(bindings)}`;

const HEAD = `# Where the provider's document has what the contract names: guesses by name, place and shape. To correct one, copy the lines of
# its operation to the file that BINDINGS names, and change the place on the right; "${NONE}" if the document does not have it.
`;
