/** Validators for a sandbox whose identifiers have another form than its contract assumes. */
import type { Contract, Operation } from "../../../helpers/contract/contract.ts";
import { withFreeIds } from "../../../helpers/contract/free-ids.ts";
import { memoize } from "../../../helpers/contract/memoize.ts";
import { type Validators, validatorsOf } from "../validators.ts";
import { type Habits, NO_HABITS } from "./habits.ts";

export const hasOtherIds = ({ ids, numericIds }: Habits): boolean => ids !== NO_HABITS.ids || numericIds;

export const validatorsForAnyIds = memoize((contract: Contract): Validators => {
  const operations = new Map(
    contract.operations.map((one) => [one.operationId, withFreeIdsIn(contract, one)]),
  );
  const validators = validatorsOf({ ...contract, schemas: withFreeIds(contract, contract.schemas) });
  const freed = (operation: Operation): Operation => operations.get(operation.operationId) ?? operation;
  const stated = validatorsOf(contract);
  const isStated = statedRequests(contract);
  return {
    ...validators,
    body: (operation) => (isStated(operation) ? stated.body(operation) : validators.body(freed(operation))),
    parameters: (operation, place) =>
      isStated(operation)
        ? stated.parameters(operation, place)
        : validators.parameters(freed(operation), place),
  };
});

/** Returns whether the provider's document shows the form of an operation's requests. */
const statedRequests = ({ rules }: Contract): ((operation: Operation) => boolean) => {
  const stated = new Set(
    rules.flatMap(({ direction, level, operationId }) =>
      direction === "request" && level === "provider" ? [operationId] : [],
    ),
  );
  return ({ operationId }) => stated.has(operationId);
};

const withFreeIdsIn = (contract: Contract, operation: Operation): Operation => ({
  ...operation,
  parameters: operation.parameters.map((parameter) =>
    parameter.resource === undefined
      ? parameter
      : {
          ...parameter,
          schema: withFreeIds(contract, { ...parameter.schema, "x-resource": parameter.resource }),
        },
  ),
  ...(operation.requestBody && {
    requestBody: { ...operation.requestBody, content: withFreeIds(contract, operation.requestBody.content) },
  }),
});
