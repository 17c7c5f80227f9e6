/** Violations of installments that do not follow from a rule of its contract: one row each, by requirement. */
import type { FaultRow } from "../engine/faults/fault.ts";
import { behaviour, json, rowsOf, served, status } from "../engine/faults/fault-rows.ts";

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
 * The document lists no statuses, so that another success is none of its violations. Notifications are sent and never
 * taken, so that nothing shows how they would be held against their schema. And what names no plan, no offer and no
 * pan list is refused for that, whether its shape is looked at or not, as a number of a card of any other length is
 * left to the standard of such numbers.
 */
export const UNJUDGED: readonly string[] = [
  ...[...OPERATIONS, "postNotifications"].map(
    (operation) => `${operation}.documented-statuses.other-success`,
  ),
  "postNotifications.request.shape.*",
  "planApproval.request.shape.format-not-enforced",
  "postPlans.request.shape.minLength-shorter-accepted",
  "postPlans.request.shape.maxLength-longer-accepted",
  ...["postConsumerPanRegistrations", "postConsumerPanDeregistrations"].flatMap((operation) =>
    ["minLength", "maxLength"].map((limit) => `${operation}.request.shape.${limit}-boundary-refused`),
  ),
].map((id) => `installments.${id}`);

const failing = Object.fromEntries(
  OPERATIONS.map((operationId) => [
    `${operationId}.documented-statuses`,
    { "server-error": status(500, { operationId }) },
  ]),
);

export const INSTALLMENTS_FAULTS: readonly FaultRow[] = rowsOf({
  ...failing,
  "base-address": {
    "offers-elsewhere": served("/installments/offers", "/installments/v1/offers"),
    "approvals-elsewhere": served("/installments/approvals", "/installments/plan-approvals"),
  },

  "credential.lender-participation-and-approvals": {
    "no-approvals": behaviour("approval-refused"),
    "no-declines": behaviour("decline-refused"),
  },
  "merchants.participations.submit": {
    dropped: behaviour("participations-dropped"),
    refused: status(400, { operationId: "postMerchantParticipations", status: 202 }),
  },
  "merchants.participations.submit.registered-partners": {
    "open-to-all": behaviour("postMerchantParticipations-for-all"),
  },
  "merchants.participations.fetch-completed-only": { "uncompleted-too": behaviour("uncompleted-listed") },
  "merchants.participations.participation-details": { missing: behaviour("details-missing") },
  "merchants.participations.status-by-request-id": {
    "request-id-ignored": behaviour("request-id-ignored"),
    "never-updated": behaviour("request-status-never-updated"),
  },
  "merchants.searches.by-merchant-name": {
    ignored: behaviour("merchantLegalName-ignored"),
    "finds-nothing": behaviour("merchantLegalName-finds-nothing"),
  },
  "merchants.searches.by-country-code": {
    ignored: behaviour("countryCode-ignored"),
    "finds-nothing": behaviour("countryCode-finds-nothing"),
  },
  "merchants.searches.by-acquirer-ica": {
    ignored: behaviour("acquirerICA-ignored"),
    "finds-nothing": behaviour("acquirerICA-finds-nothing"),
  },
  "merchants.searches.returns-participation-status": { missing: behaviour("search-without-status") },
  "merchants.searches.registered-partners": { "open-to-all": behaviour("postMerchantSearches-for-all") },
  "merchants.mids.searches.by-merchant": {
    "of-all-merchants": behaviour("mids-of-all-merchants"),
    none: behaviour("no-mids"),
  },
  "merchants.mids.searches.registered-partners": {
    "open-to-all": behaviour("postMerchantMidSearches-for-all"),
  },

  "consumers.pans.registrations.create-list": {
    refused: behaviour("list-not-created"),
    forgotten: behaviour("created-list-forgotten"),
  },
  "consumers.pans.registrations.register-to-list": { dropped: behaviour("later-pans-dropped") },
  "consumers.pans.deregistrations.from-existing-list": {
    refused: behaviour("deregistration-refused"),
    kept: behaviour("deregistered-pans-kept"),
    "any-list": behaviour("any-list-deregistered"),
  },

  "offers.eligible-for-given-data": {
    none: behaviour("no-offers"),
    "another-currency": behaviour("offers-of-another-currency"),
    "below-amount": behaviour("offers-below-amount"),
  },
  "offers.depend-on-consumer": { ignored: behaviour("consumer-ignored") },
  "offers.depend-on-merchant": { ignored: behaviour("merchant-ignored") },
  "offers.depend-on-transaction": { ignored: behaviour("transaction-ignored") },

  "resources.plan-identified-by-plan_id": { "another-id": behaviour("other-plan-id") },
  "path-parameter.plan_id": {
    "one-plan-for-all": behaviour("one-plan-for-all"),
    "unknown-plan-found": behaviour("unknown-plan-empty"),
    "unknown-approval-found": behaviour("approval-of-any-plan"),
  },
  "plans.get.bnpl-plan": { "another-purchase": behaviour("plan-of-another-purchase") },

  "approvals.approve": {
    refused: behaviour("approval-refused"),
    forgotten: behaviour("approval-forgotten"),
  },
  "approvals.decline": {
    refused: behaviour("decline-refused"),
    forgotten: behaviour("decline-forgotten"),
  },
  "approvals.outcome-approve-or-decline": {
    "decline-approves": behaviour("decline-approves"),
    "third-outcome": [{ kind: "request", of: "planApproval", pointer: "/status", edit: { drop: "enum" } }],
  },
  "approvals.get.checkout-status": {
    missing: behaviour("checkout-status-missing"),
    null: json({ operationId: "getPlanApprovalStatus", status: 200 }, "/status", null),
  },
  "approvals.get.callback-url": { missing: behaviour("callback-url-missing") },

  "services.flow": { "issuer-not-notified": behaviour("issuer-not-notified") },
  "notifications.sent-on-plan-selection": {
    never: behaviour("issuer-not-notified"),
    "of-another-plan": behaviour("notification-of-another-plan"),
  },
  "notifications.once": { twice: behaviour("issuer-notified-twice") },
  "planApproval.request.shape": {
    "any-reason": [
      { kind: "request", of: "planApproval", pointer: "/rejectReasonCode", edit: { drop: "enum" } },
    ],
  },
  "postPlans.request.shape": {
    "any-use-case": [{ kind: "request", of: "postPlans", pointer: "/useCase", edit: { drop: "enum" } }],
  },
  "postNotifications.request.shape": {
    "field-missing": behaviour("notification-without-merchant"),
    "wrong-type": behaviour("notification-of-numeric-use-case"),
  },
  "notifications.outbound": { "served-too": behaviour("notifications-served") },
});
