/** The fictional institutions of the sandbox. Only their ids depend on the seed. */
import { routingNumber } from "../../engine/values/makers.ts";
import { hashOf, randomOf } from "../../engine/values/random.ts";
import institutions from "./institutions.json" with { type: "json" };

export interface Institution {
  readonly id: number;
  readonly name: string;
  readonly oauth: boolean;
  /** Demands a multi-factor challenge at sign-in. */
  readonly mfa: boolean;
  /** `test` profiles are for testing customers, `billable` ones for active customers; `live` ones are real. */
  readonly reach: "test" | "billable" | "live";
  readonly branded: boolean;
  /** Whether it pushes new data without a request. */
  readonly pushes: boolean;
  readonly certified: boolean;
  readonly rssd: number;
  /** Empty for an institution without a mapping to the network. */
  readonly routingNumbers: readonly string[];
  readonly country: "us" | "ca";
  /** The institution to which a legacy connection migrates. */
  readonly oauthTwin?: number;
}

/** The properties in which an institution differs from the defaults. */
type Profile = Pick<Institution, "name"> & Partial<Institution> & { readonly unmapped?: true };

/** Test profiles come first. A legacy institution is directly followed by its OAuth counterpart. */
const TEST = institutions.test as readonly Profile[];

/** The default properties. */
const USUAL = institutions.usual as Omit<Institution, "id" | "name" | "rssd" | "routingNumbers">;

/** @param chosen the user's institutions. One with a known id replaces it. */
export const directoryOf = (
  seed: number,
  chosen: readonly (Pick<Institution, "id"> & Partial<Institution>)[] = [],
) => {
  const own = ownOf(seed);
  const given = chosen.map(
    (institution): Institution => ({
      ...{ ...USUAL, rssd: 0, routingNumbers: [], name: `Institution ${institution.id}` },
      ...institution,
    }),
  );
  const byId = new Map([...own, ...given].map((institution) => [String(institution.id), institution]));
  const all = [...byId.values()].sort((one, other) => one.id - other.id);
  const named = (name: string) => own.find((institution) => institution.name === name) as Institution;
  return {
    /** In order of id. */
    all: all as readonly Institution[],
    find: (id: string | number) => byId.get(String(id)),
    /** Returns the institutions with the routing number. */
    byRoutingNumber: (number: string) => all.filter(({ routingNumbers }) => routingNumbers.includes(number)),
    /** Returns the test institution with that trait; the plain one if absent. */
    test: (trait?: "oauth" | "mfa" | "legacy"): Institution => {
      if (trait === "oauth") return named("Meadow Test Bank OAuth");
      if (trait === "mfa") return named("Meadow Test Bank MFA");
      return named(trait === "legacy" ? "Meadow Test Bank Classic" : "Meadow Test Bank");
    },
  };
};

/** Returns the institutions without those that a user chose. */
const madeFor = (seed: number): readonly Institution[] => {
  const random = randomOf(`${seed} institutions`);
  const base = 100_000 + (hashOf(`${seed} institution`) % 700_000);
  const live = institutions.places.flatMap((place, at) =>
    institutions.houses.map(
      (house, index): Profile => ({
        name: `${place} ${house}`,
        reach: "live",
        oauth: index === 0,
        branded: at % 5 !== 4,
        certified: index < 2,
        country: at === 9 ? "ca" : "us",
      }),
    ),
  );
  return [...TEST, ...live].map(
    ({ unmapped, ...profile }, index): Institution => ({
      ...USUAL,
      id: base + index,
      rssd: random.integer(100_000, 9_999_999),
      routingNumbers: unmapped === true ? [] : [routingNumber(random, 0) as string],
      ...(profile.name === "Meadow Test Bank Classic" && { oauthTwin: base + index + 1 }),
      ...profile,
    }),
  );
};

let latest: { readonly seed: number; readonly made: readonly Institution[] } | undefined;

/** Most tenants of a sandbox have the seed of the tenant before. */
const ownOf = (seed: number): readonly Institution[] => {
  if (latest?.seed !== seed) latest = { seed, made: madeFor(seed) };
  return latest.made;
};
