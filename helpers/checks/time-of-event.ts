/** Checks that the time in a response is the time of the event that the exchange caused. */
import { type CheckResult, checkThat } from "../exchange/check-result.ts";
import type { Exchange } from "../exchange/exchange.ts";

/** The accepted difference between clocks, in both directions. */
const TOLERANCE_MS = 10 * 60_000;

/**
 * Accepts both the local time and the server's time in the Date header (RFC 9110, 6.6.1).
 * @param stated the time in any ISO 8601 notation in UTC
 * @param ahead milliseconds by which the target's clock was moved
 * @returns `undefined` when `stated` is not a readable time
 */
export const checkTimeOfEvent = (
  exchange: Exchange,
  pointer: string,
  stated: unknown,
  ahead = 0,
): CheckResult | undefined => {
  const time = typeof stated === "string" ? parseUtc(stated) : Number.NaN;
  if (Number.isNaN(time)) return undefined;
  const date = Date.parse(exchange.response?.headers.date ?? "");
  const clocks = [exchange.startedAt.getTime() + ahead, ...(Number.isNaN(date) ? [] : [date])];
  // A date without a time matches any moment of that day.
  const span = time % 86_400_000 === 0 ? 86_400_000 : 0;
  const isNear = (now: number): boolean => now >= time - TOLERANCE_MS && now <= time + span + TOLERANCE_MS;
  return checkThat(clocks.some(isNear), {
    pointer,
    message: `${pointer.slice(1)} is not the time of the call`,
    expected: `about ${new Date(clocks.at(-1) ?? 0).toISOString()}`,
    actual: String(stated),
  });
};

/** Returns milliseconds since 1970; notations without a designator count as UTC. */
const parseUtc = (text: string): number => {
  const basic =
    /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?(?:Z|[+-]00(?::?00)?)?)?$/i.exec(
      text,
    );
  if (basic === null) return Number.NaN;
  const [year, month, day, hour, minute, second] = basic.slice(1, 7).map((part) => Number(part ?? 0));
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
};
