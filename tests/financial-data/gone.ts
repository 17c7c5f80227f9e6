/** Whether an operation is gone since the date that the document announced for its end. */
import type { Operation } from "../../helpers/contract/contract.ts";
import { type Exchange, statusOf } from "../../helpers/exchange/exchange.ts";

/** RFC 9110, 15.5.5 and 15.5.11. */
const GONE: readonly number[] = [404, 410];

export const isGone = ({ ends }: Operation, exchange: Exchange): boolean =>
  ends !== undefined && exchange.startedAt.toISOString() >= ends && GONE.includes(statusOf(exchange));
