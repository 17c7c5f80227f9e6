/** Micro entries and switches: account verification by two small deposits, and moved deposits and bills. */
import { type Fields, fieldsIn } from "../../../engine/values/fields.ts";
import { instantOf } from "../../../engine/values/units.ts";
import { existing, refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { bodyOf, customerIn, partnerOf, pathValue, textIn } from "../../found.ts";
import type { Handler, Section } from "../../section.ts";
import { ownCustomer } from "../../seed-data.ts";
import { mark } from "../../state/customer.ts";
import {
  arrive,
  hasInitiated,
  initiate,
  type MicroDeposit,
  microDepositOf,
  microDepositTo,
  openMicroDeposits,
  STATUS_TEXTS,
  verify,
} from "../../state/micro-deposits.ts";
import type { State } from "../../state/state.ts";
import {
  giveSwitches,
  openSwitches,
  type Switch,
  switchesByExternalId,
  switchesOf,
} from "../../state/switches.ts";

const LIMITED = "micro-entries-limited";
const RAIL = "ACH";

const receiverIn = (receiver: unknown): MicroDeposit["receiver"] => {
  const { routingNumber, accountNumber } = fieldsIn(receiver);
  return { routingNumber: String(routingNumber), accountNumber: String(accountNumber) };
};

const statusOf = ({ status }: MicroDeposit): Fields => ({
  status,
  statusDescription: STATUS_TEXTS[status],
});

const depositIn = (state: State, call: Call): MicroDeposit => {
  const customer = customerIn(state, call);
  const deposit = microDepositOf(state, customer.id, pathValue(call, "accountId"));
  return existing(deposit, "unknown-deposit");
};

const list =
  (kind: Switch["kind"]): Handler =>
  (state, call) => {
    const customer = customerIn(state, call);
    const switches = switchesOf(state, customer, kind).map(summaryOf);
    const known = { customerId: customer.id, customerType: customer.type, switches };
    return success(state, call, known, { key: customer.id });
  };

const summaryOf = ({ id, status, created }: Switch): Fields => ({
  id,
  status,
  createdDate: instantOf(created),
  failureReason: undefined,
});

const read =
  (kind: Switch["kind"], detailsOf: (made: Switch) => Fields): Handler =>
  (state, call) => {
    const id = pathValue(call, "switchId");
    const named = switchesOf(state, customerIn(state, call), kind).find((each) => each.id === id);
    const made = existing(named, "unknown-switch");
    const known = {
      switchId: id,
      switchStatus: made.status,
      customerId: made.customer.id,
      customerType: made.customer.type,
      createdDate: instantOf(made.created),
      updatedDate: instantOf(made.updated),
      provider: made.provider,
      authenticated: true,
      failureReason: undefined,
      ...detailsOf(made),
    };
    return success(state, call, known, { key: id });
  };

const rowsIn = ({ body }: Switch, name: string): readonly Fields[] =>
  Array.isArray(body[name]) ? body[name] : [];

const depositDetails = (made: Switch): Fields => ({
  externalId: made.externalId,
  distributions: rowsIn(made, "accounts").map(({ bankIdentifier, accountNumber }) => ({
    type: "total",
    bankIdentifier,
    accountNumberEndsWith: String(accountNumber).slice(-4),
    allocatedValue: undefined,
  })),
});

const billPayDetails = (made: Switch): Fields => ({
  paymentMethods: rowsIn(made, "cards").map(({ title, brand, number }) => ({
    type: "card",
    title,
    brand,
    endsWith: String(number).slice(-4),
    bankIdentifier: undefined,
    bankAccountType: undefined,
  })),
});

export const microEntriesAndSwitches: Section = {
  handlers: {
    InitiateMicroAmountDeposits(state, call) {
      const customer = customerIn(state, call);
      if (customer.marks?.has(LIMITED) && !call.faulty("micro-limit-ignored"))
        throw refused("too-many-initiations");
      const body = bodyOf(call);
      const { institutionLoginId } = body;
      const login = state.accounts.logins.get(String(institutionLoginId));
      if (institutionLoginId !== undefined && login?.customerId !== customer.id)
        throw refused("unknown-login");
      const receiver = receiverIn(body.receiver);
      const known = microDepositTo(state, customer.id, receiver);
      const repeatable = call.differs("deposits-repeatable");
      const engaged = call.differs("deposits-one-at-a-time") && hasInitiated(state, customer.id);
      if (engaged || (known !== undefined && !repeatable)) throw refused("deposits-initiated");
      const callbackUrl = textIn(body, "callbackUrl");
      const wanted = { customerId: customer.id, receiver, callbackUrl };
      const deposit = known ?? initiate(state, wanted, call.faulty);
      const { accountId } = deposit;
      const shown = { accountId, depositCount: deposit.amounts.length, railType: RAIL, ...statusOf(deposit) };
      return success(state, call, shown, { key: accountId });
    },
    VerifyMicroAmountDeposits(state, call) {
      const deposit = depositIn(state, call);
      const { amounts } = bodyOf(call);
      if (deposit.status === "initiated") throw refused("deposits-under-way");
      const right = verify(state, deposit, Array.isArray(amounts) ? amounts : []);
      if (!right && !call.faulty("micro-any-amounts")) throw refused("wrong-amounts");
      return success(state, call, statusOf(deposit), { key: deposit.accountId });
    },
    GetMicroDepositsDetails(state, call) {
      const deposit = depositIn(state, call);
      const { receiver, created } = deposit;
      const known = {
        ...statusOf(deposit),
        creationDate: new Date(created).toISOString().slice(0, 19),
        routingNumber: receiver.routingNumber,
        accountNumberLast4: receiver.accountNumber.slice(-4),
        autoVerifiedAccount: undefined,
        railType: RAIL,
      };
      return success(state, call, known, { key: deposit.accountId });
    },
    getAllDepositSwitches: list("deposit"),
    getAllExternalDepositSwitches(state, call) {
      const externalId = pathValue(call, "externalId");
      const found = switchesByExternalId(state, partnerOf(state, call).id, externalId);
      const [first] = found;
      if (first === undefined || call.faulty("switches-external-unknown"))
        throw refused("unknown-external-id");
      const switches = call.faulty("switches-external-none") ? [] : found.map(summaryOf);
      return success(state, call, { externalId, customerType: first.customer.type, switches });
    },
    getDepositSwitchDetails: read("deposit", depositDetails),
    getAllPaySwitches: list("bill-pay"),
    getBillPaySwitchDetails: read("bill-pay", billPayDetails),
  },
  situations: {
    /** Arranges a customer for whom no further deposits can be initiated. */
    "rate-limited-micro-entries"(state) {
      const customer = ownCustomer(state, "limited");
      mark(customer, LIMITED);
      return { FINANCIAL_DATA_CUSTOMER_ID: customer.id };
    },
    /** Arranges deposits that have arrived at a linked account. The values include their amounts in dollars. */
    "micro-deposits-arrived"(state) {
      const customer = ownCustomer(state, "deposited");
      const { accounts } = state.accounts.link(customer, state.institutions.test("oauth"), ["checking"]);
      const [{ id, number, routingNumber } = { id: "", number: "", routingNumber: "" }] = accounts;
      const receiver = { accountNumber: number, routingNumber };
      const deposit = initiate(
        state,
        { customerId: customer.id, receiver, callbackUrl: undefined },
        () => false,
      );
      arrive(state, deposit);
      return {
        FINANCIAL_DATA_CUSTOMER_ID: customer.id,
        FINANCIAL_DATA_ACCOUNT_ID: id,
        FINANCIAL_DATA_MICRO_DEPOSIT_ACCOUNT_ID: deposit.accountId,
        FINANCIAL_DATA_MICRO_AMOUNTS: deposit.amounts.map((cents) => (cents / 100).toFixed(2)).join(","),
      };
    },
    switches(state) {
      const customer = ownCustomer(state, "switched");
      const [deposit, billPay] = giveSwitches(state, customer);
      return {
        FINANCIAL_DATA_CUSTOMER_ID: customer.id,
        FINANCIAL_DATA_SWITCH_ID: deposit?.id ?? "",
        FINANCIAL_DATA_BILL_PAY_SWITCH_ID: billPay?.id ?? "",
        FINANCIAL_DATA_EXTERNAL_ID: deposit?.externalId ?? "",
      };
    },
  },
  open: (state) => {
    openMicroDeposits(state);
    openSwitches(state);
  },
};
