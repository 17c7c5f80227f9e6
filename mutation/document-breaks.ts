/**
 * Tells whether an answer breaks the provider's own document, so that the suite rightly convicts. Uses a validator of
 * its own, because the one of the suite is on trial here.
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Contract, JsonSchema, Operation } from "../helpers/contract/contract.ts";
import { getOrInsert, memoize } from "../helpers/contract/memoize.ts";
import type { Exchange } from "../helpers/exchange/exchange.ts";
import { compilerOf } from "../mocks/engine/validators.ts";

/** Returns a function that is always false if no provider's document was given. */
export const documentBreaks = (contract: Contract): ((exchange: Exchange) => boolean) => {
  if (contract.provider === null) return () => false;
  const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));
  const described = bodiesIn(contract);
  const validate = validatorFor(contract);
  return ({ operationId, response }) => {
    const operation = operations.get(operationId ?? "");
    if (operation === undefined || response === undefined) return false;
    const documented = operation.responses[response.status];
    if (documented === undefined)
      return hasResponses(operation) && !contract.generalStatuses.includes(response.status);
    const schema = documented.content["application/json"];
    return (
      schema !== undefined &&
      described.has(`${operation.operationId} ${response.status}`) &&
      response.json !== undefined &&
      // The suite keeps the digits of large numbers as text.
      !validate(schema)(JSON.parse(response.body.toString()))
    );
  };
};

/** Whether the provider's document has responses of the operation. */
const hasResponses = ({ responses }: Operation): boolean =>
  Object.values(responses).some(({ level }) => level === "provider");

/** The responses whose bodies the provider's document describes, as operation and status. */
const bodiesIn = memoize(
  ({ rules }: Contract) =>
    new Set(
      rules.flatMap(({ direction, level, operationId, status }) =>
        direction === "response" && level === "provider" ? [`${operationId} ${status}`] : [],
      ),
    ),
);

const validatorFor = memoize((contract: Contract) => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, logger: false });
  const compile = compilerOf(ajv, contract.schemas);
  const compiled = new Map<JsonSchema, ValidateFunction>();
  return (schema: JsonSchema): ValidateFunction => getOrInsert(compiled, schema, () => compile(schema));
});
