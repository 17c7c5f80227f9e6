/** Tells whether a trial got different answers, or the same one each time. */
import { createHash } from "node:crypto";
import type { Exchange, ReceivedResponse } from "../exchange/exchange.ts";

/** More answers tell nothing more. */
const ENOUGH = 2;

export const createDifferentAnswers = () => {
  const different: ReceivedResponse[] = [];
  return {
    see({ response }: Exchange): void {
      if (response === undefined || different.length === ENOUGH) return;
      if (!different.some((answer) => isSame(answer, response))) different.push(response);
    },
    /** Returns the digests of two different answers, or of the only one; an empty list if there was no answer. */
    digests: (): readonly string[] => different.map(digestOf),
  };
};

const isSame = (one: ReceivedResponse, other: ReceivedResponse): boolean =>
  one.status === other.status && one.body.equals(other.body);

const digestOf = ({ status, body }: ReceivedResponse): string =>
  createHash("sha256").update(`${status}\n`).update(body).digest("base64url");
