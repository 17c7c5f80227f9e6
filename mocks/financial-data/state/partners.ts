/** Stores partners with their app keys and secrets, and the issued tokens. */
import { defined } from "../../../helpers/contract/json.ts";
import type { Clock } from "../../engine/clock.ts";
import { counter, freeId, type Identifiers } from "../../engine/values/identifiers.ts";
import type { ChosenPartner } from "./chosen.ts";

export interface Partner {
  readonly id: string;
  readonly name: string;
  readonly appKey: string;
  secret: string;
  /** Consecutive failed authentications. The fifth one locks the account. */
  failures: number;
  /** Ids of the partners whose reports it may read. */
  readonly resells: string[];
}

export const LOCKED_AFTER = 5;
export const TOKEN_LIFE = 2 * 3_600_000;

export const partnerBook = (
  identifiers: Identifiers,
  clock: Clock,
  chosen: readonly ChosenPartner[] = [],
) => {
  const all = new Map<string, Partner>();
  const tokens = new Map<
    string,
    {
      readonly partner: Partner;
      /** Milliseconds since 1970. */
      readonly issued: number;
    }
  >();
  const appKey = identifiers.key("app-key");
  let mainId = "";
  const add = (name: string, role?: ChosenPartner["role"]): Partner => {
    const wanted = chosen.find((one) => role !== undefined && roleOf(chosen, one) === role);
    const partner: Partner = {
      id: `24${identifiers.digits(11, "partner", name)}`,
      name,
      // All partners share the app key, so a client with one app key can sign in as any of them.
      appKey: all.get(mainId)?.appKey ?? appKey,
      secret: secretFor(identifiers, name),
      failures: 0,
      resells: [],
      ...(wanted && fieldsOf(identifiers, wanted)),
    };
    all.set(partner.id, partner);
    if (role === "main") mainId = partner.id;
    return partner;
  };
  const main = add("Northwind Lending", "main");
  // A client that signs in as another partner uses the app key of the main one, unless that partner has its own.
  const shared = { name: "Partner", appKey: main.appKey, failures: 0, resells: [] };
  for (const one of chosen) {
    if (roleOf(chosen, one) === undefined)
      all.set(String(one.id), { ...shared, ...fieldsOf(identifiers, one) });
  }
  const next = counter();
  const disposable = add("Lakeside Sandboxes", "disposable");
  const other = add("Harbor Finance", "other");
  return {
    stores: { all, main, disposable, other, tokens, issued: next.counts },
    /** By partner id. */
    all: all as ReadonlyMap<string, Partner>,
    main,
    /** A partner that a client may lock, or whose secret it may change. */
    disposable,
    /** A partner whose resources the others cannot see. */
    other,
    /** By token. */
    tokens,
    issue: (partner: Partner): string => {
      const token = freeId(
        () => lettersIn(identifiers.key("token", partner.id, next("token"))),
        (one) => tokens.has(one),
      );
      tokens.set(token, { partner, issued: clock.now().getTime() });
      return token;
    },
    /** Returns a token of the partner that was issued after the time. @param since milliseconds since 1970 */
    tokenSince: (partner: Partner, since: number): string | undefined =>
      [...tokens].find(([, token]) => token.partner === partner && token.issued > since)?.[0],
    endTokens: (partner: Partner): void => {
      for (const [token, { partner: owner }] of tokens) if (owner === partner) tokens.delete(token);
    },
    /** Adds a partner for a situation that must not affect the others. */
    add: (name: string) => add(name),
    /** Whether any partner has this app key. */
    hasKey: (key: string): boolean => [...all.values()].some((partner) => partner.appKey === key),
  };
};

const secretFor = (identifiers: Identifiers, name: string): string =>
  `${lettersIn(identifiers.key("partner-secret", name).slice(0, 18), "x")}9aA`;

/** Returns the text with letters and digits only. */
const lettersIn = (text: string, other = "0"): string => text.replace(/[^A-Za-z0-9]/g, other);

/** Returns the role of a chosen partner, which only one can have. The first one is the main partner if no other is. */
const roleOf = (chosen: readonly ChosenPartner[], one: ChosenPartner): ChosenPartner["role"] => {
  const isFirst = chosen.find(({ role }) => role === one.role) === one;
  if (one.role !== undefined) return isFirst ? one.role : undefined;
  return one === chosen[0] && chosen.every(({ role }) => role !== "main") ? "main" : undefined;
};

const fieldsOf = (
  identifiers: Identifiers,
  { id, name, appKey, secret = secretFor(identifiers, String(id)), resells = [] }: ChosenPartner,
) => ({
  ...defined({ name, appKey }),
  id: String(id),
  secret,
  resells: resells.map(String),
});
