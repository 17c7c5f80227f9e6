/** Schemas in which the target's identifiers may have any form, because no document shows the form of most of them. */
import type { Contract, JsonSchema } from "./contract.ts";
import { rewritten } from "./json.ts";
import { memoize } from "./memoize.ts";

/** Returns the resources whose identifiers the target gives (`x-produces`, `x-finds`). */
const givenResources = memoize(
  ({ operations }: Pick<Contract, "operations">): ReadonlySet<string> =>
    new Set(
      operations.flatMap(({ produces, finds }) => [...produces, ...finds].map(({ resource }) => resource)),
    ),
);

/** Whether the schema describes an identifier that the target gives, in a form that no document states. */
export const isFreeId = (contract: Pick<Contract, "operations">, schema: JsonSchema): boolean =>
  typeof schema["x-resource"] === "string" &&
  givenResources(contract).has(schema["x-resource"]) &&
  schema["x-level"] !== "documented" &&
  !OTHERS.has(schema.format);

/** Formats of values that the caller chooses. */
const OTHERS: ReadonlySet<unknown> = new Set(["uri", "email", "date", "date-time"]);

/** Keywords of an identifier that do not describe its form. */
const KEPT: ReadonlySet<string> = new Set(["x-resource", "x-level", "description"]);

/** Returns a copy without the keywords that describe the form of such identifiers. */
export const withFreeIds = <Schemas>(contract: Pick<Contract, "operations">, schemas: Schemas): Schemas =>
  rewritten(schemas, (node: JsonSchema) =>
    isFreeId(contract, node)
      ? Object.fromEntries(Object.entries(node).filter(([keyword]) => KEPT.has(keyword)))
      : node,
  ) as Schemas;
