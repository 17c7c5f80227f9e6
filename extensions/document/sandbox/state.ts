/** The state of a service without handlers of its own, and the identifiers of its resources. */
import type { Contract, JsonSchema } from "../../../helpers/contract/contract.ts";
import { ContractError } from "../../../helpers/contract/documents/source-file.ts";
import { expressionOf } from "../../../helpers/contract/schemas/expressions.ts";
import { resolveRef } from "../../../helpers/contract/schemas/rule-walk.ts";
import { settingPrefix } from "../../../helpers/contract/services.ts";
import { hasOtherIds } from "../../../mocks/engine/deviations/any-ids.ts";
import type { Habits } from "../../../mocks/engine/deviations/habits.ts";
import { completerFor } from "../../../mocks/engine/values/complete.ts";
import type { Fields } from "../../../mocks/engine/values/fields.ts";

/** Keeps what was created, by resource and identifier. */
export const createState = (contract: Contract, habits: Habits) => {
  const resources = new Map<string, Map<string, Fields>>();
  const of = (resource: string): Map<string, Fields> => {
    const found = resources.get(resource) ?? new Map<string, Fields>();
    resources.set(resource, found);
    return found;
  };
  const complete = completerFor(contract);
  const named = contract.operations.flatMap((operation) =>
    operation.parameters.flatMap((one) => (one.resource === undefined ? [] : [[one.resource, one] as const])),
  );
  // The last of several parameters that name a resource decides: one that restricts its identifiers, if there is one.
  const plainFirst = named.toSorted(
    ([, one], [, other]) => Number(isPlainText(other.schema)) - Number(isPlainText(one.schema)),
  );
  const parameters = new Map(plainFirst);
  /** Returns the schema of an identifier, in the form of a permitted difference if the contract states no form. */
  const inForm = (given: JsonSchema): JsonSchema => {
    const schema = resolveRef(contract.schemas, given);
    return hasOtherIds(habits) && isPlainText(schema) ? formOf(habits) : schema;
  };
  let made = 0;
  for (const [resource, { schema }] of parameters)
    of(resource).set(String(complete(inForm(schema), undefined, resource)), {});
  return {
    of,
    schemaOf: (resource: string): JsonSchema => parameters.get(resource)?.schema ?? {},
    has: (resource: string, id: string) => of(resource).has(id),
    /** Returns a value of the identifier's schema that no resource has. */
    freshId(resource: string, given: JsonSchema): unknown {
      // A path may state more about an identifier than the body that shows it.
      const stated = isPlainText(resolveRef(contract.schemas, given))
        ? (parameters.get(resource)?.schema ?? given)
        : given;
      // An example is only one value.
      const { "x-example": _, ...schema } = inForm(stated);
      const longer = lengthened(schema);
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        made += 1;
        const long = complete(longer, undefined, `${resource} ${made}`);
        const id = matches(schema, long) ? long : complete(schema, undefined, `${resource} ${made}`);
        if (!of(resource).has(String(id))) return id;
        const next = typeof id === "number" ? nextNumber(schema, of(resource)) : undefined;
        if (next !== undefined) return next;
      }
      throw new ContractError(
        `${contract.service}: the schema of the identifier of ${resource} allows too few values.`,
      );
    },
    settings: () =>
      Object.fromEntries(
        [...parameters.keys()].map((resource) => [
          `${settingPrefix(contract.service)}${resource.toUpperCase().replaceAll(/\W+/g, "_")}`,
          [...of(resource).keys()][0] ?? "",
        ]),
      ),
  };
};

const MOST_TRIES = 1_000;

/** Asks for identifiers of a usual length, because a pattern may allow only a few short ones. */
const lengthened = (schema: JsonSchema): JsonSchema => {
  const { pattern, minLength = 0, maxLength = USUAL_LENGTH } = schema;
  if (pattern === undefined) return schema;
  return { ...schema, minLength: Math.max(Number(minLength), Math.min(Number(maxLength), USUAL_LENGTH)) };
};

const USUAL_LENGTH = 8;

const matches = ({ pattern }: JsonSchema, id: unknown): boolean =>
  pattern === undefined || expressionOf(String(pattern))?.test(String(id)) !== false;

/** Whether a schema only states that a value is a text. */
export const isPlainText = (schema: JsonSchema): boolean =>
  schema.type === "string" && RESTRICTIONS.every((keyword) => schema[keyword] === undefined);

const RESTRICTIONS = [
  "enum",
  "const",
  "pattern",
  "format",
  "minLength",
  "maxLength",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
];

const formOf = ({ ids }: Habits): JsonSchema =>
  ids === "uuid" ? { type: "string", format: "uuid" } : { type: "string", pattern: `^[1-9]\\d{${ids - 1}}$` };

/**
 * Returns a number above all identifiers that are exact numbers; `undefined` if the schema allows none. An operation may
 * name a resource by another identifier, such as a UUID.
 */
const nextNumber = (
  { multipleOf = 1, minimum = 1, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema,
  known: ReadonlyMap<string, unknown>,
): number | undefined => {
  const step = Number(multipleOf);
  const first = Math.ceil(Number(minimum) / step) * step;
  const numbers = [...known.keys()].map(Number).filter(Number.isSafeInteger);
  const next = Math.max(first, ...numbers.map((number) => number + step));
  return next <= Number(maximum) ? next : undefined;
};

export type State = ReturnType<typeof createState>;
