/** The faults of webhook and TxPush subscriptions. */
import type { RequestEffect } from "../../../engine/deviations/deviation.ts";
import {
  anyBody,
  ignores,
  json,
  refusesField,
  refusesParameter,
  remove,
  rowsOf,
  validating,
} from "../../../engine/deviations/rows.ts";
import { parametersOf } from "../../../engine/parameters.ts";

const READ = { operationId: "getWebhookSubscriptionById", status: 200 };
const LIST = { operationId: "listWebhookSubscriptions", status: 200 };
const CREATED = { operationId: "createWebhookSubscription", status: 201 };
const SUBSCRIBED = { operationId: "SubscribeToTxPushNotifications", status: 201 };

export const READS = [
  "listWebhookSubscriptions",
  "getWebhookSubscriptionById",
  "listAvailableWebhookSubscriptionEvents",
  "testWebhookSubscription",
  "testWebhookSubscriptionBasedOnEventId",
];
export const WRITES = [
  "createWebhookSubscription",
  "updateWebhookSubscription",
  "deleteWebhookSubscription",
  "updateWebhookSubscriptionEvent",
  "deleteWebhookSubscriptionEvent",
  "changeWebhookSubscriptionEventStatus",
  "changeWebhookSubscriptionStatus",
];

const refusesRequestId = (operationId: string) =>
  refusesField(parametersOf(operationId, "header"), "/x-external-request-id");

/** Removes the value at the pointer from every answer that shows a subscription. */
const lacking = (pointer: string) => [
  ...remove(READ, pointer),
  ...remove(CREATED, pointer),
  ...remove(LIST, `/subscriptions/*${pointer}`),
];

const statusEffect = (edit: RequestEffect["edit"]) =>
  validating(edit)("changeWebhookSubscriptionStatus", "/status");

export const NOTIFICATION_FAULTS = rowsOf({
  "notifications.channels": {
    "txpush-silent": "txpush-nothing-sent",
    "webhooks-silent": "webhooks-nothing-sent",
  },

  "txpush.two-records": {
    "account-record-missing": "txpush-account-record-missing",
    "transaction-record-missing": "txpush-transaction-record-missing",
    "both-of-one-class": json(SUBSCRIBED, "/subscriptions/*/type", "account"),
  },
  "SubscribeToTxPushNotifications.request.shape": {
    "anything-accepted": [
      ...anyBody("SubscribeToTxPushNotifications"),
      "txpush-any-address",
      "txpush-unverified-accepted",
    ],
  },
  "txpush.account-event-on-change": { "not-sent": "txpush-no-account-events" },
  "txpush.transaction-event-on-post": { "not-sent": "txpush-no-transaction-events" },
  "txpush.without-institution-support": { "not-sent": "txpush-quiet-institutions-silent" },
  "txpush.http-refused-for-real-accounts": { accepted: "txpush-http-accepted" },
  "txpush.unverified-listener-not-subscribed": { subscribed: "txpush-unverified-accepted" },
  "txpush.other-ports-fail": { accepted: "txpush-any-port" },
  "CreateTxPushTestTransaction.testing-accounts-only": {
    "real-account-accepted": "txpush-test-on-real-accounts",
  },
  "CreateTxPushTestTransaction.transaction-event": { "not-sent": "txpush-test-without-transaction-event" },
  "CreateTxPushTestTransaction.account-event": { "not-sent": "txpush-test-without-account-event" },
  "DisableTxPushNotifications.deletes-all": { "one-only": "txpush-disable-one-only" },
  "DeleteTxPushSubscription.stops-only-that": {
    "stops-nothing": "txpush-delete-nothing",
    "stops-all": "txpush-delete-all",
  },

  "webhooks.subscription-fields": {
    "url-missing": lacking("/url"),
    "events-missing": lacking("/events"),
    "event-id-missing": lacking("/events/*/webhookEventId"),
    "condition-missing": lacking("/events/*/condition"),
    "status-missing": lacking("/status"),
  },
  "webhooks.event-status-change": { "not-changed": "webhooks-event-status-kept" },
  "webhooks.subscription-status-change": {
    "first-event-only": "webhooks-status-of-first-only",
    "status-not-told": json(READ, "/status", "paused"),
  },
  "webhooks.subscription-status-enum": {
    "any-accepted": statusEffect({ drop: "enum" }),
    "active-refused": statusEffect({ set: "enum", to: ["inactive"] }),
    "inactive-refused": statusEffect({ set: "enum", to: ["active"] }),
  },
  "webhooks.request-id-header-accepted": {
    "refused-by-reads": READS.flatMap(refusesRequestId),
    "refused-by-writes": WRITES.flatMap(refusesRequestId),
  },
  "listWebhookSubscriptions.offset-limit": {
    "offset-ignored": ignores("listWebhookSubscriptions", "offset"),
    "limit-ignored": "webhooks-limit-ignored",
    "offset-refused": refusesParameter("listWebhookSubscriptions", "offset"),
    "limit-refused": refusesParameter("listWebhookSubscriptions", "limit"),
  },
  "webhooks.several-subscriptions": { "second-refused": "webhooks-one-per-partner" },
  "webhooks.several-events": { "first-only": "webhooks-first-event-only" },
  "webhooks.conditions-filter": {
    "delivered-though-not-met": "webhooks-conditions-ignored",
    "not-delivered-though-met": "webhooks-conditions-never-met",
  },
  "webhooks.url-override-per-event": { ignored: "webhooks-event-url-ignored" },
  "webhooks.delivers-chosen-events": { "not-delivered": "webhooks-chosen-events-silent" },
  "webhooks.only-chosen-events": {
    "all-delivered": "webhooks-all-events-sent",
    "tests-reach-all": "webhooks-tests-reach-all",
  },
  "testWebhookSubscription.triggers-delivery": {
    "not-delivered": "webhooks-silent-testWebhookSubscription",
  },
  "testWebhookSubscriptionBasedOnEventId.triggers-delivery": {
    "not-delivered": "webhooks-silent-testWebhookSubscriptionBasedOnEventId",
    "all-events": "webhooks-test-of-all-events",
  },
});
