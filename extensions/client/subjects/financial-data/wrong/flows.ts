/** Wrong clients of financial data: the order and the choice of operations. */
import type { WrongClient } from "../../setting.ts";
import * as connect from "../connect-scenes.ts";
import * as deeds from "../deed-scenes.ts";
import * as scenes from "../scenes.ts";
import { oneRequest, wrong } from "./wrong-client.ts";

const PASSED = "connectComponents.configuration-id-passed";
const DOCUMENTED = "caller.documented-operations";

export const flows: readonly WrongClient[] = [
  wrong("a lite flow in a frame", "GenerateLiteConnectUrl.sdk-only-for-events", (own) =>
    connect.liteFlow(own, true),
  ),
  wrong("OAuth without an application", "customers.testing.oauth-test-application", async (own) =>
    connect.oauth(own, await scenes.newCustomer(own), {}),
  ),
  wrong("the replaced status of applications", "GetAppRegistrationStatus.replacements", (own) =>
    connect.applications(own, { usesReplaced: true, assigns: true }),
  ),
  wrong(
    "a deprecated operation",
    "caller.deprecated-operations-avoided",
    oneRequest("GET", "/aggregation/v2/partners/applications"),
  ),
  wrong("applications that nobody gets", "SetCustomerAppID.for-several-applications", (own) =>
    connect.applications(own, { usesReplaced: false, assigns: false }),
  ),
  wrong("one micro amount", "microentry.verify-both", (own) =>
    deeds.verifyDeposits(own, deeds.arrived(own).slice(0, 1)),
  ),
  wrong("a configuration that is not passed on", PASSED, (own) => connect.configuration(own, "none")),
  wrong("the configuration of somebody else", PASSED, (own) => connect.configuration(own, "other")),
  wrong("an unknown path", DOCUMENTED, oneRequest("GET", "/aggregation/v9/customers")),
  wrong(
    "an undefined customer",
    DOCUMENTED,
    oneRequest("GET", "/aggregation/v1/customers/undefined/accounts"),
  ),
  wrong("an unknown method", DOCUMENTED, oneRequest("PATCH", "/aggregation/v1/customers")),
];
