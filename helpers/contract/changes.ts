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
  const gone = goneSince(contract, base);
  // Two documents contradict each other: who serves no such operation any more keeps one of them.
  const own = contract.requirements.map((one) =>
    one.operations.length > 0 && one.operations.every((id) => gone.has(id))
      ? { ...one, level: "assumed" as const }
      : one,
  );
  const requirements = [...own, ...rows.map((alike) => rowOf(base, alike))];
  return withParts(contract, { requirements, changes: { entries, base } });
};

/** Keeps the getters: the rules of a contract are derived on first use. */
const withParts = (contract: Contract, parts: Partial<Contract>): Contract =>
  Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(contract),
      ...Object.getOwnPropertyDescriptors(parts),
    },
  ) as Contract;

/** Returns the operations that a provider's document lacks, except those that an earlier one lacks too. */
const goneSince = ({ differences: { lacking } }: Contract, base?: Contract): ReadonlySet<string> =>
  new Set(lacking.filter((id) => base?.differences.lacking.includes(id) !== true));

/** Returns the contract without these operations. */
export const asDocumented = (contract: Contract, base?: Contract): Contract => {
  const gone = goneSince(contract, base);
  const operations = contract.operations.filter(({ operationId }) => !gone.has(operationId));
  return gone.size === 0 ? contract : withParts(contract, { operations });
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

/** Returns the document of a contract as it was read: the provider's, or the one that the contract was made from. */
export const documentOf = ({ provider, madeFrom }: Contract): Contract["provider"] =>
  provider ?? madeFrom ?? null;

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
