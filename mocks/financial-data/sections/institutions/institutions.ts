/** Institutions: lists, single institutions, branding, routing numbers, and location matches. */
import { defined } from "../../../../helpers/contract/json.ts";
import type { Answer } from "../../../engine/call.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { randomOf } from "../../../engine/values/random.ts";
import { refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { institutionIn, pageOf, pathValue } from "../../found.ts";
import { brandingOf, brandingPage, fieldsOf, productsOf } from "../../institution-fields.ts";
import { kept } from "../../kept-answers.ts";
import type { Handler, Section } from "../../section.ts";
import type { Institution } from "../../state/institutions.ts";
import { locationsFor } from "../../state/locations.ts";
import type { State } from "../../state/state.ts";

const certified =
  (withRssd: boolean): Handler =>
  async (state, call) => {
    await dawdle(call);
    const institutions = state.institutions.all.filter((institution) => institution.certified);
    const answer = page(state, call, institutions, withRssd);
    const fault = withRssd ? "institutions-with-rssd-without-details" : "institutions-without-details";
    if (!call.faulty(fault)) return answer;
    const { written: _, ...rest } = answer;
    return { ...rest, json: withoutDetails(answer.json) };
  };

/** Removes the supported products and all other details that an answer states with yes or no. */
const withoutDetails = (json: unknown): Fields =>
  mapValues(json as Fields, (field) =>
    Array.isArray(field) ? field.map((item: Fields) => withoutBooleans(item)) : field,
  );

const withoutBooleans = (item: Fields): Fields =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => typeof value !== "boolean"));

/** Returns a page from the cache. Institutions never change. */
const page = (state: State, call: Call, institutions: readonly Institution[], withRssd = false): Answer => {
  const { operation, query, path, faulty } = call;
  if (faulty("institutions-none-is-404") && matching(institutions, call).length === 0)
    throw refused("no-institution");
  const key = JSON.stringify([operation.operationId, path, query]);
  return kept(state, key, "", () => pageAnswer(state, call, matching(institutions, call), withRssd));
};

const pageAnswer = (state: State, call: Call, found: readonly Institution[], withRssd: boolean): Answer => {
  const { items, more } = pageOf(found, call.query.start, call.query.limit);
  const institutions = items.map((institution) => ({
    ...fieldsOf(state, institution),
    rssd: withRssd ? institution.rssd : undefined,
    childInstitutions: undefined,
  }));
  const now = state.seconds();
  const known = { found: found.length, displaying: items.length, moreAvailable: more, createdDate: now };
  return success(state, call, { ...known, requestedDate: now, institutions }, { made: "required" });
};

const matching = (institutions: readonly Institution[], { query }: Call): Institution[] => {
  const { search, type, supportedCountries } = query;
  const words = search === undefined || search === "*" ? [] : String(search).toLowerCase().split(/\s+/);
  const types = [type ?? []].flat().map(String);
  const countries = [supportedCountries ?? []].flat().map(String);
  return institutions.filter((institution) => {
    const { name, country } = institution;
    const products = productsOf(institution);
    return (
      words.every((word) => name.toLowerCase().includes(word)) &&
      types.every((product) => products[product] !== false) &&
      (countries.length === 0 || countries.includes("*") || countries.includes(country))
    );
  });
};

/** Waits, so that a fault can exceed the response time. The sandbox itself is fast. */
const dawdle = ({ faulty }: Call): Promise<void> | undefined =>
  faulty("institutions-slow") ? new Promise((resolve) => void setTimeout(resolve, 1_200)) : undefined;

const BY_NAME = ["merchantName", "streetAddress", "city", "stateProvinceRegion", "postalCode"];
const MOST_LOCATIONS = 3;

/** Returns the answer with so many items in its list. The document names the list. */
const withItems = (json: unknown, count: number): Fields =>
  mapValues(json as Fields, (field) =>
    Array.isArray(field)
      ? Array.from({ length: count }, (_, index) => field[index % field.length] as unknown)
      : field,
  );

const mapValues = (fields: Fields, change: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)]));

export const institutions: Section = {
  handlers: {
    async GetInstitutions(state, call) {
      await dawdle(call);
      return page(state, call, state.institutions.all);
    },
    GetCertifiedInstitutions: certified(false),
    GetCertifiedInstitutionsWithRSSD: certified(true),
    async GetInstitution(state, call) {
      await dawdle(call);
      const institution = institutionIn(state, call);
      const key = String(institution.id);
      return success(state, call, { institution: fieldsOf(state, institution) }, { key, made: "required" });
    },
    async GetInstitutionBranding(state, call) {
      await dawdle(call);
      const institution = institutionIn(state, call);
      if (!institution.branded && !call.faulty("institutions-all-branded")) throw refused("no-branding");
      return success(state, call, { branding: brandingOf(state, institution) });
    },
    async GetInstitutionsByRoutingNumber(state, call) {
      await dawdle(call);
      const number = pathValue(call, "routingNumber");
      const wrong = !(call.differs("routing-number-lengths") ? /^\d{5,12}$/ : /^\d{9}$/).test(number);
      if (wrong && !call.faulty("institutions-any-length")) throw refused("routing-number-length");
      const mapped = state.institutions.byRoutingNumber(number);
      const found = call.faulty("institutions-unmapped-too")
        ? [...mapped, ...state.institutions.all.filter(({ routingNumbers }) => routingNumbers.length === 0)]
        : mapped;
      if (mapped.length === 0) throw refused("unmapped-routing-number");
      return page(state, call, found);
    },
    /** Matches every location, except names that begin with `unknown` and ids that consist of zeros. */
    GetLocationMatches(state, call) {
      const { query, faulty } = call;
      const byId = query.idType !== undefined && query.idValue !== undefined;
      const byName = BY_NAME.every((name) => query[name] !== undefined);
      if (!byId && !byName) throw refused("no-location");
      const sought = byId ? String(query.idValue) : String(query.merchantName);
      if (/^(unknown|0+$)/i.test(sought)) throw refused("unknown-location");
      const random = randomOf(`${state.seed} location ${sought.toLowerCase()}`);
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
      const count = random.integer(1, MOST_LOCATIONS);
      const made = Array.from({ length: count }, (_, index) => matchAt(index));
      const chosen = locationsFor(state, sought)
        .slice(0, MOST_LOCATIONS)
        .map(({ idValue: _, ...location }, index) => ({
          ...made[0],
          matchScore: 99 - index * 7,
          ...defined(location),
        }));
      const matches = chosen.length === 0 ? made : chosen;
      const answer = success(state, call, { matches }, { key: sought });
      const isNumbered = query.idType === "MERCHANT_ID" && /^\d+$/.test(sought);
      const isLong =
        faulty("institutions-four-locations") || (isNumbered && faulty("institutions-four-of-numbered"));
      if (!isLong) return answer;
      // Set after completion, since `success` would cut the list to the contract's maximum.
      return { ...answer, json: withItems(answer.json, MOST_LOCATIONS + 1) };
    },
  },
  situations: {
    "institution-without-branding": ({ institutions: { all } }) => ({
      FINANCIAL_DATA_INSTITUTION_ID: String(all.find(({ branded }) => !branded)?.id),
    }),
    "routing-number": ({ institutions: { all, test } }) => ({
      FINANCIAL_DATA_ROUTING_NUMBER: test().routingNumbers[0] ?? "",
      FINANCIAL_DATA_UNMAPPED_INSTITUTION_ID: String(
        all.find(({ routingNumbers }) => routingNumbers.length === 0)?.id,
      ),
    }),
  },
  pages: [brandingPage],
};
