/** Builds the payment data of an account: its holders, payment instructions and balance. */
import type { Fields } from "../engine/values/fields.ts";
import { currencyOf } from "./account-fields.ts";
import initial from "./initial-data.json" with { type: "json" };
import type { Account } from "./state/account.ts";
import type { Balance } from "./state/balances.ts";
import { addressLine, nameOf, ownerOf } from "./state/owners.ts";
import type { State } from "./state/state.ts";

/** @param insights whether the fields include identity insights about the holder */
export const holderFields = (state: State, account: Account, insights: boolean): Fields => {
  const owner = ownerOf(state, account);
  const { firstName, lastName, email, phone, address, taxId } = owner;
  // Without spreads, as in account-fields.ts.
  const home = Object.assign({ ownerAddress: addressLine(owner), type: "HOME" }, address, { country: "US" });
  const fields: Record<string, unknown> = {
    ownerName: nameOf(owner),
    relationship: "PRIMARY",
    nameClassification: "person",
    nameClassificationconfidencescore: 0.98,
    firstName,
    lastName,
    addresses: [home],
    emails: [{ email, emailType: "Personal", isPrimary: true }],
    phones: [{ phone, type: "CELL", country: "1" }],
    documentations: [{ taxId, taxIdCountry: "US" }],
  };
  if (insights) fields.identityInsights = initial.identityInsights;
  return fields;
};

export const achInstruction = ({ number, routingNumber }: Account): Fields => ({
  type: "ACH",
  accountNumber: number,
  tanEnabled: false,
  descriptors: [{ type: "routingNumber", value: routingNumber || UNMAPPED }],
});

/** The routing number of accounts whose institution is unknown to the network. */
export const UNMAPPED = "011000015";

const REAL_TIME = ["RTP", "FEDNOW"];

export const instructionsOf = (account: Account): readonly Fields[] => [
  { ...achInstruction(account), transferInEnabled: true, transferOutEnabled: true },
  ...REAL_TIME.map((type, index) => ({
    ...achInstruction(account),
    type,
    transferInEnabled: true,
    // Checking accounts can send money in real time through both networks, and other accounts through one of them.
    transferOutEnabled: account.type === "checking" || index === 0,
  })),
];

export const balanceFields = (
  state: State,
  account: Account,
  { amount, fetched }: Balance,
  date: (seconds: number) => unknown = (seconds) => seconds,
): Fields => ({
  id: account.id,
  realAccountNumberLast4: account.number.slice(-4),
  availableBalance: amount,
  availableBalanceDate: date(fetched),
  clearedBalance: amount,
  clearedBalanceDate: date(fetched),
  aggregationStatusCode: 0,
  ...(state.differs("cache-interval-in-seconds") && { isCached: fetched < state.seconds() }),
  currency: currencyOf(state, account),
});
