/** The faults of installments that do not follow from a rule of its contract, by requirement. */
import type { Call as CallUnder } from "../engine/call.ts";
import type { BehaviourOf } from "../engine/deviations/deviation.ts";
import { anyValue, json, remove, rowsOf, served, status } from "../engine/deviations/rows.ts";
import type { INSTALLMENTS_DIFFERENCES } from "./differences.ts";
import { COMPLETED_LIST } from "./participation-list.ts";

const OPERATIONS = [
  "postMerchantParticipations",
  "getMerchantParticipations",
  "postMerchantSearches",
  "postMerchantMidSearches",
  "planApproval",
  "getPlanApprovalStatus",
  "getPlan",
  "postConsumerPanRegistrations",
  "postConsumerPanDeregistrations",
  "postOffers",
  "postPlans",
] as const;

/**
 * The document lists no success statuses, so another success status violates nothing. The service sends notifications
 * but never receives them, so their validation cannot be observed. An unknown plan, offer or pan list is refused with
 * or without validation, and so is an unknown participation request, whose identifier only a provider's document
 * describes. A numbering standard defines the lengths of card numbers.
 */
export const UNJUDGED: readonly string[] = [
  ...[...OPERATIONS, "postNotifications"].map(
    (operation) => `${operation}.documented-statuses.other-success`,
  ),
  "postNotifications.request.shape.*",
  "getMerchantParticipations.parameter.request_id.*",
  "planApproval.request.shape.format-not-enforced",
  "postPlans.request.shape.minLength-shorter-accepted",
  "postPlans.request.shape.maxLength-longer-accepted",
  ...["postConsumerPanRegistrations", "postConsumerPanDeregistrations"].flatMap((operation) =>
    ["minLength", "maxLength"].map((limit) => `${operation}.request.shape.${limit}-boundary-refused`),
  ),
].map((id) => `installments.${id}`);

/** What a listed merchant has beside its name, country and acquirer. */
const DETAILS = ["status", "address", "nonMerchantNegotiatedParticipation", "encryptedValues"];

const failing = Object.fromEntries(
  OPERATIONS.map((operationId) => [
    `${operationId}.documented-statuses`,
    { "server-error": status(500, { operationId }) },
  ]),
);

