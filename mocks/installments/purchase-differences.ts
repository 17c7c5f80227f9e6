/** Permitted differences of pan lists, offers, plans, approvals and notifications. */
import { header, permitted } from "../engine/deviations/rows.ts";

const STATES = "states and transitions";
const LISTS = "pan list creation and registration in one call";
const AGAIN = "approve or decline again";

/** What an offer or its plan shows. Offers also show the pans of a list. */
const OF_OFFERS = [
  ...["approvals.*", "consumers.pans.*", "credential.lender-participation-and-approvals", "notifications.*"],
  ...["getPlan.*", "getPlanApprovalStatus.*", "offers.*", "planApproval.*", "plans.*", "postPlans.*"],
  ...["path-parameter.plan_id", "resources.plan-identified-by-plan_id", "sequences.*", "services.flow"],
  ...["postNotifications.request.shape", "postOffers.request.shape"],
];

export const PURCHASE_DIFFERENCES = [
  ...permitted(LISTS)({
    "lists-named-by-callers": "A registration to an unknown pan list creates the list.",
    "existing-lists-answered-200": "A registration to an existing pan list is answered with 200.",
  }),
  ...permitted(LISTS, { affects: ["sequences.pan-lists-apart"] })({
    "one-list-per-pan": "A pan is on one list: its registration to another list moves it.",
  }),
  ...permitted("request and response payloads", { silences: OF_OFFERS })({
    "offers-need-more-data": "A request for offers needs data that the documents do not name.",
  }),
  ...permitted(STATES, { group: "states", affects: ["getPlan.response.shape", "postPlans.response.shape"] })({
    "other-states": "Plans have other names for their states.",
  }),
  ...permitted(STATES, { group: "states" })({
    "decisions-take-effect-later": "A decision takes effect after two seconds.",
  }),
  ...permitted(AGAIN, { group: "second-decision" })({
    "second-decision-refused": "A second decision is refused with 409.",
    "second-decision-ignored": "A second decision is answered with 200 and has no effect.",
  }),
  ...permitted("notification path at the issuer")({
    "notified-below-address": {
      what: "Notifications are sent to a path below the address of the issuer, which the answer of POST /plans states.",
      effects: [
        "notified-below-address",
        ...header({ operationId: "postPlans" }, "link", '</notifications>; rel="notify"'),
      ],
    },
    "served-too": {
      what: "The service accepts notifications, too, as the catalogue of its paths suggests.",
      effects: ["notifications-served"],
    },
  }),
  ...permitted("notification payload, timing and retries", { affects: ["postNotifications.request.shape"] })({
    "late-short-notifications": {
      what: "Notifications are a second late, authenticated and contain ids only, which the answer of POST /plans states.",
      effects: [
        "late-short-notifications",
        ...header({ operationId: "postPlans" }, "preference-applied", "respond-async"),
      ],
    },
  }),
];
