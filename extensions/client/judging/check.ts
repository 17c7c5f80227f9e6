/** Checks of a caller: each reads the exchanges of one client, and shows whether one requirement is met. */
import type { Contract, Service } from "../../../helpers/contract/contract.ts";
import { isObject } from "../../../helpers/contract/json.ts";
import { memoize } from "../../../helpers/contract/memoize.ts";
import { placeInForm } from "../../../helpers/contract/schemas/form-fields.ts";
import { type CheckResult, type Details, violation } from "../../../helpers/exchange/check-result.ts";
import { isAccepted } from "../../../helpers/exchange/exchange.ts";
import { isAbsent, LEFT_OUT } from "../../../helpers/traffic/absent.ts";
import type { Ending, Seen } from "../../../helpers/traffic/seen.ts";

/** A check of one request alone. */
export interface RequestCheck {
  /** The situation in which traffic shows the requirement, for the reason of `not-tried`. */
  readonly occasion: string;
  /** Ids of the operations whose requests it reads; all requests if absent. */
  readonly operations?: readonly string[];
  /** Returns `undefined` when the request shows nothing about the requirement. */
  check(seen: Seen, contract: Contract): CheckResult | undefined;
}

/** A check of behaviour over time. */
export interface HistoryCheck extends Pick<RequestCheck, "occasion"> {
  /**
   * Starts to watch one client.
   * @returns a function that receives each exchange of the client when it ends, in this order
   */
  watch(watcher: {
    /** Receives each result with the exchanges that show it, the judged exchange first. */
    show(result: CheckResult, ...exchanges: readonly Seen[]): void;
    /** Receives in words what was seen and is too little for a result, for the reason of `not-tried`. */
    tell(seen: string): void;
    /** Receives what is judged when the client has ended. */
    atEnd(judge: (ending: Ending) => void): void;
  }): (seen: Seen) => void;
}

/** @param check returns `undefined` when the request shows nothing about the requirement */
export const ofRequest = (occasion: string, check: RequestCheck["check"]): RequestCheck => ({
  occasion,
  check,
});

/** The same for the requests of some operations. */
export const ofOperations = (
  operations: readonly string[],
  occasion: string,
  check: RequestCheck["check"],
): RequestCheck => ({ operations, occasion, check });

export const history = (occasion: string, watch: HistoryCheck["watch"]): HistoryCheck => ({
  occasion,
  watch,
});

/** Checks by the ids of their requirements, without the service. */
export type CallerChecks = Readonly<Record<string, RequestCheck | HistoryCheck>>;

/** The caller checks of one service. */
export interface CallerPolicy {
  readonly service: Service;
  readonly checks: readonly CallerChecks[];
  /** Requirements, without the service, that traffic never shows, each with the reason. */
  readonly unseen: Readonly<Record<string, string>>;
}

export const isRequestCheck = (check: CallerChecks[string] | undefined): check is RequestCheck =>
  check !== undefined && "check" in check;

export const suspected = (details: Details): CheckResult => violation({ ...details, suspected: true });

/** Whether a service accepted a body without any of these names, which no document states: it may have others for them. */
export const isInOtherNames = ({ exchange, body }: Seen, names: readonly string[]): boolean =>
  isAccepted(exchange) &&
  isObject(body) &&
  Object.keys(body).length > 0 &&
  !names.some((name) => name in body);

/** For the words of `tell`. */
export const times = (count: number): string =>
  count === 1 ? "once" : count === 2 ? "twice" : `${count} times`;

/** Whether a recording does not show whether a request had a header. */
export const isLeftOut = ({ exchange }: Seen, header: string): boolean =>
  exchange.request.headers[header] === LEFT_OUT;

/** Whether a request has a body that was not recorded, or that nobody can read. */
export const isUnread = ({ exchange: { request }, body }: Seen): boolean =>
  isAbsent(request.body) ||
  (body === undefined && !!request.body && placeInForm(request.headers["content-type"] ?? "") === undefined);

/** Whether a value of a log is redacted, so that a check can't read it. */
export const isRedacted = (value: unknown): boolean => typeof value === "string" && value.includes("‹");

/** Names of query parameters that make a URL different each time, against caches. */
const OF_ONE_ATTEMPT = /^(_+|ts|time_?stamp|nonce|rnd|rand(om)?|cache_?bust(er)?)$/i;

/**
 * Equal for requests with the same method, URL and body. What a client makes anew for each attempt does not count. Several
 * checks ask for the key of one exchange.
 */
export const requestOf = memoize(
  ({ exchange: { request }, marks }: Seen): string =>
    `${request.method} ${withoutAttempt(request.url)} ${marks.body ?? ""}`,
);

/** Returns a URL without the parameters that a client makes anew for each attempt. */
export const withoutAttempt = (text: string): string => {
  if (!text.includes("?") || !URL.canParse(text)) return text;
  const url = new URL(text);
  const names = [...url.searchParams.keys()].filter((name) => OF_ONE_ATTEMPT.test(name));
  for (const name of names) url.searchParams.delete(name);
  return names.length === 0 ? text : url.href;
};
