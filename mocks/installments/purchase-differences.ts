/** Permitted differences of pan lists, offers, plans, approvals and notifications. */
import type { DeviationRow } from "../engine/deviations/deviation.ts";
import { header, switched } from "../engine/deviations/rows.ts";

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
  switched("lists-named-by-callers", "A registration to an unknown pan list creates the list.", LISTS),
  switched(
    "existing-lists-answered-200",
    "A registration to an existing pan list is answered with 200.",
    LISTS,
  ),
  {
    name: "one-list-per-pan",
    what: "A pan is on one list: its registration to another list moves it.",
    gaps: [LISTS],
    effects: ["one-list-per-pan"],
    affects: ["sequences.pan-lists-apart"],
  },
  {
    name: "offers-need-more-data",
    what: "A request for offers needs data that the documents do not name.",
    gaps: ["request and response payloads"],
    effects: ["offers-need-more-data"],
    silences: OF_OFFERS,
  },
  {
    name: "other-states",
    group: "states",
    what: "Plans have other names for their states.",
    gaps: [STATES],
    effects: ["other-states"],
    affects: ["getPlan.response.shape", "postPlans.response.shape"],
  },
  switched("decisions-take-effect-later", "A decision takes effect after two seconds.", STATES, "states"),
  switched("second-decision-refused", "A second decision is refused with 409.", AGAIN, "second-decision"),
  switched(
    "second-decision-ignored",
    "A second decision is answered with 200 and has no effect.",
    AGAIN,
    "second-decision",
  ),
  {
    name: "notified-below-address",
    what: "Notifications are sent to a path below the address of the issuer, which the answer of POST /plans states.",
    gaps: ["notification path at the issuer"],
    effects: [
      "notified-below-address",
      ...header({ operationId: "postPlans" }, "link", '</notifications>; rel="notify"'),
    ],
  },
  {
    name: "served-too",
    what: "The service accepts notifications, too, as the catalogue of its paths suggests.",
    gaps: ["notification path at the issuer"],
    effects: ["notifications-served"],
  },
  {
    name: "late-short-notifications",
    what: "Notifications are a second late, authenticated and contain ids only, which the answer of POST /plans states.",
    gaps: ["notification payload, timing and retries"],
    effects: [
      "late-short-notifications",
      ...header({ operationId: "postPlans" }, "preference-applied", "respond-async"),
    ],
    affects: ["postNotifications.request.shape"],
  },
] as const satisfies readonly DeviationRow[];
