/** App registration and third-party access: what a client can't provoke of them, and how they can fail. */
import {
  behaviour,
  json,
  refusesParameter,
  remove,
  rowsOf,
  status,
} from "../../../engine/faults/fault-rows.ts";
import { addCustomer } from "../../furnish.ts";
import { linkOf } from "../../linking.ts";
import type { Section, Situation } from "../../section.ts";
import { decide, register } from "../../world/applications.ts";
import { appRegistrationHandlers } from "./app-registration.ts";
import { thirdPartyAccessHandlers } from "./third-party-access.ts";

/** An application that no customer can be given. */
const suspended: Situation = (world) => {
  const application = register(world, world.partners.main.id, { appName: "Suspended Budget" });
  decide(world, application, "S");
  return {
    FINANCIAL_DATA_PRE_APP_ID: application.preAppId,
    FINANCIAL_DATA_APPLICATION_ID: application.applicationId ?? "",
  };
};

/** A partner to whom a customer can give access. */
const thirdParty: Situation = (world) => ({
  FINANCIAL_DATA_THIRD_PARTY_PARTNER_ID: world.partners.other.id,
});

/** An access that was granted before such details were kept. */
const oldAuthorization: Situation = (world) => {
  const username = `authorized-${world.newId("username")}`;
  const customer = addCustomer(world, world.partners.main.id, username);
  const { login } = linkOf(world, customer, world.institutions.test("oauth"), [{ type: "checking" }]);
  login.marks.add("authorized-before");
  return { FINANCIAL_DATA_CUSTOMER_ID: customer.id, FINANCIAL_DATA_INSTITUTION_LOGIN_ID: login.id };
};

const REGISTRATIONS = { operationId: "GetAppRegistrationStatus", status: 200 };
const INSTITUTIONS = { operationId: "getRegisteredInstitutions", status: 200 };
const AUTHORIZATION = { operationId: "getCustomerAuthorizationDetails", status: 200 };
const NO_AUTHORIZATION = { operationId: "getCustomerAuthorizationDetails", status: 404 };
const LEGACY = { ...NO_AUTHORIZATION, cause: ["legacy-connection"] };
const UNAVAILABLE = { ...NO_AUTHORIZATION, cause: ["details-unavailable"] };

const refusesEach = (operationId: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${name}-refused`, refusesParameter(operationId, name)]));

export const apps: Section = {
  handlers: { ...appRegistrationHandlers, ...thirdPartyAccessHandlers },
  situations: {
    "suspended-application": suspended,
    "third-party-partner": thirdParty,
    "old-authorization": oldAuthorization,
  },
  faults: rowsOf({
    "GetAppRegistrationStatus.filters": {
      ignored: behaviour("apps-status-filters-ignored"),
      ...refusesEach("GetAppRegistrationStatus", [
        "preAppId",
        "applicationId",
        "status",
        "appName",
        "submittedDate",
        "modifiedDate",
      ]),
    },
    "GetAppRegistrationStatus.paging": {
      "page-ignored": behaviour("apps-status-page-ignored"),
      ...refusesEach("GetAppRegistrationStatus", ["page", "pageSize"]),
    },
    "GetAppRegistrationStatus.unsupported-after-2026-05": { failing: status(500, REGISTRATIONS) },
    "getApplications.filters": {
      ignored: behaviour("apps-filters-ignored"),
      ...refusesEach("getApplications", ["preAppId", "applicationId", "name", "status"]),
    },
    "getApplications.paging": {
      "start-ignored": behaviour("apps-start-ignored"),
      ...refusesEach("getApplications", ["start", "limit"]),
    },
    "getRegisteredInstitutions.paging": {
      "start-ignored": behaviour("apps-institutions-start-ignored"),
      ...refusesEach("getRegisteredInstitutions", ["start", "limit"]),
    },
    "getRegisteredInstitutions.institution-id-query": {
      ignored: behaviour("apps-institution-filter-ignored"),
      refused: refusesParameter("getRegisteredInstitutions", "institution_id"),
    },
    "getRegisteredInstitutions.all-without-institution-id": {
      "one-missing": behaviour("apps-institution-missing"),
      "status-missing": remove(INSTITUTIONS, "/institutions/*/status"),
    },
    "SetCustomerAppID.assigns-application": { "not-assigned": behaviour("apps-not-assigned") },
    "getCustomerAuthorizationDetails.dates": {
      "start-missing": remove(AUTHORIZATION, "/authorizationStartDate"),
      "end-missing": remove(AUTHORIZATION, "/authorizationEndDate"),
    },
    "getCustomerAuthorizationDetails.oauth-only": {
      "legacy-accepted": behaviour("authorization-of-legacy-connections"),
    },
    "getCustomerAuthorizationDetails.error-3003": {
      "another-code": json(LEGACY, "/code", 3004),
      "code-missing": remove(LEGACY, "/code"),
    },
    "getCustomerAuthorizationDetails.error-3004": {
      "another-code": json(UNAVAILABLE, "/code", 3003),
      failing: status(500, UNAVAILABLE),
    },
  }),
};
