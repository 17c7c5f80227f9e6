/** Payments data: owners, how to pay to an account or for a loan, and balances. */

import type { Fields } from "../../../engine/values/fields.ts";
import { DAY, instantOf } from "../../../engine/values/units.ts";
import { success } from "../../answers.ts";
import type { Behaviour, Call } from "../../faults.ts";
import { isChallenged, readAccount, refuseOtherTypes } from "../../found.ts";
import { balanceFields, holderFields, instructionsOf, UNMAPPED } from "../../payment-fields.ts";
import type { Section } from "../../section.ts";
import type { Account } from "../../world/account.ts";
import { balanceWithin, cachedBalance, freshBalance } from "../../world/balances.ts";
import { addressLine, nameOf, ownerOf } from "../../world/owners.ts";
import type { World } from "../../world/world.ts";
import { matchOwner } from "./owner-match.ts";
import { bundleOfAccount, bundleOfLogin } from "./payment-bundle.ts";

const DEPOSITS = ["checking", "savings", "moneyMarket", "cd"];
const LOANS = ["loan", "mortgage", "studentLoan"];

/** The account in the path, of one of the types, or of all but the last where a fault leaves that out. */
const supported = (world: World, call: Call, types: readonly string[], without?: Behaviour): Account => {
  const account = readAccount(world, call);
  const isBent = without !== undefined && call.bent(without);
  refuseOtherTypes(account, isBent ? types.slice(0, -1) : types);
  return account;
};

/** How old a balance may be; none is young enough unless the client says so. */
const minutesOf = ({ query, bent }: Call): number => {
  if (bent("payments-cache-interval-ignored")) return 0;
  if (bent("payments-cache-forever")) return Number.POSITIVE_INFINITY;
  return Number(query.balance_cache_interval ?? 0);
};

export const payments: Section = {
  handlers: {
    GetAccountOwner(world, call) {
      const account = readAccount(world, call);
      if (isChallenged(world, account) && !call.bent("payments-owner-without-challenge")) {
        return success(world, call, {}, { status: 203 });
      }
      const known = ownerOf(world, account);
      const fields = {
        ownerName: nameOf(known),
        ownerAddress: addressLine(known),
        asOfDate: account.attempted,
      };
      return success(world, call, fields, { key: account.id });
    },
    GetAccountOwnerDetails(world, call) {
      const account = readAccount(world, call);
      const holder = holderFields(world, account, call.query.withInsights !== false);
      return success(world, call, { holders: [holder] }, { key: account.id, made: "required" });
    },
    GetAccountACHDetails(world, call) {
      const account = supported(world, call, DEPOSITS, "payments-ach-without-cd");
      const fields = { routingNumber: account.routingNumber || UNMAPPED, realAccountNumber: account.number };
      return success(world, call, fields, { key: account.id });
    },
    GetAccountPaymentInstructionDetails(world, call) {
      const types = DEPOSITS.filter((type) => type !== "cd");
      const account = supported(world, call, types, "payments-instructions-without-money-market");
      const all = instructionsOf(account);
      const paymentInstruction = call.bent("payments-instructions-without-ach") ? all.slice(1) : all;
      return success(world, call, { paymentInstruction }, { key: account.id, made: "required" });
    },
    GetLoanPaymentDetails(world, call) {
      const { id, number, balance } = supported(world, call, LOANS);
      const loanNumber = call.bent("payments-loan-of-another") ? [...number].reverse().join("") : number;
      const detail = (of: "account" | "loan"): Fields => ({
        accountId: id,
        [`${of}Number`]: loanNumber,
        [`${of}PaymentNumber`]: `0000${loanNumber}`,
        [`${of}PaymentAddress`]: "P.O. Box 123 Fairview TX 75069",
        [`${of}FuturePayoffAmount`]: balance,
        [`${of}FuturePayoffDate`]: instantOf(world.seconds() + 30 * DAY),
      });
      const { loanPaymentNumber, loanPaymentAddress } = detail("loan");
      const accountDetail = { ...detail("account"), loanDetail: [detail("loan")] };
      const fields = { loanNumber, loanPaymentNumber, loanPaymentAddress, accountDetail };
      return success(world, call, fields, { key: id, made: "required" });
    },
    GetAvailableBalanceLive(world, call) {
      const account = supported(world, call, DEPOSITS, "payments-balance-without-cd");
      const minutes = minutesOf(call);
      const fields = balanceFields(world, account, balanceWithin(world, account, minutes));
      return success(world, call, fields, { key: account.id });
    },
    GetAvailableBalance(world, call) {
      const account = supported(world, call, DEPOSITS, "payments-balance-without-cd");
      const balance = call.bent("payments-cached-refreshed") ? freshBalance : cachedBalance;
      return success(world, call, balanceFields(world, account, balance(world, account)), {
        key: account.id,
      });
    },
    GetAccountDetailsByInstitutionLoginId: bundleOfLogin,
    GetAccountDetailsByAccountId: bundleOfAccount,
    AccountMatchingScoreDetails: matchOwner,
  },
};
