/** Permitted differences in TxPush and webhooks: deliveries, listeners and subscriptions. */
import type { DeviationRow } from "../../../engine/deviations/deviation.ts";
import { demandsField, header, status } from "../../../engine/deviations/rows.ts";
import { parametersOf } from "../../../engine/parameters.ts";
import { READS, WRITES } from "./faults.ts";

const SUBSCRIBE = "SubscribeToTxPushNotifications";
const TESTS = ["testWebhookSubscription", "testWebhookSubscriptionBasedOnEventId"];

const WEBHOOKS = [...READS, ...WRITES];
const SENDING = [SUBSCRIBE, "CreateTxPushTestTransaction", "createWebhookSubscription", ...TESTS];

export const NOTIFICATION_DIFFERENCES = [
  {
    name: "other-payloads",
    what: "Events have payloads of another shape.",
    gaps: ["TxPush and webhook payloads"],
    effects: ["other-payloads"],
    operations: SENDING,
  },
  {
    name: "listener-verified-by-post",
    what: "A listener is verified by a POST with a code in its body, which it returns.",
    gaps: ["listener verification"],
    effects: ["listener-verified-by-post"],
    operations: [SUBSCRIBE],
  },
  {
    name: "listener-refused-otherwise",
    what: "A bad port or a plain http listener is forbidden (403).",
    gaps: ["status for a bad listener port or a plain http listener"],
    effects: [...status(403, { operationId: SUBSCRIBE, cause: ["listener-port", "listener-not-https"] })],
    operations: [SUBSCRIBE],
  },
  {
    name: "late-deliveries",
    what: "Events and callbacks arrive after the answer to their cause.",
    gaps: ["delivery time and retries"],
    effects: ["late-deliveries"],
    operations: SENDING,
    group: "deliveries",
  },
  {
    name: "repeated-deliveries",
    what: "Events and callbacks are delivered twice.",
    gaps: ["delivery time and retries"],
    effects: ["repeated-deliveries"],
    operations: SENDING,
    group: "deliveries",
  },
  {
    name: "deliveries-repeated-later",
    what: "Events and callbacks are delivered again a moment later.",
    gaps: ["delivery time and retries"],
    effects: ["deliveries-repeated-later"],
    operations: SENDING,
    group: "deliveries",
  },
  {
    name: "request-id-demanded",
    what: "Webhook operations refuse a call without a request id, and their answers have an id of their own.",
    gaps: ["request-id header of webhook operations"],
    effects: WEBHOOKS.flatMap((operationId) => [
      ...demandsField(parametersOf(operationId, "header"), "/x-external-request-id"),
      ...header({ operationId }, "x-request-id", "4711"),
    ]),
    operations: WEBHOOKS,
  },
  {
    name: "subscription-url-demanded",
    what: "A webhook subscription is refused without a URL of its own.",
    gaps: ["TxPush and webhook payloads"],
    effects: demandsField("createWebhookSubscription", "/url"),
    operations: ["createWebhookSubscription"],
  },
  {
    name: "subscription-status-apart",
    what: "A subscription has a status of its own, and an event is delivered when both are active.",
    gaps: ["status change of a subscription and of single events"],
    effects: ["subscription-status-apart"],
    operations: WEBHOOKS,
  },
  {
    name: "test-deliveries-cacheable",
    what: "The answer to a test delivery may be stored for a minute.",
    gaps: ["test deliveries by GET"],
    effects: TESTS.flatMap((operationId) =>
      header({ operationId, status: 200 }, "cache-control", "private, max-age=60"),
    ),
    operations: TESTS,
  },
] as const satisfies readonly DeviationRow[];
