/** Wraps an arranger with resources that are already known. */
import { type Arranger, needing } from "./arrange.ts";

/** @param given identifiers by resource; `arrange` provides all other resources */
export const having = (arrange: Arranger, given: Readonly<Record<string, string>>): Arranger => ({
  given: { ...arrange.given, ...given },
  ...needing(async (resource, demand) =>
    given[resource] === undefined ? arrange.get(resource, demand) : { value: given[resource] },
  ),
  exclusive: () => having(arrange.exclusive(), given),
  mutable: () => having(arrange.mutable(), given),
  others: () => having(arrange.others(), given),
  isFound: arrange.isFound,
});
