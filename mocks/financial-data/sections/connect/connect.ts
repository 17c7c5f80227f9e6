/** Connect: addresses of hosted flows, sent by e-mail or given out, and experiences. */

import type { Fields } from "../../../engine/values/fields.ts";
import { missing, refused, success } from "../../answers.ts";
import type { Call } from "../../faults.ts";
import { bodyOf, customerById, partnerOf, textIn } from "../../found.ts";
import { connectPages } from "../../hosted/pages.ts";
import { addressOf, type Flow, type NewSession, openSession, type Session } from "../../hosted/sessions.ts";
import { reaches } from "../../linking.ts";
import type { Handler, Section } from "../../section.ts";
import type { Customer } from "../../world/customer.ts";
import type { World } from "../../world/world.ts";

/** What the session is about, or the refusal of what the body says. */
type Plan = (world: World, call: Call) => NewSession;

const generate =
  (plan: Plan): Handler =>
  (world, call) => {
    const session = opened(world, call, plan);
    return success(world, call, { link: addressOf(world, session) }, { key: session.id });
  };

const send =
  (plan: Plan): Handler =>
  (world, call) => {
    const session = opened(world, call, plan);
    const link = addressOf(world, session);
    const email = bodyOf(call).email as Fields;
    if (!call.bent("connect-mails-nothing")) mail(world, session, email, link);
    return success(world, call, { link, emailConfig: email }, { key: session.id, made: "required" });
  };

/** The sandbox has no mailbox: what would be mailed stands among its deliveries. */
const mail = (world: World, session: Session, email: Fields, link: string): void => {
  const to = textIn(email, "to") ?? "";
  world.deliveries.note({ kind: "e-mail", url: `mailto:${to}`, body: { to, link, sessionId: session.id } });
};

const opened = (world: World, call: Call, plan: Plan): Session => {
  const { partnerId } = bodyOf(call);
  if (partnerId !== undefined && String(partnerId) !== partnerOf(world, call).id)
    throw refused("another-partner");
  return openSession(world, call, plan(world, call));
};

const customerNamed = (world: World, call: Call, id: unknown): Customer => {
  try {
    return customerById(world, call, id);
  } catch {
    throw missing(call, "unknown-customer");
  }
};

const forCustomer =
  (flow: Flow, step: NewSession["step"]): Plan =>
  (world, call) => {
    const { customerId, consumerId } = bodyOf(call);
    const customers = [customerNamed(world, call, customerId)];
    if (consumerId !== undefined && !world.customers.consumers.has(String(consumerId))) {
      throw missing(call, "unknown-consumer");
    }
    return { flow, customers, step };
  };

const lite: Plan = (world, call) => {
  const session = forCustomer("lite", "sign-in")(world, call);
  const institution = world.institutions.find(String(bodyOf(call).institutionId));
  if (institution === undefined) throw missing(call, "unknown-institution");
  const reachable = reaches(session.customers[0] as Customer, institution);
  const letsIn = institution.reach === "live" ? "connect-live-for-testing" : "connect-billable-for-testing";
  if (!reachable && !call.bent(letsIn)) throw refused("institution-out-of-reach");
  const step = call.bent("connect-lite-chooses") ? "institution" : "sign-in";
  return { ...session, step, institutionId: institution.id };
};

const fix: Plan = (world, call) => {
  const session = forCustomer("fix", "sign-in")(world, call);
  const login = world.accounts.logins.get(String(bodyOf(call).institutionLoginId));
  if (login === undefined || login.customerId !== session.customers[0]?.id) {
    throw missing(call, "unknown-login");
  }
  return { ...session, institutionId: login.institutionId, loginId: login.id };
};

const joint: Plan = (world, call) => {
  const { borrowers } = bodyOf(call);
  const named = Array.isArray(borrowers) ? (borrowers as Record<string, unknown>[]) : [];
  const primaryFirst = [...named].sort((a, b) => Number(b.type === "primary") - Number(a.type === "primary"));
  const customers = primaryFirst.map(({ customerId }) => customerNamed(world, call, customerId));
  if (customers.length === 0) throw refused("no-borrowers");
  return { flow: "joint", customers, step: "institution" };
};

const microEntry: Plan = (world, call) => ({
  ...forCustomer("micro-entry", "amounts")(world, call),
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
    GetAllExperience(world, call) {
      const { query, bent } = call;
      const appName = query.appName === undefined ? undefined : String(query.appName);
      if (/^unknown/i.test(appName ?? "")) throw refused("unknown-app");
      const codes = [query.productCode ?? []].flat().map(String);
      if (codes.length > 0 && bent("connect-product-codes-refused")) throw refused("product-codes");
      const all = PRODUCT_CODES.map((productCode, index) => ({
        id: world.identifiers.uuid("experience", index),
        appName: appName ?? "Fielding Budget",
        productCode,
      }));
      const found = all.filter(
        ({ productCode }) => codes.length === 0 || codes.some((code) => productCode.includes(code)),
      );
      return success(world, call, found.length === 0 ? all : found, { made: "required" });
    },
  },
  pages: connectPages,
};
