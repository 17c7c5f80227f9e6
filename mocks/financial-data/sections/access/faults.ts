/** The faults of authentication, app registration and third-party access. */
import {
  empty,
  ignores,
  json,
  refusesEach,
  refusesParameter,
  remove,
  rowsOf,
  status,
} from "../../../engine/deviations/rows.ts";

const TOKEN = { operationId: "CreateToken", status: 200 };
const REGISTRATIONS = { operationId: "GetAppRegistrationStatus", status: 200 };
const INSTITUTIONS = { operationId: "getRegisteredInstitutions", status: 200 };
const AUTHORIZATION = { operationId: "getCustomerAuthorizationDetails", status: 200 };
const NO_AUTHORIZATION = { operationId: "getCustomerAuthorizationDetails", status: 404 };
const LEGACY = { ...NO_AUTHORIZATION, cause: ["legacy-connection"] };
const UNAVAILABLE = { ...NO_AUTHORIZATION, cause: ["details-unavailable"] };

const OF_REGISTRATIONS = ["preAppId", "applicationId", "status", "appName", "submittedDate", "modifiedDate"];

export const ACCESS_FAULTS = rowsOf({
  "auth.lockout-after-five": { "never-locked": "never-locked" },
  "errors.401-bad-credentials": {
    accepted: "any-secret-accepted",
    "any-letter-case": "secret-in-any-case-accepted",
    "start-suffices": "start-of-secret-accepted",
    "longer-accepted": "longer-secret-accepted",
    trimmed: "secret-with-blanks-accepted",
    "start-of-partner-suffices": "start-of-partner-id-accepted",
    "end-of-partner-suffices": "end-of-partner-id-accepted",
    "longer-partner-accepted": "longer-partner-id-accepted",
    "partner-compared-by-ends": "partner-id-with-other-middle-accepted",
    "bad-request": status(400, { operationId: "CreateToken", cause: ["bad-credentials"] }),
  },
  "CreateToken.returns-token": { missing: remove(TOKEN, "/token"), "no-body": empty(TOKEN) },
  "auth.token-from-id-and-secret": { worthless: "token-worthless" },
  "auth.CreateToken.app-key-only": { "token-demanded": "token-demanded-CreateToken" },
  "auth.ModifyPartnerSecret.app-key-only": { "token-demanded": "token-demanded-ModifyPartnerSecret" },
  "auth.secret.changed-with-put": {
    unchanged: "secret-unchanged",
    "former-accepted": "former-secret-accepted",
  },

  "GetAppRegistrationStatus.filters": {
    ignored: ignores("GetAppRegistrationStatus", ...OF_REGISTRATIONS),
    ...refusesEach("GetAppRegistrationStatus", OF_REGISTRATIONS),
  },
  "GetAppRegistrationStatus.paging": {
    "page-ignored": ignores("GetAppRegistrationStatus", "page"),
    ...refusesEach("GetAppRegistrationStatus", ["page", "pageSize"]),
  },
  "GetAppRegistrationStatus.unsupported-after-2026-05": { failing: status(500, REGISTRATIONS) },
  "getApplications.filters": {
    ignored: ignores("getApplications", "preAppId", "applicationId", "name", "status"),
    ...refusesEach("getApplications", ["preAppId", "applicationId", "name", "status"]),
  },
  "getApplications.paging": {
    "start-ignored": ignores("getApplications", "start"),
    ...refusesEach("getApplications", ["start", "limit"]),
  },
  "getRegisteredInstitutions.paging": {
    "start-ignored": ignores("getRegisteredInstitutions", "start"),
    ...refusesEach("getRegisteredInstitutions", ["start", "limit"]),
  },
  "getRegisteredInstitutions.institution-id-query": {
    ignored: ignores("getRegisteredInstitutions", "institution_id"),
    refused: refusesParameter("getRegisteredInstitutions", "institution_id"),
  },
  "getRegisteredInstitutions.all-without-institution-id": {
    "one-missing": "apps-institution-missing",
    "status-missing": remove(INSTITUTIONS, "/institutions/*/status"),
  },
  "SetCustomerAppID.assigns-application": { "not-assigned": "apps-not-assigned" },
  "getCustomerAuthorizationDetails.dates": {
    "start-missing": remove(AUTHORIZATION, "/authorizationStartDate"),
    "end-missing": remove(AUTHORIZATION, "/authorizationEndDate"),
  },
  "getCustomerAuthorizationDetails.oauth-only": { "legacy-accepted": "authorization-of-legacy-connections" },
  "getCustomerAuthorizationDetails.error-3003": {
    "another-code": json(LEGACY, "/code", 3004),
    "code-missing": remove(LEGACY, "/code"),
  },
  "getCustomerAuthorizationDetails.error-3004": {
    "another-code": json(UNAVAILABLE, "/code", 3003),
    failing: status(500, UNAVAILABLE),
  },
});
