/**
 * The newest access token of each service. All processes of a run share it, and log in one after the other, because a
 * newer token may end the older one.
 */
import { getOrInsert } from "../contract/memoize.ts";
import type { SentRequest } from "../exchange/exchange.ts";

/** A token, and the request that it was given for: curl commands show how to get it. */
export interface GivenToken {
  readonly token: string;
  readonly request: SentRequest;
}

export interface IssuedToken extends GivenToken {
  readonly ageMs: number;
}

export interface SharedTokens {
  /**
   * Waits until no other log-in is under way, and keeps others waiting until `release`.
   * @returns the newest token, if there is one
   */
  hold(service: string): Promise<IssuedToken | undefined>;
  /** @param given the token of a log-in that succeeded */
  release(service: string, given?: GivenToken): void;
}

/** Returns the tokens of a single process. */
export const createSharedTokens = (): SharedTokens => {
  const services = new Map<string, Held>();
  const of = (service: string): Held =>
    getOrInsert(services, service, () => ({ isHeld: false, waiting: [] }));
  return {
    async hold(service) {
      const held = of(service);
      while (held.isHeld) await new Promise<void>((resolve) => held.waiting.push(resolve));
      held.isHeld = true;
      return held.newest && { ...held.newest.given, ageMs: performance.now() - held.newest.since };
    },
    release(service, given) {
      const held = of(service);
      held.isHeld = false;
      if (given !== undefined) held.newest = { given, since: performance.now() };
      held.waiting.shift()?.();
    },
  };
};

interface Held {
  isHeld: boolean;
  newest?: { readonly given: GivenToken; readonly since: number };
  readonly waiting: (() => void)[];
}
