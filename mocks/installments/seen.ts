/** The merchants, offers and plans that a recording of a real server shows, as data of the sandbox. */
import { atPointer as readAt } from "../../helpers/contract/pointer.ts";
import { type RecordedCall, withoutHidden } from "../engine/recorded.ts";
import { type Fields, fieldsIn, isObject } from "../engine/values/fields.ts";

export const dataSeen = (calls: readonly RecordedCall[]): Fields => {
  const offers = new Map<string, Fields>();
  const plans = new Map<string, Fields>();
  const merchants = new Map<string, Fields>();
  for (const { status, json, body: sent } of calls) {
    if (status >= 400) continue;
    const [answer, body] = [withoutHidden(json), fieldsIn(withoutHidden(sent))];
    for (const item of Array.isArray(answer) ? answer : []) addMerchant(merchants, fieldsIn(item));
    const shown = readAt(answer, "/offers");
    for (const offer of Array.isArray(shown) ? shown : []) addOffer(offers, body, fieldsIn(offer));
    const { planId } = { ...body, ...fieldsIn(answer) };
    if (typeof planId !== "string") continue;
    plans.set(planId, { ...plans.get(planId), ...body, ...fieldsIn(answer), planId });
  }
  const known = [...plans.values()].filter(({ offerId }) => offers.has(String(offerId)));
  return {
    ...(merchants.size > 0 && { merchants: [...merchants.values()] }),
    ...(offers.size > 0 && { offers: [...offers.values()] }),
    ...(known.length > 0 && { plans: known.map(planOf) }),
  };
};

/** @param shown a merchant with a participation that has begun */
const addMerchant = (merchants: Map<string, Fields>, shown: Fields): void => {
  const { merchantLegalName, countryCode, acquirerICA, status, ...details } = shown;
  if (merchantLegalName === undefined || status !== "COMPLETED") return;
  const merchant = { merchantLegalName, countryCode, acquirerICA };
  merchants.set(JSON.stringify(merchant), { ...merchant, details });
};

/** @param body the request for offers */
const addOffer = (offers: Map<string, Fields>, body: Fields, offer: Fields): void => {
  const { offerId, planInstallmentInformation: information } = offer;
  const { merchant, transaction, useCase } = body;
  if (typeof offerId !== "string" || !isObject(merchant) || !isObject(transaction)) return;
  const { merchantLegalName, countryCode, acquirerICA } = merchant;
  const { amount, currency } = transaction;
  offers.set(offerId, {
    offerId,
    merchant: { merchantLegalName, countryCode, acquirerICA },
    transaction: { amount, currency },
    ...(typeof useCase === "string" && { useCase }),
    ...(isObject(information) && { information }),
  });
};

const STATUSES = /^(CREATED|APPROVED|DECLINED)$/;

const planOf = ({ planId, offerId, status, rejectReasonCode }: Fields): Fields => ({
  ...{ planId, offerId },
  ...(STATUSES.test(String(status)) && { status }),
  ...(typeof rejectReasonCode === "string" && { rejectReasonCode }),
});
