/** The payment enablement bundle: brief details, payment instructions, owner and balance of accounts in one call. */
import type { Answer } from "../../../engine/call.ts";
import type { Fields } from "../../../engine/values/fields.ts";
import { instantOf } from "../../../engine/values/units.ts";
import { simpleFields } from "../../account-fields.ts";
import { success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { accountsOfLogin, pathValue, readAccount } from "../../found.ts";
import { achInstruction, balanceFields, holderFields } from "../../payment-fields.ts";
import type { Handler } from "../../section.ts";
import type { Account } from "../../state/account.ts";
import { balanceWithin } from "../../state/balances.ts";
import { perState, type State } from "../../state/state.ts";

export const bundleOfLogin: Handler = (state, call) => bundle(state, call, accountsOfLogin(state, call));

export const bundleOfAccount: Handler = (state, call) => bundle(state, call, [readAccount(state, call)]);

interface Part {
  /** The name in the body. */
  readonly name: string;
  /** The names in a request, in lower case. */
  readonly asked: readonly string[];
  /** The name of the count of successful parts. */
  readonly counted?: string;
  /** @returns `undefined` when accounts of this type do not have the part */
  fields(state: State, account: Account, minutes: number): Fields | undefined;
}

const PARTS: readonly Part[] = [
  {
    name: "accountDetails",
    asked: ["accountdetails", "account"],
    // Without spreads, as in account-fields.ts.
    fields: (state, account) =>
      Object.assign({}, simpleFields(state, account), {
        createdDate: instantOf(account.created),
        aggregationSuccessDate: instantOf(account.attempted),
        aggregationAttemptDate: instantOf(account.attempted),
      }),
  },
  {
    name: "balanceDetails",
    asked: ["balancedetails", "availablebalance", "balance"],
    counted: "balanceDetailsSuccessCount",
    fields: (state, account, minutes) => {
      if (!account.kind.deposits) return undefined;
      const { amount, fetched } = balanceWithin(state, account, minutes);
      return balanceFields(state, account, { amount: Math.max(0, amount), fetched }, instantOf);
    },
  },
  {
    name: "accountIdentity",
    asked: ["accountidentity", "accountowner", "owner"],
    counted: "accountIdentitySuccessCount",
    fields: (state, account) => ({ holders: [holderFields(state, account, false)] }),
  },
  {
    name: "paymentInstruction",
    asked: ["paymentinstruction", "ach"],
    counted: "paymentInstructionSuccessCount",
    fields: (_, account) => (account.kind.deposits ? achInstruction(account) : undefined),
  },
];

const bundle = (state: State, call: Call, accounts: readonly Account[]): Answer => {
  const parts = partsFor(state, call);
  const interval = Number(call.query.balance_cache_interval ?? 30);
  const minutes = call.differs("cache-interval-in-seconds") ? interval / 60 : interval;
  const rows = accounts.map((account) => bundled(state, account, parts, minutes));
  const counts = parts.flatMap(({ name, counted }) =>
    counted === undefined ? [] : [[counted, rows.filter(({ fields }) => fields[name] !== undefined).length]],
  );
  const known = {
    customerId: pathValue(call, "customerId"),
    errorCount: rows.reduce((sum, { errors }) => sum + errors.length, 0),
    accountCount: rows.length,
    ...Object.fromEntries(counts),
    accounts: rows.map(({ fields, errors }) => {
      if (errors.length > 0) fields.errors = errors;
      return fields;
    }),
  };
  return success(state, call, known, { made: "required" });
};

/** Counts the calls, for a fault that changes the answer each time. */
const calls = perState(() => ({ count: 0 }));

/** Returns the requested parts, or all parts if the client names none. */
const partsFor = (state: State, { query, faulty, differs }: Call): readonly Part[] => {
  if (differs("bundle-as-set-up")) return PARTS.slice(0, 2);
  if (faulty("payments-bundle-empty")) return [];
  if (faulty("payments-bundle-varies")) {
    calls(state).count += 1;
    return calls(state).count % 2 === 0 ? PARTS : PARTS.slice(0, 1);
  }
  const wanted = String(query.include ?? "")
    .toLowerCase()
    .split(/[\s,]+/);
  const asked = PARTS.filter((part) => part.asked.some((name) => wanted.includes(name)));
  return asked.length === 0 ? PARTS : asked;
};

const bundled = (state: State, account: Account, parts: readonly Part[], minutes: number) => {
  const description = `Not supported for accounts of the type ${account.type}.`;
  const fields: Record<string, unknown> = {
    id: account.id,
    institutionId: account.institutionId,
    institutionName: state.institutions.find(account.institutionId)?.name,
    institutionLoginId: account.loginId,
    realAccountNumberLast4: account.number.slice(-4),
  };
  const errors: Fields[] = [];
  for (const part of parts) {
    const value = part.fields(state, account, minutes);
    if (value === undefined) errors.push({ fieldName: part.name, code: "10400", description });
    else fields[part.name] = value;
  }
  return { fields, errors };
};
