/** Partners and institutions in a data file. The state is made with them. */
import { existing } from "../../engine/data/data-error.ts";
import { type Kind, resources } from "../../engine/data/kinds.ts";
import {
  described,
  filledText,
  flag,
  id,
  identifying,
  integer,
  listOf,
  milliseconds,
  oneOf,
  optional,
  ownId,
  record,
  text,
  textLike,
} from "../../engine/data/parts.ts";
import type { State } from "../state/state.ts";
import { webhooks } from "../state/webhooks.ts";

export const partners: Kind<State> = resources({
  name: "partners",
  holds: ["partners"],
  description: "They are added to the partners of the sandbox.",
  key: "id",
  row: record({
    id: ownId("partner", { "third-party-partner": { role: "other" } }),
    name: optional(text),
    appKey: optional(filledText),
    secret: optional(filledText),
    role: optional(
      described(
        oneOf("main", "disposable", "other"),
        "The partner of the sandbox that this one replaces. The first entry replaces the main partner if none does.",
      ),
    ),
    resells: optional(listOf(id)),
    failures: optional(described(integer({ minimum: 0 }), "The wrong secrets since the last right one.")),
    withoutWebhooks: optional(flag),
    tokens: optional(listOf(record({ token: filledText, issued: milliseconds }))),
  }),
  all: (state) => {
    const { main, disposable, other, all, tokens } = state.partners;
    const roles = new Map([
      [main, "main" as const],
      [disposable, "disposable" as const],
      [other, "other" as const],
    ]);
    return [...all.values()].map((partner) => ({
      ...partner,
      role: roles.get(partner),
      withoutWebhooks: webhooks(state).without.has(partner.id) || undefined,
      tokens: [...tokens].flatMap(([token, { partner: owner, issued }]) =>
        owner === partner ? [{ token, issued }] : [],
      ),
    }));
  },
  add: (state, { id: own, failures = 0, withoutWebhooks = false, tokens = [] }) => {
    const { all } = state.partners.stores;
    const partner = existing(all.get(own), "id", "partner", own);
    partner.failures = failures;
    // They follow the order of the file.
    all.delete(own);
    all.set(own, partner);
    if (withoutWebhooks) webhooks(state).without.add(own);
    for (const { token, issued } of tokens) state.partners.tokens.set(token, { partner, issued });
  },
});

export const institutions: Kind<State> = resources({
  name: "institutions",
  holds: [],
  description: "They are added to the institutions of the sandbox; one with a known id replaces it.",
  key: "id",
  row: record({
    id: identifying(integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), "institution"),
    name: optional(text),
    oauth: optional(flag),
    mfa: optional(flag),
    reach: optional(oneOf("test", "billable", "live")),
    branded: optional(flag),
    pushes: optional(flag),
    certified: optional(flag),
    rssd: optional(integer()),
    routingNumbers: optional(listOf(textLike(/^\d{9}$/))),
    country: optional(oneOf("us", "ca")),
    oauthTwin: optional(integer()),
  }),
  all: (state) => state.institutions.all,
  add: () => undefined,
});

/** Returns the id of the partner; of the main one if the data name none. */
export const partnerOf = (state: State, partnerId: string | undefined, field = "partnerId"): string =>
  partnerId === undefined
    ? state.partners.main.id
    : existing(state.partners.all.get(partnerId), field, "partner", partnerId).id;
