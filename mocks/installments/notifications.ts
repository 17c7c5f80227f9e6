/** The notification of the issuer that a consumer has chosen a plan. */
import type { Call } from "./faults.ts";
import type { InstallmentsState, Plan } from "./state.ts";

/** Sends without waiting: whoever chose the plan has nothing to do with how the issuer answers. */
export const notifyIssuer = (state: InstallmentsState, plan: Plan, bent: Call["bent"]): void => {
  const { issuer, deliveries, identifiers } = state;
  if (issuer === undefined || bent("issuer-not-notified")) return;
  const { merchant, transaction } = planPurchase(plan);
  const planId = bent("notification-of-another-plan") ? identifiers.uuid("another plan") : plan.planId;
  const body = {
    notificationId: identifiers.uuid("notification", plan.planId),
    planId,
    offerId: plan.offer.offerId,
    useCase: bent("notification-of-numeric-use-case") ? 1 : plan.offer.useCase,
    createdAt: plan.createdAt.toISOString(),
    ...(bent("notification-without-merchant") ? { transaction } : { merchant, transaction }),
  };
  const send = () => deliveries.send({ kind: "issuer-notification", url: issuer, body });
  const sent = send();
  if (bent("issuer-notified-twice")) void sent.then(send);
};

/** What was bought, and where. */
export const planPurchase = ({ offer: { merchant, transaction } }: Plan) => ({
  merchant: { name: merchant.merchantLegalName.slice(0, 100), country: merchant.countryCode, mcc: MCC },
  transaction,
});

/** Whom a consumer pays with every plan of this sandbox. */
const MCC = "5732";
