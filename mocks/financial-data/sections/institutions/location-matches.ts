/** Location matches: merchants that may be the one that a partner knows by an id or by name and address. */
import { randomOf } from "../../../engine/values/random.ts";
import { refused, success } from "../../answers.ts";
import type { Handler } from "../../section.ts";

const BY_NAME = ["merchantName", "streetAddress", "city", "stateProvinceRegion", "postalCode"];
const MOST = 3;

/** Anything is found but what says of itself that it is unknown: a name that starts so, an id of zeros alone. */
export const locationMatches: Handler = (world, call) => {
  const { query, bent } = call;
  const byId = query.idType !== undefined && query.idValue !== undefined;
  const byName = BY_NAME.every((name) => query[name] !== undefined);
  if (!byId && !byName) throw refused("no-location");
  const sought = byId ? String(query.idValue) : String(query.merchantName);
  if (/^(unknown|0+$)/i.test(sought)) throw refused("unknown-location");
  const random = randomOf(`${world.seed} location ${sought.toLowerCase()}`);
  const matchAt = (index: number) => ({
    locationId: random.digits(12),
    merchantName: byName ? query.merchantName : "Corner Grocery",
    matchScore: 99 - index * 7,
    streetAddress: query.streetAddress ?? "18 Lake Road",
    city: query.city ?? "Fairview",
    stateProvinceRegion: query.stateProvinceRegion ?? "TX",
    postalCode: query.postalCode ?? "75069",
    country: "US",
  });
  const count = random.integer(1, MOST);
  const matches = Array.from({ length: count }, (_, index) => matchAt(index));
  const answer = success(world, call, { matches }, { key: sought });
  if (!bent("institutions-four-locations")) return answer;
  // The contract would cut them to what it allows.
  const tooMany = Array.from({ length: MOST + 1 }, (_, index) => matchAt(index));
  return { ...answer, json: { ...(answer.json as object), matches: tooMany } };
};
