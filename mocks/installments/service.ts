/** The sandbox of installments. */
import { AdminError, type Answer, type Call, type SandboxService } from "../service.ts";
import { INSTALLMENTS_FAULTS, UNJUDGED } from "./faults.ts";
import { makeOffers } from "./offers.ts";
import { deregisterPans, registerPans } from "./pan-lists.ts";
import { listParticipations, submitParticipations } from "./participations.ts";
import { choosePlan, decidePlan, readApproval, readPlan } from "./plans.ts";
import { notRegistered, refuse } from "./refusals.ts";
import { searchMerchants, searchMids } from "./searches.ts";
import { type InstallmentsState, openState } from "./state.ts";

export const installments: SandboxService = {
  service: "installments",
  async open(opening) {
    const state = openState(opening);
    const registered = `Bearer ${state.identifiers.key("registered partner")}`;
    const handler = (handle: (state: InstallmentsState, call: Call) => Answer) => (call: Call) =>
      handle(state, call);
    return {
      environment: (baseUrl) => ({
        INSTALLMENTS_BASE_URL: baseUrl,
        INSTALLMENTS_AUTHORIZATION: registered,
        INSTALLMENTS_UNREGISTERED_AUTHORIZATION: `Bearer ${state.identifiers.key("unregistered partner")}`,
      }),
      authenticate: ({ operation: { operationId }, headers, bent }) =>
        FOR_PARTNERS.has(operationId) &&
        headers.authorization !== registered &&
        !bent(`${operationId}-for-all`)
          ? notRegistered()
          : undefined,
      handlers: {
        postMerchantParticipations: handler(submitParticipations),
        getMerchantParticipations: handler(listParticipations),
        postMerchantSearches: handler(searchMerchants),
        postMerchantMidSearches: handler(searchMids),
        postConsumerPanRegistrations: handler(registerPans),
        postConsumerPanDeregistrations: handler(deregisterPans),
        postOffers: handler(makeOffers),
        postPlans: handler(choosePlan),
        getPlan: handler(readPlan),
        planApproval: handler(decidePlan),
        getPlanApprovalStatus: handler(readApproval),
        postNotifications: ({ bent }) => (bent("notifications-served") ? { status: 204 } : refuse(OUTBOUND)),
      },
      situations: {
        "issuer-endpoint": ({ url }) => {
          if (typeof url !== "string" || !URL.canParse(url)) {
            throw new AdminError('Give the address of the issuer as {"url": "http://…"}.');
          }
          state.issuer = url;
          return {};
        },
      },
    };
  },
  refuse,
  faults: INSTALLMENTS_FAULTS,
  unjudged: UNJUDGED,
};

/** Open to registered partners only. */
const FOR_PARTNERS: ReadonlySet<string> = new Set([
  "postMerchantParticipations",
  "postMerchantSearches",
  "postMerchantMidSearches",
]);

/** The service sends notifications and takes none. */
const OUTBOUND = { status: 404, cause: "unknown-path", message: "Nothing is served at this path." } as const;
