/** The faults of institutions, location matches and merchant metrics. */
import { ignores, json, refusesParameter, remove, rowsOf, status } from "../../../engine/deviations/rows.ts";
import { PICTURES } from "../../institution-fields.ts";

const LISTS = ["GetInstitutions", "GetCertifiedInstitutions", "GetCertifiedInstitutionsWithRSSD"];
const ALL = [...LISTS, "GetInstitution", "GetInstitutionBranding", "GetInstitutionsByRoutingNumber"];
const WITH_RSSD = { operationId: "GetCertifiedInstitutionsWithRSSD", status: 200 };
const BRANDING = { operationId: "GetInstitutionBranding", status: 200 };
const UNKNOWN = { operationId: "GetInstitution", status: 404 };
const UNMAPPED = { operationId: "GetInstitutionsByRoutingNumber", status: 404 };
const METRICS = { operationId: "GenerateSBCAMetricsReport", status: 200 };

const EMPTY_LIST = { found: 0, displaying: 0, moreAvailable: false, createdDate: 0, institutions: [] };

const refusedInEach = (parameter: string) =>
  Object.fromEntries(
    LISTS.map((operationId) => [
      `${operationId}-${parameter}-refused`,
      refusesParameter(operationId, parameter),
    ]),
  );

export const INSTITUTION_FAULTS = rowsOf({
  "institution.facts": {
    "rssd-missing": remove(WITH_RSSD, "/institutions/*/rssd"),
    "branding-empty": json(BRANDING, "/branding", {}),
  },
  "institutions.get-only": Object.fromEntries(
    ALL.map((operationId) => [`${operationId}-refused`, status(405, { operationId, status: 200 })]),
  ),
  "institutions.search-query": refusedInEach("search"),
  "institutions.paging": { ...refusedInEach("start"), "start-ignored": ignores(LISTS, "start") },
  "institutions.product-type-query": refusedInEach("type"),
  "institutions.supported-countries-query": refusedInEach("supportedCountries"),
  "GetInstitutions.empty-list-200": { "not-found": "institutions-none-is-404" },
  "GetCertifiedInstitutions.certification-details": { missing: "institutions-without-details" },
  "GetCertifiedInstitutionsWithRSSD.certification-details": {
    missing: "institutions-with-rssd-without-details",
  },
  "GetCertifiedInstitutionsWithRSSD.rssd": { missing: remove(WITH_RSSD, "/institutions/*/rssd") },
  "GetInstitution.404": {
    "bad-request": status(400, UNKNOWN),
    accepted: [...status(200, UNKNOWN), ...json(UNKNOWN, "", {})],
  },
  "GetInstitutionBranding.svg-links": {
    "no-links": json(BRANDING, "/branding/logo", "logo"),
    "not-svg": PICTURES.flatMap((name) =>
      json(BRANDING, `/branding/${name}`, "https://assets.example.com/logo.png"),
    ),
  },
  "GetInstitutionBranding.404": {
    accepted: "institutions-all-branded",
    "bad-request": status(400, { operationId: "GetInstitutionBranding", status: 404 }),
  },
  "GetInstitutionsByRoutingNumber.mapped-only": { "unmapped-too": "institutions-unmapped-too" },
  "GetInstitutionsByRoutingNumber.400-wrong-length": { "not-found": "institutions-any-length" },
  "GetInstitutionsByRoutingNumber.404-no-match": {
    "bad-request": status(400, UNMAPPED),
    "empty-list": [...status(200, UNMAPPED), ...json(UNMAPPED, "", EMPTY_LIST)],
  },
  "institutions.response-time-500ms": { slow: "institutions-slow" },
  "GetInstitutionsByRoutingNumber.response-time-1000ms": { slow: "institutions-slow" },
  "GetLocationMatches.by-id": { refused: refusesParameter("GetLocationMatches", "idValue") },
  "GetLocationMatches.by-name-and-address": {
    refused: refusesParameter("GetLocationMatches", "merchantName"),
  },
  "GetLocationMatches.max-3": {
    "four-matches": "institutions-four-locations",
    "four-of-numbered-merchants": "institutions-four-of-numbered",
  },

  "GenerateSBCAMetricsReport.answers-200": { accepted: status(202, METRICS) },
  "GenerateSBCAMetricsReport.metrics": { none: "sbca-without-metrics" },
});
