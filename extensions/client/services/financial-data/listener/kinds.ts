/** The listeners of financial data: webhooks, TxPush events and report callbacks. */
import { type ListenerKind, type Message, requirementsOf, timeOf, uuid } from "../../../listener/kind.ts";

const SERVICE = "financial-data";
const CUSTOMER = "1005061234";
const ACCOUNT = "6005061234";
const INSTITUTION = "102105";

const WEBHOOK_EVENTS = [
  ...["accounts-linked", "account-changed", "account-deleted", "transactions-posted", "connect-completed"],
  "customer-deleted",
];

const webhookMessage = (name: string, draw: number, index: number, age = 0): Message => ({
  name,
  body: {
    eventId: uuid(draw, index),
    eventName: name,
    subscriptionId: uuid(0, 1),
    webhookEventId: uuid(0, 2),
    createdDate: timeOf(draw, age),
    payload: { customerId: CUSTOMER, accountIds: [ACCOUNT], institutionIds: [INSTITUTION] },
  },
});

const seconds = (draw: number, age: number): number => Math.floor(Date.parse(timeOf(draw, age)) / 1000);

const accountOf = (draw: number, age: number): Message["body"] => ({
  id: Number(ACCOUNT),
  customerId: Number(CUSTOMER),
  balance: 100 + draw,
  balanceDate: seconds(draw, age),
});

const transactionOf = (draw: number, index: number, age: number): Message["body"] => ({
  id: 9_000_000 + draw * 100 + index,
  accountId: Number(ACCOUNT),
  customerId: Number(CUSTOMER),
  amount: -12.5,
  description: "Example Store",
  transactionDate: seconds(draw, age),
});

const txPushMessage = (group: string, type: string, draw: number, index: number, age = 0): Message => ({
  name: `${group} ${type}`,
  body: {
    event: {
      class: group,
      type,
      records: [group === "account" ? accountOf(draw, age) : transactionOf(draw, index, age)],
    },
  },
});

export const kinds: readonly ListenerKind[] = [
  {
    kind: "webhook",
    service: SERVICE,
    operationId: "createWebhookSubscription",
    requirements: requirementsOf("webhook", "accepts-unknown-events"),
    messages: (draw, age) => WEBHOOK_EVENTS.map((name, index) => webhookMessage(name, draw, index, age)),
    optional: ["/webhookEventId", "/payload/institutionIds"],
    unknownEvent: (draw) => webhookMessage("unheard-of", draw, 99),
  },
  {
    kind: "txpush",
    service: SERVICE,
    operationId: "SubscribeToTxPushNotifications",
    requirements: {
      ...requirementsOf("txpush", "accepts-unknown-events"),
      "answers-verification": "txpush.listener-verified",
      "has-standard-port": "txpush.listener-ports-80-443",
      "has-https": "txpush.listener-https-for-real-accounts",
    },
    messages: (draw, age) => [
      ...["created", "modified", "deleted"].map((type, index) =>
        txPushMessage("transaction", type, draw, index, age),
      ),
      ...["modified", "deleted"].map((type, index) => txPushMessage("account", type, draw, index + 10, age)),
    ],
    optional: ["/event/records/*/description", "/event/records/*/balanceDate"],
    unknownEvent: (draw) => txPushMessage("unheardOf", "created", draw, 99),
    verification: "verification_code",
  },
  {
    kind: "report-callback",
    service: SERVICE,
    operationId: "GenerateVOAReport",
    requirements: requirementsOf("report-callback"),
    optional: ["/type"],
    messages: (draw) =>
      ["success", "failure"].map((status, index) => ({
        name: status,
        body: { reportId: `report-${draw}-${index}`, customerId: CUSTOMER, type: "voa", status },
      })),
  },
];
