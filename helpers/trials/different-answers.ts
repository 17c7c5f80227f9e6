/** Tells whether a trial got different answers, or the same one each time. */
import { createHash } from "node:crypto";
import type { Exchange } from "../exchange/exchange.ts";

export interface DifferentAnswers {
  see(exchange: Exchange): void;
  /** Returns the digests of two different answers, or of the only one; an empty list if there was no answer. */
  digests(): readonly string[];
}

/** More answers tell nothing more. */
const ENOUGH = 2;

export const createDifferentAnswers = (): DifferentAnswers => {
  const digests = new Set<string>();
  return {
    see({ response }) {
      if (response === undefined || digests.size === ENOUGH) return;
      const { status, body } = response;
      digests.add(createHash("sha256").update(`${status}\n`).update(body).digest("base64url"));
    },
    digests: () => [...digests],
  };
};
