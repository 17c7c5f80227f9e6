/** Adds to a contract the requirements of what its earlier version allowed or answered. */
import type { Contract, JsonSchema, Operation, Requirement } from "./contract.ts";
import type { ContractChange } from "./contract-change.ts";
import { groupBy, memoize } from "./memoize.ts";
import { type ValidationError, validatorOf } from "./schemas/schema-validator.ts";

/** @param base the contract with the earlier version of the document */
export const withChanges = (
  contract: Contract,
  base: Contract,
  entries: readonly ContractChange[],
): Contract => {
  const rows = [...groupBy(entries, ({ requirement }) => requirement).values()];
  const requirements = [...contract.requirements, ...rows.map((alike) => rowOf(base, alike))];
  // Keeps the getters: the rules of a contract are derived on first use.
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(contract),
      requirements: { value: requirements, enumerable: true },
      changes: { value: { entries, base }, enumerable: true },
    },
  ) as Contract;
};

const rowOf = (base: Contract, alike: readonly ContractChange[]): Requirement => {
  const [first] = alike as readonly [ContractChange];
  return {
    id: first.requirement,
    service: base.service,
    level: "gap",
    statement: first.statement,
    source: `the document before, ${versionOf(base)}`,
    operations: [...new Set(alike.flatMap(({ operations }) => operations))],
    kind: "change",
    subject: "service",
    observable: "from-outside",
    hazards: [],
  };
};

/** Returns the contract with the earlier version. */
export const baseOf = ({ changes }: Contract): Contract => changes?.base as Contract;

/** Returns the version that users know: the version of the provider's document, if there is one. */
export const versionOf = ({ provider, version }: Contract): string => provider?.version ?? version;

/** Whether a pointer in a message ends with the place of a change, whose schema may be used at many places. */
export const isAt = (pointer: string, end: string): boolean => {
  const [own, wanted] = [pointer, end].map((one) => one.split("/").slice(1).reverse());
  return (wanted ?? []).every((segment, at) => segment === "*" || segment === own?.[at]);
};

/** Returns the changes of the responses of an operation. */
export const responseChangesOf = (contract: Contract, operationId: string): readonly ContractChange[] =>
  responseChanges(contract).get(operationId) ?? [];

const responseChanges = memoize(({ changes }: Contract) => {
  const all = (changes?.entries ?? []).filter(({ direction }) => direction === "response");
  return new Map(
    [...new Set(all.flatMap(({ operations }) => operations))].map((operationId) => [
      operationId,
      all.filter(({ operations, untried }) => untried === undefined && operations.includes(operationId)),
    ]),
  );
});

/**
 * Returns what a version finds wrong in a body of an operation.
 * @param schemaIn finds the schema of the body in the operation of that version
 * @returns `undefined` if it describes no such body
 */
export const errorsIn = (
  contract: Contract,
  { operationId }: Pick<Operation, "operationId">,
  schemaIn: (operation: Operation) => JsonSchema | undefined,
  body: unknown,
): readonly ValidationError[] | undefined => {
  const operation = contract.operations.find((one) => one.operationId === operationId);
  const schema = operation && schemaIn(operation);
  return schema && validatorOf(contract).validate(schema, body);
};
