/** Arranges resources: from the user's configuration first, else by creating them, else not at all. */
import type { Target } from "../target/target.ts";

/** Either the value, or what is missing, as in `needs src-client-id: set CARD_ENROLLMENT_SRC_CLIENT_ID`. */
export type Arranged = { readonly value: string } | { readonly missing: string };

export interface Arranger {
  /** The identifier of a resource, arranged once for all trials that ask. */
  get(resource: string): Promise<Arranged>;
}

/** How one resource comes to be. */
export interface Source {
  /** Configuration value that names one. */
  readonly configuration: string;
}

export type Sources = Readonly<Record<string, Source>>;

export const createArranger = (target: Target, sources: Sources): Arranger => ({
  async get(resource) {
    const source = sources[resource];
    if (source === undefined) return { missing: `needs ${resource}, which nothing provides` };
    const value = target.values[source.configuration];
    return value === undefined ? { missing: `needs ${resource}: set ${source.configuration}` } : { value };
  },
});
