/** An arranger that has some resources already. */
import type { Arranger } from "./arrange.ts";

/** @param given identifiers by resource; the arranger gets all others */
export const having = (arrange: Arranger, given: Readonly<Record<string, string>>): Arranger => ({
  given: { ...arrange.given, ...given },
  get: async (resource, types) =>
    given[resource] === undefined ? arrange.get(resource, types) : { value: given[resource] },
  need: async (resource, types) => given[resource] ?? arrange.need(resource, types),
  apart: () => having(arrange.apart(), given),
  changeable: () => having(arrange.changeable(), given),
});
