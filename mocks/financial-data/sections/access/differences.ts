/** Permitted differences in access: tokens, the lock, refusals of credentials, rate limits, and authorizations. */
import { edited, html, json, permitted, statusOfEach } from "../../../engine/deviations/rows.ts";
import { SHARED } from "../../shared-requirements.ts";

const BUSINESSES = ["AddBusinessDetails", "GetBusinessByCustomer", "UpdateBusiness", "GetBusinessById"];

export const ACCESS_DIFFERENCES = [
  ...permitted("token response field names", { affects: ["CreateToken.response.shape"] })({
    "token-named-otherwise": {
      what: "The field with the token has another name.",
      effects: edited({ operationId: "CreateToken", status: 200 }, "/token", { rename: "accessToken" }),
    },
  }),
  ...permitted("who renews the token", { group: "tokens" })({
    "token-given-again": "A partner gets the same token again until it is 90 minutes old.",
  }),
  ...permitted("effect of a new token or secret on older tokens", { group: "tokens" })({
    "newer-token-ends-older": "A new token or a new secret ends the older tokens of the partner.",
  }),
  ...permitted("401 absent from some operation tables", { group: "who checks tokens" })({
    "absent-token-as-listed": {
      what: "Operations that list no 401 refuse a call without a valid token with a status that they list.",
      effects: [
        ...statusOfEach(["GetAllExperience", "AccountMatchingScoreDetails"], 401, 400, [
          "absent-token",
          "unknown-token",
        ]),
        ...statusOfEach(BUSINESSES, 401, 404, ["absent-token", "unknown-token"]),
      ],
      operations: ["GetAllExperience", "AccountMatchingScoreDetails", ...BUSINESSES],
    },
  }),
  ...permitted("error body shape")({
    "gateway-refuses-in-html": {
      what: "A gateway before the service refuses calls without valid credentials, with a page of HTML.",
      effects: html({ status: 401, cause: ["absent-key", "unknown-key", "absent-token", "unknown-token"] }),
      // It knows no table of an operation, so it answers every such call with 401.
      group: "who checks tokens",
    },
  }),
  ...permitted(["401 absent from some operation tables", "error body shape"])({
    "gateway-refuses-as-listed": {
      what: "A gateway refuses calls without a valid token with a page of HTML, and with a status that the operation lists.",
      effects: ["GetAllExperience", "AccountMatchingScoreDetails", ...BUSINESSES].flatMap((operationId) => [
        ...html({ operationId, cause: ["absent-token", "unknown-token"] }),
        ...statusOfEach([operationId], 401, BUSINESSES.includes(operationId) ? 404 : 400, [
          "absent-token",
          "unknown-token",
        ]),
      ]),
      operations: ["GetAllExperience", "AccountMatchingScoreDetails", ...BUSINESSES],
    },
  }),
  ...permitted("two security schemes as separate entries")({
    "one-header-suffices": {
      what: "Some operations accept a call with the token alone.",
      operations: ["GetAllExperience", "GetMicroDepositsDetails", "getAllDepositSwitches"],
    },
  }),
  ...permitted("secret character classes", { operations: ["ModifyPartnerSecret"] })({
    "secret-of-all-classes": "A secret needs letters of both cases, a digit and a special character.",
  }),
  ...permitted("lockout", { operations: ["CreateToken", "ModifyPartnerSecret"], group: "lock" })({
    "locked-is-forbidden": {
      what: "A locked partner gets 403.",
      effects: [{ kind: "habit", habits: { statuses: { locked: 403 } } }],
    },
    "locked-is-limited": {
      what: "A locked partner gets 429.",
      effects: [{ kind: "habit", habits: { statuses: { locked: 429 } } }],
    },
  }),
  ...permitted("rate limits")({
    "some-calls-limited": "One call of many is refused with 429 and a header that says when to call again.",
  }),
  ...permitted(["interface version", "compatibility policy", "version segments"])({
    "versions-in-headers": {
      what: "Headers state the version of the interface, of the operation, and its end.",
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
  }),
  ...permitted("GetAppRegistrationStatus after May 2026", { operations: ["GetAppRegistrationStatus"] })({
    "registration-status-ended": {
      what: "The deprecated status of registrations is not found any more.",
      silences: ["GetAppRegistrationStatus.*", "sequences.shown-as-given", ...SHARED],
    },
  }),
  ...permitted("authorization error codes", { operations: ["getCustomerAuthorizationDetails"] })({
    "other-authorization-statuses": {
      what: "The authorization of a legacy connection, or one without details, is a bad request (400).",
      effects: [
        { kind: "habit", habits: { statuses: { "legacy-connection": 400, "details-unavailable": 400 } } },
      ],
      group: "authorizations",
    },
    "old-authorizations-shown": {
      what: "The details of an old authorization are shown instead of the error 3004.",
      group: "authorizations",
    },
  }),
  ...permitted("states of other resources", { operations: ["RegisterApp", "ModifyAppRegistration"] })({
    "other-registration-states": {
      what: "The states of a registration are words.",
      effects: [
        ...json({ operationId: "RegisterApp", status: 201 }, "/status", "PENDING_REVIEW"),
        ...json({ operationId: "ModifyAppRegistration", status: 200 }, "/status", "PENDING_REVIEW"),
      ],
      // The states are assumed.
      affects: ["RegisterApp.response.shape", "ModifyAppRegistration.response.shape"],
    },
  }),
];
