/** Handles the entries on hosted pages: each one moves the session forward, and the last one links the accounts. */
import type { Visit } from "../calls.ts";
import { type Account, KINDS } from "../state/account.ts";
import type { State } from "../state/state.ts";
import { customerOf, type HostedStep, type Session } from "./sessions.ts";
import { institutionsFor } from "./view.ts";

/** Moves the session to the next step that the entry allows. */
export const enter = (state: State, session: Session, visit: Visit): void => {
  session.problem = undefined;
  const next = STEPS[session.step](state, session, visit);
  if (next === "done") finish(state, session, visit);
  else session.step = next;
};

type Entry = (state: State, session: Session, visit: Visit) => HostedStep;

const stay = (session: Session, problem: string): HostedStep => {
  session.problem = problem;
  return session.step;
};

const chooseInstitution: Entry = (state, session, { form, faulty }) => {
  const chosen = institutionsFor(state, customerOf(session), faulty).find(
    ({ id }) => String(id) === form.institution,
  );
  if (chosen === undefined) return "institution";
  session.institutionId = chosen.id;
  return "sign-in";
};

/** Accepts all credentials except the user name `wrong`. */
const signIn: Entry = (state, session, { form }) => {
  if ((form.username ?? "") === "" || form.username === "wrong") return stay(session, "wrong");
  const institution = state.institutions.find(session.institutionId ?? 0);
  const login = state.accounts.logins.get(session.loginId ?? "");
  const challenged = institution?.mfa === true || login?.marks.has("mfa") === true;
  if (challenged) return "challenge";
  return session.flow === "fix" ? "done" : "accounts";
};

const CHALLENGE_CODE = "123456";

const answerChallenge: Entry = (_state, session, { form }) => {
  if (form.code !== CHALLENGE_CODE) return stay(session, "wrongCode");
  return session.flow === "fix" ? "done" : "accounts";
};

const chooseAccounts: Entry = (_state, session, visit) => {
  const types = visit.all("accounts").filter((type) => KINDS.some((kind) => kind.type === type));
  return types.length === 0 ? stay(session, "none") : "done";
};

const enterAmounts: Entry = (state, session, { form }) => {
  const amounts = [Number(form.amount1), Number(form.amount2)];
  let verified = false;
  const accept = () => {
    verified = true;
  };
  state.events.emit("micro-amounts-entered", { accountId: session.accountId ?? "", amounts, accept });
  return verified ? "done" : stay(session, "wrongAmounts");
};

const chooseCounterpart: Entry = (state, session, { form }) => {
  if (form.counterpart === undefined) return "switch";
  const kind = session.flow === "deposit-switch" ? "deposit" : "bill-pay";
  const customer = customerOf(session);
  state.events.emit("switch-chosen", { customer, kind, counterpart: form.counterpart, body: session.body });
  return "done";
};

const STEPS: Readonly<Record<HostedStep, Entry>> = {
  institution: chooseInstitution,
  "sign-in": signIn,
  challenge: answerChallenge,
  accounts: chooseAccounts,
  amounts: enterAmounts,
  switch: chooseCounterpart,
  done: () => "done",
};

const finish = (state: State, session: Session, visit: Visit): void => {
  const customer = customerOf(session);
  const accounts =
    session.step === "accounts" ? linkChosen(state, session, visit) : repaired(state, session, visit);
  state.events.emit("connect-completed", { customer, accounts, experience: session.experience });
  announce(state, session, accounts);
  const others = session.customers.length - session.turn - 1;
  if (others > 0 && !visit.faulty("connect-primary-only")) {
    session.turn += 1;
    session.step = "institution";
    session.institutionId = undefined;
  } else session.step = "done";
};

const linkChosen = (state: State, session: Session, visit: Visit): readonly Account[] => {
  const institution = state.institutions.find(session.institutionId ?? 0);
  if (institution === undefined || visit.faulty("connect-links-nothing")) return [];
  return state.accounts.link(customerOf(session), institution, visit.all("accounts")).accounts;
};

/** Restores a broken login and refreshes its accounts. */
const repaired = (state: State, session: Session, visit: Visit): readonly Account[] => {
  const login = state.accounts.logins.get(session.loginId ?? "");
  if (login === undefined || visit.faulty("connect-repairs-nothing")) return [];
  login.marks.delete("mfa");
  login.marks.delete("broken");
  const accounts = state.accounts.ofLogin(login.id);
  for (const account of accounts) state.accounts.aggregate(account, "now");
  return accounts;
};

const announce = (state: State, { id, webhook }: Session, accounts: readonly Account[]): void => {
  if (webhook === undefined) return;
  const body = {
    eventType: "done",
    sessionId: id,
    accountIds: accounts.map((account) => account.id),
    webhookData: webhook.data,
  };
  void state.deliveries.send({ kind: "connect-event", url: webhook.url, body, headers: webhook.headers });
};
