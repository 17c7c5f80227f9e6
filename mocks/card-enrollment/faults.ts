/** The faults of card enrollment that do not follow from a rule of its contract, by requirement. */
import type { Call as CallUnder } from "../engine/call.ts";
import type { BehaviourOf } from "../engine/deviations/deviation.ts";
import { empty, header, html, json, remove, rowsOf, served, status } from "../engine/deviations/rows.ts";
import { BASE } from "./base.ts";
import type { CARD_ENROLLMENT_DIFFERENCES } from "./differences.ts";

/**
 * Limits that are not judged: the document allows 16 to 20 characters, but also names a numbering standard with other
 * lengths.
 */
export const UNJUDGED: readonly string[] = [
  "card-enrollment.request.card.primaryAccountNumber.min-length.boundary-refused",
  "card-enrollment.request.card.primaryAccountNumber.max-length.boundary-refused",
];

/** Causes of a refusal for a body that does not fit its schema. */
const INVALID = ["missing", "missing-pan", "type", "format", "schema"];
const UNKNOWN = ["unknown-client", "unknown-program"];

const DECLARED = { message: "Refused.", reason: "INVALID_VALUE", status: 400 };

const errorStatus = (to: string, cause: readonly string[]) => json({ status: 400, cause }, "/status", to);

