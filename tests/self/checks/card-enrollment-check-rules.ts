/** The check rules for card enrollment, one row per check. */
import { checkBin, checkLastFour } from "../../../helpers/checks/card-digits.ts";
import { checkEchoed, checkGenerated } from "../../../helpers/checks/correlation-id.ts";
import { checkDocumentedStatus } from "../../../helpers/checks/documented-status.ts";
import { checkStatusAtEnrollment } from "../../../helpers/checks/enrollment-status.ts";
import { checkErrorBody } from "../../../helpers/checks/error-body.ts";
import { checkErrorSource } from "../../../helpers/checks/error-source.ts";
import { checkDetailsInBody, checkErrorStatus, checkMessage } from "../../../helpers/checks/error-status.ts";
import { checkDistinct, checkSame } from "../../../helpers/checks/identity.ts";
import { checkJsonBody } from "../../../helpers/checks/json-body.ts";
import { checkLooksMasked, checkMaskedField, checkNowhereInClear } from "../../../helpers/checks/masking.ts";
import { checkAccepted, checkRefused } from "../../../helpers/checks/refusal.ts";
import { checkRetryAfter } from "../../../helpers/checks/retry-after.ts";
import { checkRules } from "../../../helpers/checks/rules.ts";
import { checkTimeOfEvent } from "../../../helpers/checks/time-of-event.ts";
import type { Operation, Rule } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { atPointer as readAt } from "../../../helpers/contract/pointer.ts";
import { createValidator } from "../../../helpers/contract/schema-validator.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { byCard, byReceipt, PAN } from "../support/sandbox-client.ts";
import type { CheckRule, CheckSandbox } from "./law.ts";

const contract = await loadContract("card-enrollment");
const validator = createValidator(contract);

const CORRELATION_ID = "0d7b9b3e-6b1c-4a57-9f1e-3f1d0c6a2b54";

const receipt = async ({ environment, enroll }: CheckSandbox) => [await enroll(byReceipt(environment))];
const card = async ({ environment, enroll }: CheckSandbox) => [await enroll(await byCard(environment))];
const withCorrelationId = async ({ environment, enroll }: CheckSandbox) => [
  await enroll({ ...byReceipt(environment), srcCorrelationId: CORRELATION_ID }),
];
const twice = async ({ environment, enroll }: CheckSandbox) => [
  await enroll(byReceipt(environment)),
  await enroll(byReceipt(environment)),
];
const twoCards = async ({ environment, enroll }: CheckSandbox) => [
  await enroll(await byCard(environment)),
  await enroll(await byCard(environment, { primaryAccountNumber: "4111111111111111" })),
];
const refused = async ({ environment, enroll }: CheckSandbox) => [
  await enroll({ ...byReceipt(environment), consumer: undefined }),
  await enroll(byReceipt(environment)),
];
const unavailable = async ({ environment, enroll, arrange }: CheckSandbox) => {
  const { CARD_ENROLLMENT_SRC_CLIENT_ID: srcClientId } = await arrange("temporarily-unavailable");
  return [await enroll({ ...byReceipt(environment), srcClientId })];
};

const at = (exchange: Exchange | undefined, pointer: string): unknown =>
  exchange?.response?.json === undefined ? undefined : readAt(exchange.response.json, pointer);
const body = (exchange: Exchange | undefined): unknown => exchange?.response?.json;
const first = ([exchange]: readonly Exchange[]): Exchange => exchange as Exchange;

const rulesOf = (status: number): Rule[] =>
  contract.rules.filter((rule) => rule.direction === "response" && rule.status === status);

const PROBE = { what: "consumer: missing", pointer: "/consumer" };

