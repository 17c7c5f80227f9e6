/** The sandbox of installments. */

import { twisted, twistRows } from "../engine/faults/twists.ts";
import { AdminError, type Answer, type Call, type SandboxService } from "../engine/service.ts";
import { INSTALLMENTS_FAULTS, UNJUDGED } from "./faults.ts";
import { makeOffers } from "./offers.ts";
import { deregisterPans, registerPans } from "./pan-lists.ts";
import { listParticipations, submitParticipations } from "./participations.ts";
import { choosePlan, decidePlan, readApproval, readPlan } from "./plans.ts";
import { notRegistered, refuse } from "./refusals.ts";
import { searchMerchants, searchMids } from "./searches.ts";
import { type InstallmentsState, openState } from "./state.ts";
import { TWISTS } from "./twists.ts";

export const service: SandboxService = {
  service: "installments",
  async open(opening) {
    const state = openState(opening);
    const registered = `Bearer ${state.identifiers.key("registered partner")}`;
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
      handlers: Object.fromEntries(
        Object.entries(HANDLERS).map(([operationId, handle]) => [operationId, (call) => handle(state, call)]),
      ),
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
  faults: [...INSTALLMENTS_FAULTS, ...TWISTS.flatMap((table) => twistRows(table))],
  unjudged: UNJUDGED,
};

type Handlers = Readonly<Record<string, (state: InstallmentsState, call: Call) => Answer | Promise<Answer>>>;

const HANDLERS: Handlers = TWISTS.reduce<Handlers>(twisted<InstallmentsState>, {
  postMerchantParticipations: submitParticipations,
  getMerchantParticipations: listParticipations,
  postMerchantSearches: searchMerchants,
  postMerchantMidSearches: searchMids,
  postConsumerPanRegistrations: registerPans,
  postConsumerPanDeregistrations: deregisterPans,
  postOffers: makeOffers,
  postPlans: choosePlan,
  getPlan: readPlan,
  planApproval: decidePlan,
  getPlanApprovalStatus: readApproval,
  postNotifications: (_, { bent }) => (bent("notifications-served") ? { status: 204 } : refuse(OUTBOUND)),
});

/** Open to registered partners only. */
const FOR_PARTNERS: ReadonlySet<string> = new Set([
  "postMerchantParticipations",
  "postMerchantSearches",
  "postMerchantMidSearches",
]);

/** The service sends notifications and takes none. */
const OUTBOUND = { status: 404, cause: "unknown-path", message: "Nothing is served at this path." } as const;