export const CARD_ENROLLMENT_FAULTS = rowsOf({
  "enrollment.into-profile-for-named-service": { "other-program": "other-program" },
  "enrollment.card-number-path": {
    refused: "card-number-path-refused",
    created: status(201, { status: 200 }),
  },
  "enrollment.push-account-receipt-path": {
    refused: "receipt-path-refused",
    created: status(201, { status: 200 }),
  },

  "base-url.path-prefix": { missing: served(BASE, "") },
  "path.post-cards": { elsewhere: served(`${BASE}/cards`, `${BASE}/enrollments`) },
  "version.no-path-segment": { versioned: served(`${BASE}/cards`, `${BASE}/v1/cards`) },
  "request.json-body": {
    "malformed-accepted": "malformed-json-accepted",
    "not-read": "content-type-refused",
  },
  "request.content-type": {
    refused: ["content-type-refused", ...status(415, { cause: ["content-type"] })],
  },
  "request.body.required": { "not-enforced": "missing-body-accepted" },
  "request.body.schema": {
    "not-enforced": "schema-not-enforced",
    unprocessable: status(422, { cause: INVALID }),
  },
  "request.srcClientId.identifies-client": {
    "any-accepted": "unknown-client-accepted",
    "start-suffices": "start-of-client-accepted",
    "end-suffices": "end-of-client-accepted",
  },
  "request.serviceId.identifies-program": {
    "any-accepted": "unknown-program-accepted",
    "longer-accepted": "longer-program-accepted",
    "prefixed-accepted": "prefixed-program-accepted",
    "compared-by-ends": "program-with-other-middle-accepted",
  },
  "request.consumer.consumerIdentity.identityValue.locates-profile": {
    "new-profile-each-time": "new-profile-each-time",
    "one-profile-for-all": "one-profile-for-all",
    "by-phone": "profile-by-phone",
    "by-address-and-phone": "profile-by-address-and-phone",
  },

  "header.x-openapi-clientid.required": { "not-enforced": "absent-key-accepted" },
  "auth.api-key-in-header": {
    "unknown-key-accepted": "unknown-key-accepted",
    "in-any-case": "key-in-any-case-accepted",
    "start-suffices": "start-of-key-accepted",
    "end-suffices": "end-of-key-accepted",
    "longer-accepted": "longer-key-accepted",
    "prefixed-accepted": "prefixed-key-accepted",
    "middle-ignored": "key-with-other-middle-accepted",
  },
  "auth.whole-interface": { "absent-key-accepted": "absent-key-accepted" },
  "auth.401-on-failed-check": {
    accepted: "unknown-key-accepted",
    "bad-request": status(400, { cause: ["unknown-key"] }),
    "not-found": status(404, { cause: ["unknown-key"] }),
  },
  "auth.403-on-unvalidated-origin": {
    accepted: "unvalidated-key-accepted",
    unauthorized: status(401, { cause: ["unvalidated-key"] }),
    "bad-request": status(400, { cause: ["unvalidated-key"] }),
  },

  "response.200.schema": {
    "empty-object": json({ status: 200 }, "", {}),
    created: status(201, { status: 200 }),
  },
  "response.json-body": {
    "success-as-html": html({ status: 200 }),
    "errors-as-html": html({ status: 400 }),
    "text-content-type": header({ status: 200 }, "content-type", "text/plain"),
  },
  "response.400.error-body": { empty: empty({ status: 400 }), html: html({ status: 400 }) },
  "response.401.error-body": { empty: empty({ status: 401 }), html: html({ status: 401 }) },
  "response.403.error-body": { empty: empty({ status: 403 }), html: html({ status: 403 }) },
  "response.500.error-body": { empty: empty({ status: 500 }), html: html({ status: 500 }) },
  "response.srcCorrelationId.generated-when-absent": {
    missing: "correlation-not-generated",
    constant: "correlation-constant",
    "of-last": "correlation-of-last",
  },
  "response.srcCorrelationId.echoed": {
    rarely: "correlation-not-echoed-rarely",
    "another-value": "correlation-not-echoed",
  },

  "response.card-and-consumer-records-masked": {
    rarely: "pan-in-clear-rarely",
    "pan-in-clear": "pan-in-clear",
    "identity-value-in-clear": "identity-value-in-clear",
    "phone-number-in-clear": "phone-number-in-clear",
  },
  "response.maskedCard.srcDigitalCardId.unique": {
    rarely: "one-card-id-for-all-rarely",
    "one-for-all": "one-card-id-for-all",
  },
  "response.maskedCard.tokenUniqueReference.reference": {
    rarely: "one-token-for-all-rarely",
    "one-for-all": "one-token-for-all",
  },
  "response.maskedCard.panBin.first-pan-digits": {
    rarely: "bin-of-another-card-rarely",
    "of-another-card": "bin-of-another-card",
  },
  "response.maskedCard.panLastFour.last-pan-digits": {
    rarely: "last-four-of-another-card-rarely",
    "of-another-card": "last-four-of-another-card",
  },
  "response.maskedCard.dateOfCardCreated.is-enrollment-time": {
    "in-the-past": "created-in-the-past",
    "in-the-future": "created-in-the-future",
  },
  "response.maskedCard.serviceId.program": {
    rarely: "other-program-shown-rarely",
    "other-program": "other-program",
  },
  "response.maskedCard.paymentAccountReference.non-financial": {
    rarely: "pan-as-account-reference-rarely",
    "the-pan": "pan-as-account-reference",
  },
  "response.maskedAddress.values-masked": {
    rarely: "line1-in-clear-rarely",
    "line1-in-clear": json({ status: 200 }, "/maskedCard/maskedBillingAddress/line1", "12 Harbour Lane"),
    "name-in-clear": json({ status: 200 }, "/maskedCard/maskedBillingAddress/name", "Home of Robin"),
  },
  "response.maskedConsumer.maskedEmailAddress.string": {
    rarely: "email-in-clear-rarely",
    "in-clear": "email-in-clear",
  },
  "response.maskedConsumer.maskedFirstName.string": {
    rarely: "first-name-in-clear-rarely",
    "in-clear": "first-name-in-clear",
    "one-letter-in-clear": "short-first-name-in-clear",
  },
  "response.maskedConsumer.maskedFullName.string": {
    rarely: "full-name-in-clear-rarely",
    "in-clear": "full-name-in-clear",
  },
  "response.maskedConsumer.maskedLastName.string": {
    rarely: "last-name-in-clear-rarely",
    "in-clear": "last-name-in-clear",
    "two-letters-in-clear": "short-last-name-in-clear",
  },
  "states.consumer.active-at-enrollment": {
    rarely: "profile-locked-rarely",
    suspended: json({ status: 200 }, "/maskedConsumer/status", "SUSPENDED"),
    locked: json({ status: 200 }, "/maskedConsumer/status", "LOCKED"),
  },
  "states.digital-card.enroll-never-suspended-or-cancelled": {
    rarely: "card-suspended-rarely",
    suspended: json({ status: 200 }, "/maskedCard/digitalCardData/status", "SUSPENDED"),
    cancelled: json({ status: 200 }, "/maskedCard/digitalCardData/status", "CANCELLED"),
  },

  "error.declared-shape.required-fields": {
    "reason-missing": json({ status: 400 }, "", { message: "Refused.", status: 400, errordetail: [] }),
    "reason-wrong-type": json({ status: 400 }, "", { message: "Refused.", reason: 7, status: 400 }),
    "status-beyond-int32": json({ status: 400 }, "", { ...DECLARED, status: 2 ** 31 }),
  },
  "error.declared-shape.errordetail": {
    "wrong-type": json({ status: 400 }, "", { ...DECLARED, errordetail: "seven" }),
  },
  "error.builder-returns-sample-shape": { declared: json({ status: 400 }, "", DECLARED) },
  "error.either-shape-complete": { neither: json({ status: 400 }, "", { error: "refused" }) },
  "error.sample-shape.fields": {
    "code-missing": remove({ status: 400 }, "/code"),
    "code-wrong-type": json({ status: 400 }, "/code", "400"),
    "message-missing": remove({ status: 400 }, "/message"),
    "message-wrong-type": json({ status: 400 }, "/message", 7),
    "details-wrong-type": json({ status: 400 }, "/details", { reason: "INVALID_VALUE" }),
  },
  "error.detail.strings": {
    "reason-wrong-type": json({ status: 400 }, "/details/*/reason", 7),
    "source-wrong-type": json({ status: 400 }, "/details/*/source", 7),
    "message-wrong-type": json({ status: 400 }, "/details/*/message", 7),
    "item-wrong-type": json({ status: 400 }, "/details/*", "seven"),
  },
  "error.detail.source-names-parameter": {
    "another-parameter": json(
      { status: 400, cause: INVALID },
      "/details/*/source",
      "complianceSettings.other",
    ),
    "another-of-unknown": json({ status: 400, cause: UNKNOWN }, "/details/*/source", "cardSource"),
  },
  "error.detail.sourceType.enum": {
    "outside-enum": json({ status: 400 }, "/details/*/sourceType", "COOKIE"),
    "wrong-type": json({ status: 400 }, "/details/*/sourceType", 7),
  },

  "errors.INVALID_ARGUMENT.schema-mismatch": { "other-status": errorStatus("REFUSED", ["type", "schema"]) },
  "errors.INVALID_ARGUMENT.missing-mandatory": {
    "invalid-state": errorStatus("INVALID_STATE", ["missing"]),
    "other-status": errorStatus("REFUSED", ["missing"]),
  },
  "errors.INVALID_ARGUMENT.missing-primaryAccountNumber": {
    "invalid-state": errorStatus("INVALID_STATE", ["missing-pan"]),
  },
  "errors.INVALID_ARGUMENT.invalid-format": { "other-status": errorStatus("REFUSED", ["format"]) },
  "errors.INVALID_ARGUMENT.sample-detail": {
    "header-source-type": json({ cause: ["missing"] }, "/details/*/sourceType", "HEADER"),
  },
  "errors.INVALID_ARGUMENT.sample-message": { empty: json({ cause: INVALID }, "/message", "") },
  "errors.INVALID_STATE.unknown-srcClientId": {
    accepted: "unknown-client-accepted",
    "invalid-argument": errorStatus("INVALID_ARGUMENT", ["unknown-client"]),
  },
  "errors.INVALID_STATE.unknown-serviceId": {
    accepted: "unknown-program-accepted",
    "invalid-argument": errorStatus("INVALID_ARGUMENT", ["unknown-program"]),
  },
  "errors.INVALID_STATE.schema-validation": { "other-status": errorStatus("REFUSED", ["schema"]) },
  "errors.INVALID_STATE.data-type-validation": { "other-status": errorStatus("REFUSED", ["type"]) },
  "errors.INVALID_STATE.sample-detail": {
    "header-source-type": json({ cause: UNKNOWN }, "/details/*/sourceType", "HEADER"),
  },
  "errors.INTERNAL.500": {
    "other-error-status": json({ status: 500 }, "/status", "UNKNOWN"),
    "without-error-status": remove({ status: 500 }, "/status"),
    "bad-gateway": status(502, { status: 500 }),
  },
  "errors.INTERNAL.sample-body": {
    "other-code": json({ status: 500 }, "/code", 5),
  },
  "errors.503.retry-after": {
    missing: header({ status: 503 }, "retry-after", null),
    unreadable: header({ status: 503 }, "retry-after", "soon"),
  },
});

/**
 * The behaviours that the faults name, and those that they name with the ending `-rarely`: see `withRare`. A handler that
 * checks for any other is a type error.
 */
export type Behaviour =
  | Named
  | (Named extends infer Name ? (Name extends `${infer Usual}-rarely` ? Usual : never) : never);

type Named = BehaviourOf<typeof CARD_ENROLLMENT_FAULTS>;

export type Call = CallUnder<Behaviour, BehaviourOf<typeof CARD_ENROLLMENT_DIFFERENCES>>;
