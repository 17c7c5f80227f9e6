/** Trouble for a single request, which its header asks for. */
import type { IncomingHttpHeaders } from "node:http";
import type { Answer } from "../call.ts";
import { DataError } from "../data/data-error.ts";
import { checkedTroubles, type DueTrouble, dueOf } from "./troubles.ts";

/** The header with one trouble as JSON: `{"latency": 200}`. */
const TROUBLE_HEADER = "x-sandbox-trouble";

/** @returns the refusal when the header is not a trouble, or `undefined` when there is no header */
export const troubleIn = ({
  [TROUBLE_HEADER]: text,
}: IncomingHttpHeaders): DueTrouble | Answer | undefined => {
  if (text === undefined) return undefined;
  try {
    const [trouble] = checkedTroubles([JSON.parse(String(text))]);
    return trouble && dueOf(trouble);
  } catch (error) {
    const problem = error instanceof DataError ? error.message : "it is not JSON";
    return {
      status: 400,
      json: { message: `The header "${TROUBLE_HEADER}" asks for no trouble: ${problem}.` },
    };
  }
};
