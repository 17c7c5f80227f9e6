/** App registration and third-party access: what a client can't provoke of them, and how they can fail. */
import { ownCustomer } from "../../furnish.ts";
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
  const customer = ownCustomer(world, "authorized");
  const { login } = world.accounts.link(customer, world.institutions.test("oauth"), ["checking"]);
  login.marks.add("authorized-before");
  return { FINANCIAL_DATA_CUSTOMER_ID: customer.id, FINANCIAL_DATA_INSTITUTION_LOGIN_ID: login.id };
};

export const apps: Section = {
  handlers: { ...appRegistrationHandlers, ...thirdPartyAccessHandlers },
  situations: {
    "suspended-application": suspended,
    "third-party-partner": thirdParty,
    "old-authorization": oldAuthorization,
  },
};
