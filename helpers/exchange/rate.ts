/** Keeps the rate that the user allows. */

import type { Allowance } from "./allowance.ts";
import type { Interceptor } from "./draft.ts";

export const limitRate =
  (perSecond: number | undefined, { turn }: Allowance): Interceptor =>
  (next) => {
    if (perSecond === undefined) return next;
    return async (draft) => {
      await turn();
      return await next(draft);
    };
  };
