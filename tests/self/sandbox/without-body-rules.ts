import type { Contract, Operation } from "../../../helpers/contract/contract.ts";

/** The contract, without the rules of its request bodies: a provider's document may state none. */
export const withoutBodyRules = (contract: Contract): Contract => ({
  ...contract,
  operations: contract.operations.map(({ requestBody, ...operation }): Operation => {
    if (requestBody === undefined) return operation;
    const content = Object.fromEntries(Object.keys(requestBody.content).map((type) => [type, {}]));
    return { ...operation, requestBody: { ...requestBody, content } };
  }),
});
