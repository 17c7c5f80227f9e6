/** Validates whole bodies of responses: by the schemas of the contract, without what the target may decide itself. */
import type { Contract, JsonSchema, Level } from "../../contract/contract.ts";
import { withFreeIds } from "../../contract/free-ids.ts";
import { rewritten } from "../../contract/json.ts";
import { memoize } from "../../contract/memoize.ts";
import { contradictedIn } from "../../contract/schemas/rule-walk.ts";
import { createValidator, type Validator } from "../../contract/schemas/schema-validator.ts";

/**
 * Returns the validator of the shape of a body.
 * @param level the level of the shape
 * @param size the number of bytes of the body
 * @param usual the usual validator of the contract
 */
export const shapeValidator = (
  contract: Contract,
  level: Level,
  size: number,
  usual: Validator,
): Validator => {
  const { freeIdsOf, statedOf } = size > LARGE ? FIRST_ERROR : ALL_ERRORS;
  return level === "assumed" ? freeIdsOf(contract) : (statedOf(contract) ?? usual);
};

/** The size of a body, in bytes, of which only the first violation is looked for. */
const LARGE = 300_000;

const validators = (allErrors: boolean) => ({
  /** Returns the validator for shapes that no document shows: the identifiers of the target may have any form. */
  freeIdsOf: memoize((contract: Contract): Validator => {
    const { validate } = createValidator({ schemas: withFreeIds(contract, contract.schemas) }, allErrors);
    const free = memoize((schema: JsonSchema) => withFreeIds(contract, schema));
    return { validate: (schema, body) => validate(free(schema), body) };
  }),
  /** Returns the validator without keywords that the provider's own examples break; `undefined` if it is the usual one. */
  statedOf: memoize((contract: Contract): Validator | undefined => {
    if (contract.contradicted.length === 0)
      return allErrors ? undefined : createValidator(contract, allErrors);
    const { validate } = createValidator({ schemas: withoutContradicted(contract.schemas) }, allErrors);
    const stated = memoize((schema: JsonSchema) => withoutContradicted(schema));
    return { validate: (schema, body) => validate(stated(schema), body) };
  }),
});

const ALL_ERRORS = validators(true);
const FIRST_ERROR = validators(false);

const withoutContradicted = <Schemas>(schemas: Schemas): Schemas =>
  rewritten(schemas, (node) => {
    const broken = contradictedIn(node);
    return Object.fromEntries(Object.entries(node).filter(([keyword]) => !(keyword in broken)));
  }) as Schemas;
