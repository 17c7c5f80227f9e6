/** The sandbox of installments. */
import { headerOf } from "../../helpers/contract/lookups.ts";
import { refusalFor } from "../engine/call.ts";
import { dumpOf, fillState, schemaOf } from "../engine/data/kinds.ts";
import { withStatefulFaults } from "../engine/deviations/handlers.ts";
import { isSameAuthorization, isTakenFor } from "../engine/lax-comparison.ts";
import { AdminError, type SandboxService } from "../engine/service.ts";
import { missingHeader } from "../engine/wording.ts";
import { KINDS } from "./data.ts";
import { GENERAL, INSTALLMENTS_DIFFERENCES } from "./differences.ts";
import { type Behaviour, type Call, INSTALLMENTS_FAULTS, UNJUDGED } from "./faults.ts";
import { makeOffers } from "./offers.ts";
import { deregisterPans, registerPans } from "./pan-lists.ts";
import { listParticipations, searchMerchants, searchMids, submitParticipations } from "./participations.ts";
import { choosePlan, decidePlan, readApproval, readPlan } from "./plans.ts";
import { notRegistered, refuse, tooManyCalls } from "./refusals.ts";
import { dataSeen } from "./seen.ts";
import { type InstallmentsState, openState } from "./state.ts";
import { STATEFUL_FAULTS } from "./stateful-faults.ts";

export const service: SandboxService = {
  service: "installments",
  async open(opening) {
    const state = openState(opening);
    fillState(KINDS, state, opening.data, opening.allows);
    const { authorization: registered, unregisteredAuthorization: unregistered } = state.keys;
    return {
      environment: (baseUrl) => ({
        INSTALLMENTS_BASE_URL: baseUrl,
        INSTALLMENTS_AUTHORIZATION: registered,
        INSTALLMENTS_UNREGISTERED_AUTHORIZATION: unregistered,
      }),
      authenticate: (call: Call) => authenticated(state, headerOf(opening.contract, "partner"), call),
      dump: () => dumpOf(KINDS, state),
      stores: () => {
        const { participations, panLists, offers, plans, addresses, next } = state;
        return { participations, panLists, offers, plans, addresses, counts: next.counts };
      },
      handlers: Object.fromEntries(
        Object.entries(HANDLERS).map(([operationId, handle]) => [operationId, (call) => handle(state, call)]),
      ),
      situations: {
        "issuer-endpoint": ({ url }) => {
          if (typeof url !== "string" || !URL.canParse(url)) {
            throw new AdminError('Give the address of the issuer as {"url": "http://…"}.');
          }
          state.addresses.issuer = url;
          return {};
        },
      },
    };
  },
  refuse,
  dataSchema: schemaOf("The data of the sandbox of installments", KINDS),
  dataSeen,
  shownAs: { information: ["planInstallmentInformation"] },
  generalDifferences: GENERAL,
  // The document says that a search returns them, even if a provider's document makes them optional.
  namedFields: ["mids"],
  deviations: [...INSTALLMENTS_DIFFERENCES, ...INSTALLMENTS_FAULTS, ...STATEFUL_FAULTS],
  unjudged: UNJUDGED,
};

const HANDLERS = withStatefulFaults<InstallmentsState, Behaviour>(
  {
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
    postNotifications: (_, { differs }: Call) =>
      differs("notifications-served") ? { status: 204 } : refuse(refusalFor("unknown-path")),
  },
  STATEFUL_FAULTS,
);

const authenticated = (
  { keys: { authorization: registered }, next }: InstallmentsState,
  header: string,
  { operation: { operationId }, headers, faulty, differs }: Call,
) => {
  if (differs("rate-limited") && next("call") % LIMITED_EVERY === 0) return tooManyCalls(1);
  const forAll = FOR_PARTNERS[operationId];
  const needsNothing = forAll === undefined ? !differs("basic-authentication") : faulty(forAll);
  const given = headers[header];
  const isRight =
    isSameAuthorization(String(given ?? ""), registered) ||
    isTakenFor(faulty, "partner", keyIn(String(given ?? "")), keyIn(registered));
  if (needsNothing || isRight) return undefined;
  return notRegistered(
    given === undefined ? missingHeader(header, headers, (value) => value === registered) : "",
  );
};

/** Returns the value of a header without the name of its scheme. */
const keyIn = (header: string): string => header.replace(/^\w+ /, "");

/** The number of calls from one refusal with 429 to the next. */
const LIMITED_EVERY = 80;

/** Operations for registered partners only, each with the fault that opens it to every caller. */
const FOR_PARTNERS: Readonly<Record<string, Behaviour>> = {
  postMerchantParticipations: "postMerchantParticipations-for-all",
  postMerchantSearches: "postMerchantSearches-for-all",
  postMerchantMidSearches: "postMerchantMidSearches-for-all",
};
