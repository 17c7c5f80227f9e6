/** Connect: generates the addresses of hosted flows, sends them by e-mail, and handles experiences. */
import { type Fields, fieldsIn, listIn } from "../../../engine/values/fields.ts";
import { missing, refused, success } from "../../answers.ts";
import type { Call } from "../../calls.ts";
import { bodyOf, customerById, partnerOf, textIn } from "../../found.ts";
import { connectPages } from "../../hosted/pages.ts";
import { addressOf, type Flow, type NewSession, openSession, type Session } from "../../hosted/sessions.ts";
import { reaches } from "../../linking.ts";
import type { Handler, Section } from "../../section.ts";
import type { Customer } from "../../state/customer.ts";
import type { State } from "../../state/state.ts";

/** Plans the session for a request, or refuses the request. */
type Plan = (state: State, call: Call) => NewSession;

const generate =
  (plan: Plan): Handler =>
  (state, call) => {
    const session = opened(state, call, plan);
    const answer = success(state, call, { link: addressOf(state, session) }, { key: session.id });
    const isLate = bodyOf(call).language !== undefined && call.faulty("connect-no-link-with-language");
    return isLate ? { ...answer, json: { link: "later" } } : answer;
  };

const send =
  (plan: Plan): Handler =>
  (state, call) => {
    const session = opened(state, call, plan);
    const link = addressOf(state, session);
    const email = fieldsIn(bodyOf(call).email);
    if (!call.faulty("connect-mails-nothing")) mail(state, session, email, link);
    return success(state, call, { link, emailConfig: email }, { key: session.id, made: "required" });
  };

/** Logs the e-mail among the deliveries, since the sandbox has no mailbox. */
const mail = (state: State, session: Session, email: Fields, link: string): void => {
  const to = textIn(email, "to") ?? "";
  state.deliveries.note({ kind: "e-mail", url: `mailto:${to}`, body: { to, link, sessionId: session.id } });
};

const opened = (state: State, call: Call, plan: Plan): Session => {
  const { partnerId } = bodyOf(call);
  if (partnerId !== undefined && String(partnerId) !== partnerOf(state, call).id)
    throw refused("another-partner");
  return openSession(state, call, plan(state, call));
};

const customerNamed = (state: State, call: Call, id: unknown): Customer => {
  try {
    return customerById(state, call, id);
  } catch {
    throw missing(call, "unknown-customer");
  }
};

const forCustomer =
  (flow: Flow, step: NewSession["step"]): Plan =>
  (state, call) => {
    const { customerId, consumerId } = bodyOf(call);
    const customers = [customerNamed(state, call, customerId)];
    if (consumerId !== undefined && !state.customers.consumers.has(String(consumerId))) {
      throw missing(call, "unknown-consumer");
    }
    return { flow, customers, step };
  };

const lite: Plan = (state, call) => {
  const session = forCustomer("lite", "sign-in")(state, call);
  const institution = state.institutions.find(String(bodyOf(call).institutionId));
  if (institution === undefined) throw missing(call, "unknown-institution");
  const reachable = reaches(session.customers[0] as Customer, institution);
  const letsIn = institution.reach === "live" ? "connect-live-for-testing" : "connect-billable-for-testing";
  if (!reachable && !call.faulty(letsIn)) throw refused("institution-out-of-reach");
  const step = call.faulty("connect-lite-chooses") ? "institution" : "sign-in";
  return { ...session, step, institutionId: institution.id };
};

const fix: Plan = (state, call) => {
  const session = forCustomer("fix", "sign-in")(state, call);
  const login = state.accounts.logins.get(String(bodyOf(call).institutionLoginId));
  if (login === undefined || login.customerId !== session.customers[0]?.id) {
    throw missing(call, "unknown-login");
  }
  return { ...session, institutionId: login.institutionId, loginId: login.id };
};

const joint: Plan = (state, call) => {
  const named = listIn(bodyOf(call).borrowers).map(fieldsIn);
  const primaryFirst = [...named].sort((a, b) => Number(b.type === "primary") - Number(a.type === "primary"));
  const customers = primaryFirst.map(({ customerId }) => customerNamed(state, call, customerId));
  if (customers.length === 0) throw refused("no-borrowers");
  return { flow: "joint", customers, step: "institution" };
};

const microEntry: Plan = (state, call) => ({
  ...forCustomer("micro-entry", "amounts")(state, call),
  accountId: String(bodyOf(call).accountId),
});

const PRODUCT_CODES = [["voa"], ["voi", "voa"], ["voePayroll"]];

export const connect: Section = {
  handlers: {
    GenerateConnectUrl: generate(forCustomer("full", "institution")),
    GenerateLiteConnectUrl: generate(lite),
    GenerateFixConnectUrl: generate(fix),
    SendConnectEmail: send(forCustomer("full", "institution")),
    GenerateJointBorrowerConnectUrl: generate(joint),
    SendJointBorrowerConnectEmail: send(joint),
    VerifyMicroEntryMicrodeposit: generate(microEntry),
    GenerateTransferBillPaySwitchUrl: generate(forCustomer("bill-pay-switch", "switch")),
    GenerateTransferDepositSwitchUrl: generate(forCustomer("deposit-switch", "switch")),
    GetAllExperience(state, call) {
      const { query, faulty } = call;
      const appName = query.appName === undefined ? undefined : String(query.appName);
      if (/^unknown/i.test(appName ?? "")) throw refused("unknown-app");
      const codes = [query.productCode ?? []].flat().map(String);
      if (codes.length > 0 && faulty("connect-product-codes-refused")) throw refused("product-codes");
      const all = PRODUCT_CODES.map((productCode, index) => ({
        id: state.identifiers.uuid("experience", index),
        appName: call.differs("app-name-ignored") ? "Another Budget" : (appName ?? "Fielding Budget"),
        productCode,
      }));
      const found = all.filter(
        ({ productCode }) => codes.length === 0 || codes.some((code) => productCode.includes(code)),
      );
      return success(state, call, found.length === 0 ? all : found, { made: "required" });
    },
  },
  pages: connectPages,
};
