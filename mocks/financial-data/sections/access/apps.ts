/** App registration and third-party access: what a client can't provoke of them, and how they can fail. */
import { ownCustomer } from "../../furnish.ts";
import type { Section } from "../../section.ts";
import { decide, register } from "../../world/applications.ts";
import { appRegistrationHandlers } from "./app-registration.ts";
import { thirdPartyAccessHandlers } from "./third-party-access.ts";

export const apps: Section = {
  handlers: { ...appRegistrationHandlers, ...thirdPartyAccessHandlers },
  situations: {
    /** An application that no customer can be given. */
    "suspended-application"(world) {
      const application = register(world, world.partners.main.id, { appName: "Suspended Budget" });
      decide(world, application, "S");
      return {
        FINANCIAL_DATA_PRE_APP_ID: application.preAppId,
        FINANCIAL_DATA_APPLICATION_ID: application.applicationId ?? "",
      };
    },
    /** A partner to whom a customer can give access. */
    "third-party-partner": (world) => ({
      FINANCIAL_DATA_THIRD_PARTY_PARTNER_ID: world.partners.other.id,
    }),
    /** An access that was granted before such details were kept. */
    "old-authorization"(world) {
      const customer = ownCustomer(world, "authorized");
      const { login } = world.accounts.link(customer, world.institutions.test("oauth"), ["checking"]);
      login.marks.add("authorized-before");
      return { FINANCIAL_DATA_CUSTOMER_ID: customer.id, FINANCIAL_DATA_INSTITUTION_LOGIN_ID: login.id };
    },
  },
};