export const INSTALLMENTS_FAULTS = rowsOf({
  ...failing,
  "base-address": {
    "offers-elsewhere": served("/installments/offers", "/installments/v1/offers"),
    "approvals-elsewhere": served("/installments/approvals", "/installments/plan-approvals"),
  },

  "credential.lender-participation-and-approvals": {
    "no-approvals": "approval-refused",
    "no-declines": "decline-refused",
  },
  "merchants.participations.submit": {
    dropped: "participations-dropped",
    refused: status(400, { operationId: "postMerchantParticipations", status: 202 }),
  },
  "merchants.participations.submit.registered-partners": {
    "open-to-all": "postMerchantParticipations-for-all",
  },
  "merchants.participations.fetch-completed-only": {
    "uncompleted-too": "uncompleted-listed",
    "uncompleted-of-another": "uncompleted-of-another-listed",
  },
  "merchants.participations.participation-details": {
    missing: DETAILS.flatMap((name) =>
      remove({ operationId: "getMerchantParticipations", cause: [COMPLETED_LIST] }, `/*/${name}`),
    ),
  },
  "merchants.participations.status-by-request-id": {
    "request-id-ignored": "request-id-ignored",
    "never-updated": "request-status-never-updated",
  },
  "merchants.searches.by-merchant-name": {
    ignored: "merchantLegalName-ignored",
    "finds-nothing": "merchantLegalName-finds-nothing",
  },
  "merchants.searches.by-country-code": {
    ignored: "countryCode-ignored",
    "compared-by-start": "countryCode-compared-by-start",
    "finds-nothing": "countryCode-finds-nothing",
  },
  "merchants.searches.by-acquirer-ica": {
    ignored: "acquirerICA-ignored",
    "compared-by-start": "acquirerICA-compared-by-start",
    "finds-nothing": "acquirerICA-finds-nothing",
  },
  "merchants.searches.returns-participation-status": {
    missing: remove({ operationId: "postMerchantSearches", status: 200 }, "/*/status"),
  },
  "merchants.searches.registered-partners": {
    "open-to-all": "postMerchantSearches-for-all",
    "any-letter-case": "partner-in-any-case-accepted",
    "start-suffices": "start-of-partner-accepted",
    "end-suffices": "end-of-partner-accepted",
    "longer-accepted": "longer-partner-accepted",
    "prefixed-accepted": "prefixed-partner-accepted",
    "compared-by-ends": "partner-with-other-middle-accepted",
  },
  "merchants.mids.searches.by-merchant": {
    "of-all-merchants": "mids-of-all-merchants",
    none: "no-mids",
  },
  "merchants.mids.searches.registered-partners": {
    "open-to-all": "postMerchantMidSearches-for-all",
  },

  "consumers.pans.registrations.create-list": {
    refused: "list-not-created",
    forgotten: "created-list-forgotten",
  },
  "consumers.pans.registrations.register-to-list": { dropped: "later-pans-dropped" },
  "consumers.pans.deregistrations.from-existing-list": {
    refused: "deregistration-refused",
    kept: "deregistered-pans-kept",
    "any-list": "any-list-deregistered",
  },

  "offers.eligible-for-given-data": {
    none: "no-offers",
    "another-currency": "offers-of-another-currency",
    "below-amount": "offers-below-amount",
  },
  "offers.depend-on-consumer": { ignored: "consumer-ignored" },
  "offers.depend-on-merchant": { ignored: "merchant-ignored" },
  "offers.depend-on-transaction": { ignored: "transaction-ignored" },

  "resources.plan-identified-by-plan_id": { "another-id": "other-plan-id" },
  "path-parameter.plan_id": {
    "one-plan-for-all": "one-plan-for-all",
    "unknown-plan-found": "unknown-plan-empty",
    "unknown-approval-found": "approval-of-any-plan",
  },
  "plans.get.bnpl-plan": { "another-purchase": "plan-of-another-purchase" },

  "approvals.approve": {
    refused: "approval-refused",
    forgotten: "approval-forgotten",
  },
  "approvals.decline": {
    refused: "decline-refused",
    forgotten: "decline-forgotten",
  },
  "approvals.outcome-approve-or-decline": {
    "decline-approves": "decline-approves",
    "third-outcome": anyValue("planApproval", "/status"),
  },
  "approvals.get.checkout-status": {
    missing: remove({ operationId: "getPlanApprovalStatus", status: 200 }, "/status"),
    null: json({ operationId: "getPlanApprovalStatus", status: 200 }, "/status", null),
  },
  "approvals.get.callback-url": { missing: "callback-url-missing" },

  "services.flow": { "issuer-not-notified": "issuer-not-notified" },
  "notifications.sent-on-plan-selection": {
    never: "issuer-not-notified",
    "of-another-plan": "notification-of-another-plan",
    "post-purchase-silent": "post-purchase-not-notified",
  },
  "notifications.outbound": { "by-put": "notified-by-put" },
  "notifications.once": {
    twice: "issuer-notified-twice",
    "with-decision-too": "issuer-notified-of-decision",
  },
  "planApproval.request.shape": {
    "any-reason": anyValue("planApproval", "/rejectReasonCode"),
  },
  "postPlans.request.shape": {
    "any-use-case": anyValue("postPlans", "/useCase"),
  },
  "postNotifications.request.shape": {
    "field-missing": "notification-without-merchant",
    "wrong-type": "notification-of-numeric-use-case",
  },
});

/** The behaviours that the faults name. A handler that checks for any other is a type error. */
export type Behaviour = BehaviourOf<typeof INSTALLMENTS_FAULTS>;

export type Call = CallUnder<Behaviour, BehaviourOf<typeof INSTALLMENTS_DIFFERENCES>>;
