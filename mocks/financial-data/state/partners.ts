/** Stores partners with their app keys and secrets, and the issued tokens. */
import type { Clock } from "../../engine/clock.ts";
import type { Identifiers } from "../../engine/values/identifiers.ts";

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

interface Token {
  readonly partner: Partner;
  /** Milliseconds since 1970. */
  readonly issued: number;
}

export const LOCKED_AFTER = 5;
export const TOKEN_LIFE = 2 * 3_600_000;

export const partnerBook = (identifiers: Identifiers, clock: Clock) => {
  const all = new Map<string, Partner>();
  const tokens = new Map<string, Token>();
  const appKey = identifiers.key("app-key");
  const add = (name: string): Partner => {
    const partner: Partner = {
      id: `24${identifiers.digits(11, "partner", name)}`,
      name,
      // All partners share the app key, so a client with one app key can sign in as any of them.
      appKey,
      secret: `${identifiers
        .key("partner-secret", name)
        .slice(0, 18)
        .replace(/[^A-Za-z0-9]/g, "x")}9aA`,
      failures: 0,
      resells: [],
    };
    all.set(partner.id, partner);
    return partner;
  };
  const main = add("Northwind Lending");
  let issued = 0;
  return {
    /** By partner id. */
    all: all as ReadonlyMap<string, Partner>,
    main,
    /** A partner that a client may lock, or whose secret it may change. */
    disposable: add("Lakeside Sandboxes"),
    /** A partner whose resources the others cannot see. */
    other: add("Harbor Finance"),
    /** By token. */
    tokens,
    issue: (partner: Partner): string => {
      issued += 1;
      const token = identifiers.key("token", partner.id, issued).replace(/[^A-Za-z0-9]/g, "0");
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
    add,
  };
};
