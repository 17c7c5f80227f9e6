/** How webhook subscriptions can go against what is promised of them. */
import type { Bend, FaultRow } from "../../../engine/faults/fault.ts";
import { behaviour, json, refusesParameter, remove, rowsOf } from "../../../engine/faults/fault-rows.ts";
import { parametersOf } from "../../../engine/validators.ts";

const READ = { operationId: "getWebhookSubscriptionById", status: 200 };
const LIST = { operationId: "listWebhookSubscriptions", status: 200 };
const CREATED = { operationId: "createWebhookSubscription", status: 201 };

const READS = [
  "listWebhookSubscriptions",
  "getWebhookSubscriptionById",
  "listAvailableWebhookSubscriptionEvents",
  "testWebhookSubscription",
  "testWebhookSubscriptionBasedOnEventId",
];
const WRITES = [
  "createWebhookSubscription",
  "updateWebhookSubscription",
  "deleteWebhookSubscription",
  "updateWebhookSubscriptionEvent",
  "deleteWebhookSubscriptionEvent",
  "changeWebhookSubscriptionEventStatus",
  "changeWebhookSubscriptionStatus",
];

const refusesRequestId = (operationId: string): Bend[] => [
  {
    kind: "request",
    of: parametersOf(operationId, "header"),
    pointer: "/x-external-request-id",
    edit: { forbid: true },
  },
];

/** Wherever a subscription is told. */
const lacking = (pointer: string): Bend[] => [
  ...remove(READ, pointer),
  ...remove(CREATED, pointer),
  ...remove(LIST, `/subscriptions/*${pointer}`),
];

const statusBend = (edit: { drop: "enum" } | { set: "enum"; to: string[] }): Bend[] => [
  { kind: "request", of: "changeWebhookSubscriptionStatus", pointer: "/status", edit },
];

export const webhookFaults: readonly FaultRow[] = rowsOf({
  "notifications.channels": { "webhooks-silent": behaviour("webhooks-nothing-sent") },
  "webhooks.subscription-fields": {
    "url-missing": lacking("/url"),
    "events-missing": lacking("/events"),
    "event-id-missing": lacking("/events/*/webhookEventId"),
    "condition-missing": lacking("/events/*/condition"),
    "status-missing": lacking("/status"),
  },
  "webhooks.event-status-change": { "not-changed": behaviour("webhooks-event-status-kept") },
  "webhooks.subscription-status-change": {
    "first-event-only": behaviour("webhooks-status-of-first-only"),
    "status-not-told": json(READ, "/status", "paused"),
  },
  "webhooks.subscription-status-enum": {
    "any-accepted": statusBend({ drop: "enum" }),
    "active-refused": statusBend({ set: "enum", to: ["inactive"] }),
    "inactive-refused": statusBend({ set: "enum", to: ["active"] }),
  },
  "webhooks.request-id-header-accepted": {
    "refused-by-reads": READS.flatMap(refusesRequestId),
    "refused-by-writes": WRITES.flatMap(refusesRequestId),
  },
  "listWebhookSubscriptions.offset-limit": {
    "offset-ignored": behaviour("webhooks-offset-ignored"),
    "limit-ignored": behaviour("webhooks-limit-ignored"),
    "offset-refused": refusesParameter("listWebhookSubscriptions", "offset"),
    "limit-refused": refusesParameter("listWebhookSubscriptions", "limit"),
  },
  "webhooks.several-subscriptions": { "second-refused": behaviour("webhooks-one-per-partner") },
  "webhooks.several-events": { "first-only": behaviour("webhooks-first-event-only") },
  "webhooks.conditions-filter": {
    "delivered-though-not-met": behaviour("webhooks-conditions-ignored"),
    "not-delivered-though-met": behaviour("webhooks-conditions-never-met"),
  },
  "webhooks.url-override-per-event": { ignored: behaviour("webhooks-event-url-ignored") },
  "webhooks.delivers-chosen-events": { "not-delivered": behaviour("webhooks-chosen-events-silent") },
  "webhooks.only-chosen-events": { "all-delivered": behaviour("webhooks-all-events-sent") },
  "testWebhookSubscription.triggers-delivery": {
    "not-delivered": behaviour("webhooks-silent-testWebhookSubscription"),
  },
  "testWebhookSubscriptionBasedOnEventId.triggers-delivery": {
    "not-delivered": behaviour("webhooks-silent-testWebhookSubscriptionBasedOnEventId"),
  },
});
