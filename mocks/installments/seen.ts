/** The merchants that a recording of a real server shows, as data of the sandbox: no identifier names them. */
import { type RecordedCall, withoutHidden } from "../engine/recorded.ts";
import { type Fields, fieldsIn, listIn } from "../engine/values/fields.ts";

export const dataSeen = (calls: readonly RecordedCall[]): Fields => {
  const merchants = new Map<string, Fields>();
  for (const { status, json } of calls)
    if (status < 400) for (const item of listIn(withoutHidden(json))) addMerchant(merchants, fieldsIn(item));
  return merchants.size > 0 ? { merchants: [...merchants.values()] } : {};
};

/** @param shown a merchant with a participation that has begun */
const addMerchant = (merchants: Map<string, Fields>, shown: Fields): void => {
  const { merchantLegalName, countryCode, acquirerICA, status, ...details } = shown;
  if (merchantLegalName === undefined || status !== "COMPLETED") return;
  const merchant = { merchantLegalName, countryCode, acquirerICA };
  merchants.set(JSON.stringify(merchant), { ...merchant, details });
};
