/** Permitted differences in access: tokens, the lock, refusals of credentials, rate limits, and authorizations. */
import type { DeviationRow } from "../../../engine/deviations/deviation.ts";
import { html, json, statusOfEach, switched } from "../../../engine/deviations/rows.ts";
import { SHARED } from "../../shared-requirements.ts";

const BUSINESSES = ["AddBusinessDetails", "GetBusinessByCustomer", "UpdateBusiness", "GetBusinessById"];

export const ACCESS_DIFFERENCES = [
  {
    name: "token-named-otherwise",
    what: "The field with the token has another name.",
    gaps: ["token response field names"],
    effects: [
      {
        kind: "json",
        when: { operationId: "CreateToken", status: 200 },
        pointer: "/token",
        edit: { rename: "accessToken" },
      },
    ],
    affects: ["CreateToken.response.shape"],
  },
  switched(
    "token-given-again",
    "A partner gets the same token again until it is 90 minutes old.",
    "who renews the token",
    "tokens",
  ),
  switched(
    "newer-token-ends-older",
    "A new token or a new secret ends the older tokens of the partner.",
    "effect of a new token or secret on older tokens",
    "tokens",
  ),
  {
    name: "absent-token-as-listed",
    what: "Operations that list no 401 refuse a call without a valid token with a status that they list.",
    gaps: ["401 absent from some operation tables"],
    effects: [
      ...statusOfEach(["GetAllExperience", "AccountMatchingScoreDetails"], 401, 400, [
        "absent-token",
        "unknown-token",
      ]),
      ...statusOfEach(BUSINESSES, 401, 404, ["absent-token", "unknown-token"]),
    ],
    operations: ["GetAllExperience", "AccountMatchingScoreDetails", ...BUSINESSES],
    group: "who checks tokens",
  },
  {
    name: "gateway-refuses-in-html",
    what: "A gateway before the service refuses calls without valid credentials, with a page of HTML.",
    gaps: ["error body shape"],
    effects: html({ status: 401, cause: ["absent-key", "unknown-key", "absent-token", "unknown-token"] }),
    // It knows no table of an operation, so it answers every such call with 401.
    group: "who checks tokens",
  },
  {
    name: "gateway-refuses-as-listed",
    what: "A gateway refuses calls without a valid token with a page of HTML, and with a status that the operation lists.",
    gaps: ["401 absent from some operation tables", "error body shape"],
    effects: ["GetAllExperience", "AccountMatchingScoreDetails", ...BUSINESSES].flatMap((operationId) => [
      ...html({ operationId, cause: ["absent-token", "unknown-token"] }),
      ...statusOfEach([operationId], 401, BUSINESSES.includes(operationId) ? 404 : 400, [
        "absent-token",
        "unknown-token",
      ]),
    ]),
    operations: ["GetAllExperience", "AccountMatchingScoreDetails", ...BUSINESSES],
  },
  {
    name: "one-header-suffices",
    what: "Some operations accept a call with the token alone.",
    gaps: ["two security schemes as separate entries"],
    effects: ["one-header-suffices"],
    operations: ["GetAllExperience", "GetMicroDepositsDetails", "getAllDepositSwitches"],
  },
  {
    name: "secret-of-all-classes",
    what: "A secret needs letters of both cases, a digit and a special character.",
    gaps: ["secret character classes"],
    effects: ["secret-of-all-classes"],
    operations: ["ModifyPartnerSecret"],
  },
  {
    name: "locked-is-forbidden",
    what: "A locked partner gets 403.",
    gaps: ["lockout"],
    effects: [{ kind: "habit", habits: { statuses: { locked: 403 } } }],
    operations: ["CreateToken", "ModifyPartnerSecret"],
    group: "lock",
  },
  {
    name: "locked-is-limited",
    what: "A locked partner gets 429.",
    gaps: ["lockout"],
    effects: [{ kind: "habit", habits: { statuses: { locked: 429 } } }],
    operations: ["CreateToken", "ModifyPartnerSecret"],
    group: "lock",
  },
  switched(
    "some-calls-limited",
    "One call of many is refused with 429 and a header that says when to call again.",
    "rate limits",
  ),
  {
    name: "versions-in-headers",
    what: "Headers state the version of the interface, of the operation, and its end.",
    gaps: ["interface version", "compatibility policy", "version segments"],
    effects: [
      {
        kind: "habit",
        habits: {
          extraHeaders: {
            "api-version": "1.35.0",
            "x-operation-version": "v2",
            sunset: "Fri, 31 Dec 2027 23:59:59 GMT",
          },
        },
      },
    ],
    operations: ["GetCustomers", "getApplications", "GetAppRegistrationStatus"],
    // Only a run of more operations registers applications that come to have several statuses.
    silences: ["getApplications.filters", "GetAppRegistrationStatus.filters"],
  },
  {
    name: "registration-status-ended",
    what: "The deprecated status of registrations is not found any more.",
    gaps: ["GetAppRegistrationStatus after May 2026"],
    effects: ["registration-status-ended"],
    operations: ["GetAppRegistrationStatus"],
    silences: ["GetAppRegistrationStatus.*", "sequences.shown-as-given", ...SHARED],
  },
  {
    name: "other-authorization-statuses",
    what: "The authorization of a legacy connection, or one without details, is a bad request (400).",
    gaps: ["authorization error codes"],
    effects: [
      { kind: "habit", habits: { statuses: { "legacy-connection": 400, "details-unavailable": 400 } } },
    ],
    operations: ["getCustomerAuthorizationDetails"],
    group: "authorizations",
  },
  {
    name: "old-authorizations-shown",
    what: "The details of an old authorization are shown instead of the error 3004.",
    gaps: ["authorization error codes"],
    effects: ["old-authorizations-shown"],
    operations: ["getCustomerAuthorizationDetails"],
    group: "authorizations",
  },
  {
    name: "other-registration-states",
    what: "The states of a registration are words.",
    gaps: ["states of other resources"],
    effects: [
      ...json({ operationId: "RegisterApp", status: 201 }, "/status", "PENDING_REVIEW"),
      ...json({ operationId: "ModifyAppRegistration", status: 200 }, "/status", "PENDING_REVIEW"),
    ],
    operations: ["RegisterApp", "ModifyAppRegistration"],
    // The states are assumed.
    affects: ["RegisterApp.response.shape", "ModifyAppRegistration.response.shape"],
  },
] as const satisfies readonly DeviationRow[];
