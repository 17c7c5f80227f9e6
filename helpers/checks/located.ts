/** Checks that the address of a created resource leads to it (RFC 9110, 10.2.2). */
import { type CheckResult, HOLDS, violation } from "../exchange/check-result.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";

/** The answer to a read, and the identifier that it shows. */
interface Shown {
  readonly exchange: Exchange;
  readonly id: string | undefined;
}

/**
 * @param at the read at the address
 * @param own the read by the identifier that the creation showed; absent if it showed none
 * @returns `undefined` when nothing shows whether the address is right
 */
export const checkLocated = (at: Shown, own?: Shown): CheckResult | undefined => {
  const isUnread = own !== undefined && !isAccepted(own.exchange);
  if (isAccepted(at.exchange)) {
    if (own === undefined || at.id === own.id) return HOLDS;
    if (isUnread || at.id === undefined || own.id === undefined) return undefined;
    return wrong("leads to another resource", `${own.id}`, at.id);
  }
  // If no read finds the resource, nothing shows that its address should lead to it.
  if (isUnread || !(own === undefined ? UNKNOWN : REFUSED).includes(statusOf(at.exchange))) return undefined;
  return wrong("leads to nothing", "the created resource", `${statusOf(at.exchange)}`);
};

const UNKNOWN = [404, 410];

/** The statuses of a read that does not know its identifier, or its form. */
const REFUSED = [...UNKNOWN, 400, 422];

const wrong = (what: string, expected: string, actual: string): CheckResult =>
  violation({ pointer: "Location", message: `the Location of a created resource ${what}`, expected, actual });
