/** Payments data: owners, payment instructions for accounts and loans, and balances. */
import type { Fields } from "../../../engine/values/fields.ts";
import { DAY, instantOf } from "../../../engine/values/units.ts";
import { refused, success } from "../../answers.ts";
import type { Behaviour, Call } from "../../calls.ts";
import { isChallenged, readAccount, refuseOtherTypes } from "../../found.ts";
import { balanceFields, holderFields, instructionsOf, UNMAPPED } from "../../payment-fields.ts";
import type { Section } from "../../section.ts";
import type { Account } from "../../state/account.ts";
import { balanceWithin, cachedBalance, freshBalance } from "../../state/balances.ts";
import { addressLine, nameOf, ownerOf } from "../../state/owners.ts";
import type { State } from "../../state/state.ts";
import { matchOwner } from "./owner-match.ts";
import { bundleOfAccount, bundleOfLogin } from "./payment-bundle.ts";

const DEPOSITS = ["checking", "savings", "moneyMarket", "cd"];
const LOANS = ["loan", "mortgage", "studentLoan"];

/** Finds the account in the path. Refuses other types, and with the fault also the last of the types. */
const supported = (state: State, call: Call, types: readonly string[], without?: Behaviour): Account => {
  const account = readAccount(state, call);
  const isFaulty = without !== undefined && call.faulty(without);
  refuseOtherTypes(account, isFaulty ? types.slice(0, -1) : types);
  return account;
};

/** Returns the maximum age of a balance; 0 by default, so that the balance is fetched again. */
const minutesOf = ({ query, faulty, differs }: Call): number => {
  if (faulty("payments-cache-interval-ignored")) return 0;
  if (faulty("payments-cache-forever")) return Number.POSITIVE_INFINITY;
  const interval = Number(query.balance_cache_interval ?? 0);
  return differs("cache-interval-in-seconds") ? interval / 60 : interval;
};

export const payments: Section = {
  handlers: {
    GetAccountOwner(state, call) {
      const account = readAccount(state, call);
      if (isChallenged(state, account) && !call.faulty("payments-owner-without-challenge")) {
        return success(state, call, {}, { status: 203 });
      }
      const known = ownerOf(state, account);
      const fields = {
        ownerName: nameOf(known),
        ownerAddress: addressLine(known),
        asOfDate: account.attempted,
      };
      return success(state, call, fields, { key: account.id });
    },
    GetAccountOwnerDetails(state, call) {
      const account = readAccount(state, call);
      if (call.differs("owner-details-challenged") && isChallenged(state, account))
        return success(state, call, {}, { status: 203 });
      const holder = holderFields(state, account, call.query.withInsights !== false);
      return success(state, call, { holders: [holder] }, { key: account.id, made: "required" });
    },
    GetAccountACHDetails(state, call) {
      const account = supported(state, call, DEPOSITS, "payments-ach-without-cd");
      const fields = { routingNumber: account.routingNumber || UNMAPPED, realAccountNumber: account.number };
      return success(state, call, fields, { key: account.id });
    },
    GetAccountPaymentInstructionDetails(state, call) {
      const types = DEPOSITS.filter((type) => type !== "cd");
      const account = supported(state, call, types, "payments-instructions-without-money-market");
      const all = instructionsOf(account);
      const paymentInstruction = call.faulty("payments-instructions-without-ach") ? all.slice(1) : all;
      return success(state, call, { paymentInstruction }, { key: account.id, made: "required" });
    },
    GetLoanPaymentDetails(state, call) {
      const { id, number, balance } = supported(state, call, LOANS);
      const loanNumber = call.faulty("payments-loan-of-another") ? [...number].reverse().join("") : number;
      const detail = (of: "account" | "loan"): Fields => ({
        accountId: id,
        [`${of}Number`]: loanNumber,
        [`${of}PaymentNumber`]: `0000${loanNumber}`,
        [`${of}PaymentAddress`]: "P.O. Box 123 Fairview TX 75069",
        [`${of}FuturePayoffAmount`]: balance,
        [`${of}FuturePayoffDate`]: instantOf(state.seconds() + 30 * DAY),
      });
      const { loanPaymentNumber, loanPaymentAddress } = detail("loan");
      const accountDetail = { ...detail("account"), loanDetail: [detail("loan")] };
      const fields = { loanNumber, loanPaymentNumber, loanPaymentAddress, accountDetail };
      return success(state, call, fields, { key: id, made: "required" });
    },
    GetAvailableBalanceLive(state, call) {
      const account = supported(state, call, DEPOSITS, "payments-balance-without-cd");
      const minutes = minutesOf(call);
      const fields = balanceFields(state, account, balanceWithin(state, account, minutes));
      return success(state, call, fields, { key: account.id });
    },
    GetAvailableBalance(state, call) {
      if (call.differs("cached-balance-ended")) throw refused("operation-ended");
      const account = supported(state, call, DEPOSITS, "payments-balance-without-cd");
      const balanceOf = call.faulty("payments-cached-refreshed") ? freshBalance : cachedBalance;
      const balance = balanceOf(state, account);
      const amount = call.differs("cached-balance-older") ? balance.amount - 1 : balance.amount;
      return success(state, call, balanceFields(state, account, { ...balance, amount }), { key: account.id });
    },
    GetAccountDetailsByInstitutionLoginId: bundleOfLogin,
    GetAccountDetailsByAccountId: bundleOfAccount,
    AccountMatchingScoreDetails: matchOwner,
  },
};
