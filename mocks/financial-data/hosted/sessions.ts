/** Hosted sessions: the task of a user who opens a generated address, and the progress of the user. */
import { type Fields, fieldsIn } from "../../engine/values/fields.ts";
import type { Call } from "../calls.ts";
import { bodyOf, textIn } from "../found.ts";
import type { Customer } from "../state/customer.ts";
import { type State, stored } from "../state/state.ts";

export type Flow =
  | "full"
  | "lite"
  | "fix"
  | "oauth"
  | "joint"
  | "micro-entry"
  | "deposit-switch"
  | "bill-pay-switch";

export type HostedStep = "institution" | "sign-in" | "challenge" | "accounts" | "amounts" | "switch" | "done";

export interface Session {
  readonly id: string;
  readonly flow: Flow;
  /** The participants, in order. The first one is the primary borrower of a joint session. */
  readonly customers: readonly Customer[];
  readonly language: Language;
  readonly redirectUri: string | undefined;
  readonly singleUse: boolean;
  readonly experience: string | undefined;
  /** The listener for events of the session. */
  readonly webhook:
    | {
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly data: unknown;
      }
    | undefined;
  /** Fills in the payroll step. */
  readonly ssn: string | undefined;
  readonly accountId: string | undefined;
  /** The request body, for the sections that complete the session. */
  readonly body: Fields;
  /** The index of the current customer in `customers`. */
  turn: number;
  step: HostedStep;
  institutionId: number | undefined;
  /** The login to repair. */
  readonly loginId: string | undefined;
  /** The problem with the last entry, as a key of the texts. */
  problem: string | undefined;
}

export type Language = "en" | "es" | "fr";

export const sessions = stored("sessions", () => new Map<string, Session>());

export type NewSession = Pick<Session, "flow" | "customers" | "step"> &
  Partial<Pick<Session, "institutionId" | "loginId" | "accountId">>;

export const openSession = (state: State, call: Call, wanted: NewSession): Session => {
  const body = bodyOf(call);
  const url = addressIn(body, "webhook");
  const session: Session = {
    institutionId: undefined,
    loginId: undefined,
    accountId: undefined,
    ...wanted,
    id: state.newUuid("hosted-session"),
    language: languageOf(call, body.language),
    redirectUri: addressIn(body, "redirectUri") ?? addressIn(body, "redirectURI"),
    singleUse: body.singleUseUrl === true,
    experience: textIn(body, "experience"),
    webhook:
      url === undefined ? undefined : { url, headers: textsOf(body.webhookHeaders), data: body.webhookData },
    ssn: textIn(fieldsIn(body.optionalConsumerInfo), "ssn"),
    body,
    turn: 0,
    problem: undefined,
  };
  sessions(state).set(session.id, session);
  return session;
};

export const addressOf = (state: State, { id }: Session): string => `${state.baseUrl()}/hosted/connect/${id}`;

export const customerOf = ({ customers, turn }: Session): Customer => customers[turn] as Customer;

const languageOf = ({ faulty }: Call, language: unknown): Language => {
  if (language === undefined) return faulty("connect-default-spanish") ? "es" : "en";
  if (faulty("connect-language-ignored")) return "en";
  return language === "es" || language === "fr" ? language : "en";
};

const addressIn = (body: Fields, name: string): string | undefined => {
  const text = textIn(body, name);
  return text !== undefined && URL.canParse(text) ? text : undefined;
};

const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldsIn(value)).map(([name, text]) => [name.toLowerCase(), String(text)]),
  );
