/** Hosted sessions in a data file. */
import { existing } from "../../engine/data/data-error.ts";
import { type Kind, resources } from "../../engine/data/kinds.ts";
import {
  address,
  anything,
  fields,
  flag,
  id,
  integer,
  listOf,
  oneOf,
  optional,
  ownId,
  record,
  text,
} from "../../engine/data/parts.ts";
import { sessions } from "../hosted/sessions.ts";
import type { State } from "../state/state.ts";

const FLOWS = [
  "full",
  "lite",
  "fix",
  "oauth",
  "joint",
  "micro-entry",
  "deposit-switch",
  "bill-pay-switch",
] as const;
const STEPS = ["institution", "sign-in", "challenge", "accounts", "amounts", "switch", "done"] as const;

export const hostedSessions: Kind<State> = resources({
  name: "sessions",
  holds: ["sessions"],
  key: "id",
  row: record({
    id: ownId("hosted-session"),
    flow: oneOf(...FLOWS),
    customerIds: listOf(id, { minItems: 1 }),
    language: optional(oneOf("en", "es", "fr")),
    redirectUri: optional(text),
    singleUse: optional(flag),
    experience: optional(text),
    webhook: optional(record({ url: address, headers: fields, data: optional(anything) })),
    ssn: optional(text),
    accountId: optional(id),
    body: optional(fields),
    turn: optional(integer({ minimum: 0 })),
    step: optional(oneOf(...STEPS)),
    institutionId: optional(integer()),
    loginId: optional(id),
    problem: optional(text),
  }),
  // The user of a session without its customers cannot go on.
  all: (state) =>
    [...sessions(state).values()]
      .map(({ customers: all, ...row }) => ({ ...row, customerIds: all.map(({ id: own }) => own) }))
      .filter(({ customerIds }) => customerIds.every((own) => state.customers.find(own) !== undefined)),
  add: (state, { customerIds, webhook, ...row }) =>
    void sessions(state).set(row.id, {
      id: row.id,
      flow: row.flow,
      customers: customerIds.map((own) =>
        existing(state.customers.find(own), "customerIds", "customer", own),
      ),
      language: row.language ?? "en",
      redirectUri: row.redirectUri,
      singleUse: row.singleUse ?? false,
      experience: row.experience,
      webhook: webhook && {
        url: webhook.url,
        headers: webhook.headers as Record<string, string>,
        data: webhook.data,
      },
      ssn: row.ssn,
      accountId: row.accountId,
      body: row.body ?? {},
      turn: row.turn ?? 0,
      step: row.step ?? "institution",
      institutionId: row.institutionId,
      loginId: row.loginId,
      problem: row.problem,
    }),
});
