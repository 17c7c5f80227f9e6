/** Permitted differences in TxPush and webhooks: deliveries, listeners and subscriptions. */
import { demandsField, header, permitted, status } from "../../../engine/deviations/rows.ts";
import { parametersOf } from "../../../engine/parameters.ts";
import { READS, WRITES } from "./faults.ts";

const SUBSCRIBE = "SubscribeToTxPushNotifications";
const TESTS = ["testWebhookSubscription", "testWebhookSubscriptionBasedOnEventId"];

const WEBHOOKS = [...READS, ...WRITES];
const SENDING = [SUBSCRIBE, "CreateTxPushTestTransaction", "createWebhookSubscription", ...TESTS];

export const NOTIFICATION_DIFFERENCES = [
  ...permitted("TxPush and webhook payloads", { operations: SENDING })({
    "other-payloads": "Events have payloads of another shape.",
  }),
  ...permitted("listener verification", { operations: [SUBSCRIBE] })({
    "listener-verified-by-post":
      "A listener is verified by a POST with a code in its body, which it returns.",
  }),
  ...permitted("status for a bad listener port or a plain http listener", { operations: [SUBSCRIBE] })({
    "listener-refused-otherwise": {
      what: "A bad port or a plain http listener is forbidden (403).",
      effects: status(403, { operationId: SUBSCRIBE, cause: ["listener-port", "listener-not-https"] }),
    },
  }),
  ...permitted("delivery time and retries", { operations: SENDING, group: "deliveries" })({
    "late-deliveries": "Events and callbacks arrive after the answer to their cause.",
    "repeated-deliveries": "Events and callbacks are delivered twice.",
    "deliveries-repeated-later": "Events and callbacks are delivered again a moment later.",
  }),
  ...permitted("request-id header of webhook operations", { operations: WEBHOOKS })({
    "request-id-demanded": {
      what: "Webhook operations refuse a call without a request id, and their answers have an id of their own.",
      effects: WEBHOOKS.flatMap((operationId) => [
        ...demandsField(parametersOf(operationId, "header"), "/x-external-request-id"),
        ...header({ operationId }, "x-request-id", "4711"),
      ]),
    },
  }),
  ...permitted("TxPush and webhook payloads", { operations: ["createWebhookSubscription"] })({
    "subscription-url-demanded": {
      what: "A webhook subscription is refused without a URL of its own.",
      effects: demandsField("createWebhookSubscription", "/url"),
    },
  }),
  ...permitted("status change of a subscription and of single events", { operations: WEBHOOKS })({
    "subscription-status-apart":
      "A subscription has a status of its own, and an event is delivered when both are active.",
  }),
  ...permitted("test deliveries by GET", { operations: TESTS })({
    "test-deliveries-cacheable": {
      what: "The answer to a test delivery may be stored for a minute.",
      effects: TESTS.flatMap((operationId) =>
        header({ operationId, status: 200 }, "cache-control", "private, max-age=60"),
      ),
    },
  }),
];
