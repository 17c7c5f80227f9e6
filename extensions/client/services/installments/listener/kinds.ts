/** The listener of installments: the endpoint of an issuer. */
import { type ListenerKind, requirementsOf, timeOf, uuid } from "../../../listener/kind.ts";

export const kinds: readonly ListenerKind[] = [
  {
    kind: "notification",
    service: "installments",
    operationId: "postNotifications",
    requirements: {
      ...requirementsOf("notification"),
      "accepts-events": "notifications.issuer-exposes-endpoint",
      "accepts-repeated": "issuer.accepts-repeated",
      "accepts-unknown-fields": "issuer.ignores-unknown-fields",
      "refuses-malformed": "issuer.refuses-malformed",
      "refuses-oversize": "issuer.refuses-oversize",
      "serves-beside-slow-sender": "issuer.serves-beside-slow-sender",
    },
    optional: ["/merchant/name", "/createdAt"],
    messages: (draw, age = 0) =>
      ["DURING_PURCHASE", "POST_PURCHASE"].map((useCase, index) => ({
        name: useCase,
        body: {
          notificationId: uuid(draw, index),
          planId: uuid(draw, index + 100),
          offerId: String(10_000_000 + draw),
          useCase,
          createdAt: timeOf(draw, age),
          merchant: { name: "Harbour Lamps", country: "USA", mcc: "5712" },
          transaction: { amount: 250.25, currency: "USD" },
        },
      })),
  },
];
