/** Renders the current step of a hosted session as one page with one form. */
import type { Call } from "../calls.ts";
import { reaches } from "../linking.ts";
import { KINDS } from "../state/account.ts";
import type { Customer } from "../state/customer.ts";
import type { Institution } from "../state/institutions.ts";
import type { State } from "../state/state.ts";
import { customerOf, type HostedStep, type Language, type Session } from "./sessions.ts";
import texts from "./texts.json" with { type: "json" };

/** English, US Spanish and Canadian French. */
const TEXTS: Readonly<Record<Language, PageTexts>> = texts;
type PageTexts = Readonly<Record<keyof typeof texts.en, string>>;

/** Language tags for browsers (RFC 5646). */
const TAGS: Readonly<Record<Language, string>> = { en: "en", es: "es-US", fr: "fr-CA" };

/** @param search the search text for institutions */
export const pageOf = (state: State, session: Session, search: string, faulty: Call["faulty"]): string => {
  const texts = TEXTS[session.language];
  const problem =
    session.problem === undefined ? "" : `<p role="alert">${texts[session.problem as keyof PageTexts]}</p>`;
  const title = session.flow === "fix" ? texts.repair : texts.connect;
  const body = VIEWS[session.step]({ state, session, texts, search, faulty });
  return `<!doctype html>
<html lang="${TAGS[session.language]}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:16px sans-serif;max-width:30rem;margin:2rem auto;padding:0 1rem}label{display:block;margin:.6rem 0}
button{padding:.5rem 1rem;margin-top:.6rem}[role=alert]{color:#b00020}</style></head>
<body data-flow="${session.flow}" data-step="${session.step}"><main><h1>${title}</h1>${turnOf(session, texts)}${problem}
${body}${managementOf(state, session, texts, faulty)}</main></body>
</html>
`;
};

interface HostedView {
  readonly state: State;
  readonly session: Session;
  readonly texts: PageTexts;
  readonly search: string;
  readonly faulty: Call["faulty"];
}

const form = (texts: PageTexts, content: string): string =>
  `<form method="post">${content}<button>${texts.next}</button></form>`;

const field = (label: string, name: string, type = "text", value = ""): string =>
  `<label>${label} <input name="${name}" type="${type}" value="${escaped(value)}" autocomplete="off"></label>`;

const choice = (type: "radio" | "checkbox", name: string, value: string, label: string): string =>
  `<label><input type="${type}" name="${name}" value="${escaped(value)}"${type === "checkbox" ? " checked" : ""}> ${escaped(label)}</label>`;

const institutionForm = ({ state, session, texts, search, faulty }: HostedView): string => {
  const offered = institutionsFor(state, customerOf(session), faulty).filter(({ name }) =>
    name.toLowerCase().includes(search.toLowerCase()),
  );
  return `<h2>${texts.find}</h2><form method="get">${field(texts.search, "search", "search", search)}</form>${form(
    texts,
    offered.map(({ id, name }) => choice("radio", "institution", String(id), name)).join(""),
  )}`;
};

/** Returns the institutions at which the customer may sign in. */
export const institutionsFor = (state: State, customer: Customer, faulty: Call["faulty"]): Institution[] =>
  state.institutions.all.filter((institution) => {
    const testing = customer.type === "testing";
    if (testing && institution.reach === "live") return faulty("connect-live-for-testing");
    if (testing && institution.reach === "billable") return faulty("connect-billable-for-testing");
    if (testing && faulty("connect-test-profile-missing")) return institution !== state.institutions.test();
    if (!testing && institution.reach === "billable") return !faulty("connect-no-billable-for-active");
    return reaches(customer, institution);
  });

const signInForm = ({ state, session, texts }: HostedView): string => {
  const institution = state.institutions.find(session.institutionId ?? 0);
  return `<h2>${texts.signIn} ${escaped(institution?.name ?? "")}</h2>${form(
    texts,
    field(texts.username, "username") + field(texts.password, "password", "password"),
  )}`;
};

const accountsForm = ({ session, texts, faulty }: HostedView): string => {
  const payroll =
    session.ssn === undefined
      ? ""
      : `<h2>${texts.payroll}</h2>${field(texts.ssn, "ssn", "text", faulty("connect-ssn-ignored") ? "" : session.ssn)}`;
  return `<h2>${texts.choose}</h2>${form(
    texts,
    KINDS.map(({ type, name }) => choice("checkbox", "accounts", type, name)).join("") + payroll,
  )}`;
};

const EMPLOYERS = ["Northwind Traders", "Lakeside Goods", "Harbor Works"];

const amountsForm = ({ texts, faulty }: HostedView): string => {
  const second = faulty("connect-one-amount") ? "" : field("2", "amount2", "number");
  return `<h2>${texts.amounts}</h2>${form(texts, `${field("1", "amount1", "number")}${second}`)}`;
};

const VIEWS: Readonly<Record<HostedStep, (shown: HostedView) => string>> = {
  institution: institutionForm,
  "sign-in": signInForm,
  challenge: ({ texts }) => `<h2>${texts.challenge}</h2>${form(texts, field(texts.code, "code"))}`,
  accounts: accountsForm,
  amounts: amountsForm,
  switch: ({ session, texts }) =>
    `<h2>${session.flow === "deposit-switch" ? texts.deposits : texts.bills}</h2>${form(
      texts,
      EMPLOYERS.map((name) => choice("radio", "counterpart", name, name)).join(""),
    )}`,
  done: ({ texts }) => `<p>${texts.done}</p>`,
};

/** Names the current customer of a joint session. */
const turnOf = (session: Session, texts: PageTexts): string => {
  if (session.flow !== "joint") return "";
  const { firstName = "", lastName = "" } = customerOf(session);
  return `<p data-turn="${session.turn + 1}">${texts.turn} ${escaped(`${firstName} ${lastName}`)}</p>`;
};

/** Lists the linked accounts. Only the full flow has account management. */
const managementOf = (state: State, session: Session, texts: PageTexts, faulty: Call["faulty"]): string => {
  const managed = session.flow === "full" || (session.flow === "lite" && faulty("connect-lite-manages"));
  const shared = state.accounts.of(customerOf(session).id);
  if (!managed || (shared.length === 0 && session.flow === "full")) return "";
  const rows = shared.map(({ name, number }) => `<li>${escaped(name)} …${number.slice(-4)}</li>`).join("");
  return `<section id="manage-accounts"><h2>${texts.manage}</h2><ul>${rows}</ul></section>`;
};

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