export const CARD_ENROLLMENT_CHECK_RULES: readonly CheckRule[] = [
  {
    check: "card-digits",
    name: "checkBin",
    fault: "response.maskedCard.panBin.first-pan-digits.of-another-card",
    play: card,
    judge: (seen) => checkBin(PAN, at(first(seen), "/maskedCard/panBin")),
  },
  {
    check: "card-digits",
    name: "checkLastFour",
    fault: "response.maskedCard.panLastFour.last-pan-digits.of-another-card",
    play: card,
    judge: (seen) => checkLastFour(PAN, at(first(seen), "/maskedCard/panLastFour")),
  },
  {
    check: "correlation-id",
    name: "checkEchoed",
    fault: "response.srcCorrelationId.echoed.another-value",
    play: withCorrelationId,
    judge: (seen) => checkEchoed(CORRELATION_ID, at(first(seen), "/srcCorrelationId")),
  },
  {
    check: "correlation-id",
    name: "checkGenerated",
    fault: "response.srcCorrelationId.generated-when-absent.constant",
    play: twice,
    judge: (seen) => checkGenerated(seen.map((exchange) => at(exchange, "/srcCorrelationId"))),
  },
  {
    check: "documented-status",
    name: "checkDocumentedStatus",
    fault: "putCard.documented-statuses.other-success",
    play: receipt,
    judge: (seen) => checkDocumentedStatus(contract.operations[0] as Operation, first(seen)),
  },
  {
    check: "enrollment-status",
    name: "checkStatusAtEnrollment",
    fault: "states.consumer.active-at-enrollment.suspended",
    play: receipt,
    judge: (seen) => checkStatusAtEnrollment(body(first(seen)), "/maskedConsumer/status"),
  },
  {
    check: "error-body",
    name: "checkErrorBody",
    fault: "error.either-shape-complete.neither",
    play: refused,
    judge: (seen) => checkErrorBody(rulesOf(400), body(first(seen)), validator).whole,
  },
  {
    check: "error-source",
    name: "checkErrorSource",
    fault: "error.detail.source-names-parameter.another-parameter",
    play: refused,
    judge: (seen) => checkErrorSource(body(first(seen)), "/consumer"),
  },
  {
    check: "error-status",
    name: "checkErrorStatus",
    fault: "errors.INVALID_ARGUMENT.missing-mandatory.other-status",
    play: refused,
    judge: (seen) => checkErrorStatus(body(first(seen)), ["INVALID_ARGUMENT"]),
  },
  {
    check: "error-status",
    name: "checkDetailsInBody",
    fault: "errors.INVALID_ARGUMENT.sample-detail.header-source-type",
    play: refused,
    judge: (seen) => checkDetailsInBody(body(first(seen))),
  },
  {
    check: "error-status",
    name: "checkMessage",
    fault: "errors.INVALID_ARGUMENT.sample-message.empty",
    play: refused,
    judge: (seen) => checkMessage(body(first(seen))),
  },
  {
    check: "identity",
    name: "checkSame",
    fault: "request.consumer.consumerIdentity.identityValue.locates-profile.new-profile-each-time",
    play: twice,
    judge: (seen) =>
      checkSame(
        "/maskedConsumer/srcConsumerId",
        "consumer",
        seen.map((exchange) => at(exchange, "/maskedConsumer/srcConsumerId")),
      ),
  },
  {
    check: "identity",
    name: "checkDistinct",
    fault: "response.maskedCard.srcDigitalCardId.unique.one-for-all",
    play: twoCards,
    judge: (seen) =>
      checkDistinct(
        "/maskedCard/srcDigitalCardId",
        "card",
        seen.map((exchange) => at(exchange, "/maskedCard/srcDigitalCardId")),
      ),
  },
  {
    check: "json-body",
    name: "checkJsonBody",
    fault: "response.json-body.success-as-html",
    play: receipt,
    judge: (seen) => checkJsonBody(first(seen)),
  },
  {
    check: "masking",
    name: "checkNowhereInClear",
    fault: "response.card-and-consumer-records-masked.pan-in-clear",
    play: card,
    judge: (seen) => checkNowhereInClear(body(first(seen)), [{ what: "the card number", value: PAN }]),
  },
  {
    check: "masking",
    name: "checkMaskedField",
    fault: "response.maskedConsumer.maskedLastName.string.in-clear",
    play: receipt,
    judge: (seen) => checkMaskedField(body(first(seen)), "/maskedConsumer/maskedLastName", ["Meadow"]),
  },
  {
    check: "masking",
    name: "checkLooksMasked",
    fault: "response.maskedAddress.values-masked.line1-in-clear",
    play: receipt,
    judge: (seen) => {
      const pointer = "/maskedCard/maskedBillingAddress/line1";
      return checkLooksMasked(pointer, at(first(seen), pointer));
    },
  },
  {
    check: "refusal",
    name: "checkRefused",
    fault: "request.body.schema.unprocessable",
    play: refused,
    judge: ([probe, control]) => checkRefused(PROBE, probe as Exchange, control as Exchange, [400]),
  },
  {
    check: "refusal",
    name: "checkAccepted",
    fault: "request.srcCorrelationId.optional.demanded",
    play: async (sandbox) => [...(await receipt(sandbox)), ...(await withCorrelationId(sandbox))],
    judge: ([probe, control]) => checkAccepted(PROBE, probe as Exchange, control as Exchange),
  },
  {
    check: "retry-after",
    name: "checkRetryAfter",
    fault: "errors.503.retry-after.unreadable",
    play: unavailable,
    judge: (seen) => checkRetryAfter(first(seen)),
  },
  {
    check: "rules",
    name: "checkRules",
    fault: "response.200.schema.empty-object",
    play: receipt,
    judge: (seen) => {
      const results = checkRules(rulesOf(200), body(first(seen)), validator);
      return (results.find(({ result }) => !result.holds) ?? results[0])?.result;
    },
  },
  {
    check: "time-of-event",
    name: "checkTimeOfEvent",
    fault: "response.maskedCard.dateOfCardCreated.is-enrollment-time.in-the-past",
    play: receipt,
    judge: (seen) => {
      const pointer = "/maskedCard/dateOfCardCreated";
      return checkTimeOfEvent(first(seen), pointer, at(first(seen), pointer));
    },
  },
];
