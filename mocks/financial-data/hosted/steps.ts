/** What an entry on a hosted page does: the session goes one step on, and at its end accounts are linked. */

import type { Visit } from "../faults.ts";
import { type Account, KINDS } from "../world/account.ts";
import type { World } from "../world/world.ts";
import { customerOf, type Session, type Step } from "./sessions.ts";
import { institutionsFor } from "./view.ts";

/** Makes the session go on as far as what was entered allows. */
export const enter = (world: World, session: Session, visit: Visit): void => {
  session.problem = undefined;
  const next = STEPS[session.step](world, session, visit);
  if (next === "done") finish(world, session, visit);
  else session.step = next;
};

type Entry = (world: World, session: Session, visit: Visit) => Step;

const stay = (session: Session, problem: string): Step => {
  session.problem = problem;
  return session.step;
};

const chooseInstitution: Entry = (world, session, { form, bent }) => {
  const chosen = institutionsFor(world, customerOf(session), bent).find(
    ({ id }) => String(id) === form.institution,
  );
  if (chosen === undefined) return "institution";
  session.institutionId = chosen.id;
  return "sign-in";
};

/** Any credentials are right but the user name `wrong`. */
const signIn: Entry = (world, session, { form }) => {
  if ((form.username ?? "") === "" || form.username === "wrong") return stay(session, "wrong");
  const institution = world.institutions.find(session.institutionId ?? 0);
  const login = world.accounts.logins.get(session.loginId ?? "");
  const challenged = institution?.mfa === true || login?.marks.has("mfa") === true;
  if (challenged) return "challenge";
  return session.flow === "fix" ? "done" : "accounts";
};

const CHALLENGE_CODE = "123456";

const answerChallenge: Entry = (_world, session, { form }) => {
  if (form.code !== CHALLENGE_CODE) return stay(session, "wrongCode");
  return session.flow === "fix" ? "done" : "accounts";
};

const chooseAccounts: Entry = (_world, session, visit) => {
  const types = visit.all("accounts").filter((type) => KINDS.some((kind) => kind.type === type));
  return types.length === 0 ? stay(session, "none") : "done";
};

const enterAmounts: Entry = (world, session, { form }) => {
  const amounts = [Number(form.amount1), Number(form.amount2)];
  let verified = false;
  const accept = () => {
    verified = true;
  };
  world.happenings.tell("micro-amounts-entered", { accountId: session.accountId ?? "", amounts, accept });
  return verified ? "done" : stay(session, "wrongAmounts");
};

const chooseCounterpart: Entry = (world, session, { form }) => {
  if (form.counterpart === undefined) return "switch";
  const kind = session.flow === "deposit-switch" ? "deposit" : "bill-pay";
  const customer = customerOf(session);
  world.happenings.tell("switch-chosen", {
    customer,
    kind,
    counterpart: form.counterpart,
    body: session.body,
  });
  return "done";
};

const STEPS: Readonly<Record<Step, Entry>> = {
  institution: chooseInstitution,
  "sign-in": signIn,
  challenge: answerChallenge,
  accounts: chooseAccounts,
  amounts: enterAmounts,
  switch: chooseCounterpart,
  done: () => "done",
};

const finish = (world: World, session: Session, visit: Visit): void => {
  const customer = customerOf(session);
  const accounts =
    session.step === "accounts" ? linkChosen(world, session, visit) : repaired(world, session, visit);
  world.happenings.tell("connect-completed", { customer, accounts, experience: session.experience });
  announce(world, session, accounts);
  const others = session.customers.length - session.turn - 1;
  if (others > 0 && !visit.bent("connect-primary-only")) {
    session.turn += 1;
    session.step = "institution";
    session.institutionId = undefined;
  } else session.step = "done";
};

const linkChosen = (world: World, session: Session, visit: Visit): readonly Account[] => {
  const institution = world.institutions.find(session.institutionId ?? 0);
  if (institution === undefined || visit.bent("connect-links-nothing")) return [];
  return world.accounts.link(customerOf(session), institution, visit.all("accounts")).accounts;
};

/** What was lost is there again: signing in anew is what the flow is for. */
const repaired = (world: World, session: Session, visit: Visit): readonly Account[] => {
  const login = world.accounts.logins.get(session.loginId ?? "");
  if (login === undefined || visit.bent("connect-repairs-nothing")) return [];
  login.marks.delete("mfa");
  login.marks.delete("broken");
  const accounts = world.accounts.ofLogin(login.id);
  for (const account of accounts) world.accounts.aggregate(account, "now");
  return accounts;
};

const announce = (world: World, { id, webhook }: Session, accounts: readonly Account[]): void => {
  if (webhook === undefined) return;
  const body = {
    eventType: "done",
    sessionId: id,
    accountIds: accounts.map((account) => account.id),
    webhookData: webhook.data,
  };
  void world.deliveries.send({ kind: "connect-event", url: webhook.url, body, headers: webhook.headers });
};
