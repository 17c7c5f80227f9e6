/** Locations of merchants in a data file. */
import { type Kind, resources } from "../../engine/data/kinds.ts";
import { described, optional, ownId, record, text } from "../../engine/data/parts.ts";
import { locations as chosen } from "../state/locations.ts";
import type { State } from "../state/state.ts";

export const locations: Kind<State> = resources({
  name: "locations",
  holds: ["locations"],
  description:
    "A search for the name or the idValue finds them. The sandbox makes locations for other searches.",
  key: "locationId",
  row: record({
    locationId: ownId("location"),
    merchantName: text,
    idValue: optional(described(text, "The identifier under which an acquirer knows it.")),
    streetAddress: optional(text),
    city: optional(text),
    stateProvinceRegion: optional(text),
    postalCode: optional(text),
  }),
  all: (state) => chosen(state).values(),
  add: (state, { locationId, merchantName, idValue, streetAddress, city, stateProvinceRegion, postalCode }) =>
    void chosen(state).set(locationId, {
      locationId,
      merchantName,
      idValue,
      streetAddress,
      city,
      stateProvinceRegion,
      postalCode,
    }),
});
