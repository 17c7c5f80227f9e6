/** Keeps one access token for all calls, and renews it as the documents ask. */

/** Tells and passes the time in which tokens age. */
export interface TokenClock {
  /** Milliseconds. */
  now(): number;
}

export interface TokenKeeper {
  /** The token, a new one when there is none yet or the last is older than 90 minutes. */
  token(): Promise<string>;
  /** How many tokens were asked for. */
  readonly created: number;
}

/** "A new one is generated when it is older than 90 minutes". */
const RENEW_AFTER_MS = 90 * 60_000;

/** @param create asks the service for a token; what it throws, `token` throws, and asks again the next time */
export const createTokenKeeper = (create: () => Promise<string>, clock: TokenClock): TokenKeeper => {
  let current: { readonly token: Promise<string>; readonly since: number } | undefined;
  let created = 0;
  return {
    token() {
      if (current !== undefined && clock.now() - current.since <= RENEW_AFTER_MS) return current.token;
      created += 1;
      const token = create();
      const kept = { token, since: clock.now() };
      current = kept;
      token.catch(() => {
        if (current === kept) current = undefined;
      });
      return token;
    },
    get created() {
      return created;
    },
  };
};
