/** The merchants' locations that a user chose. The sandbox makes others for each search. */
import { type State, stored } from "./state.ts";

export interface Location {
  readonly locationId: string;
  readonly merchantName: string;
  /** The identifier under which an acquirer knows it. */
  readonly idValue: string | undefined;
  readonly streetAddress: string | undefined;
  readonly city: string | undefined;
  readonly stateProvinceRegion: string | undefined;
  readonly postalCode: string | undefined;
}

/** By location id. */
export const locations = stored("locations", () => new Map<string, Location>());

/** Returns the chosen locations with the name or the identifier. */
export const locationsFor = (state: State, sought: string): readonly Location[] =>
  [...locations(state).values()].filter(({ merchantName, idValue }) =>
    [merchantName, idValue].some((known) => known?.toLowerCase() === sought.toLowerCase()),
  );
