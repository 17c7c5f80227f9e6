/** Decides how long a session waits for a target that asks it to wait or doesn't answer. All its trials share this. */
import { setTimeout as wait } from "node:timers/promises";
import { INTERRUPTIONS } from "../checks/documented-status.ts";
import type { Operation } from "../contract/contract.ts";
import { type Exchange, isAccepted, statusOf } from "../exchange/exchange.ts";
import type { Call } from "./call.ts";
import { NotTried, TargetLost } from "./stopped.ts";

export interface Endurance {
  /** @throws TargetLost when the target has not answered for too long, or as `secondsToWait` while a wait is not over */
  beforeCall(call: Call): void;
  afterCall(call: Call, exchange: Exchange): void;
  /**
   * Returns the seconds to wait before the call is sent again.
   * @param attempt the number of attempts so far
   * @throws TargetLost when the target asks for a longer wait than a run may have, or interrupts too often; NotTried when
   * it does so with 429 for a repetition
   */
  secondsToWait(operation: Operation, call: Call, exchange: Exchange, attempt: number): number;
}

const ATTEMPTS = 4;
const LONGEST_WAIT_S = 30;

/** The consecutive calls that are given up after which no call waits any more. */
const GIVEN_UP_MOST = 2;

/** The consecutive calls without an answer after which an operation, or the whole target, counts as lost. */
const UNANSWERED_MOST = { operation: 3, target: 6 } as const;

/** The number of resources that are put off at once after which the whole target counts as closed. */
const CLOSED_FROM = 3;

/** The share of calls to a lost target, one in so many, that are sent to find out whether it is back. */
const SENT_NEVERTHELESS = 16;

export const createEndurance = (now: () => number = () => performance.now()): Endurance => {
  const late = { target: 0, operations: new Map<string, number>() };
  /** The seconds waited for an operation since it answered last, and the calls given up since any did. */
  const waited = new Map<string, number>();
  let givenUp = 0;
  const postponed = createPostponed(now);
  let refused = 0;
  let lastFailure = "";
  const isLost = (operationId: string): boolean =>
    late.target >= UNANSWERED_MOST.target ||
    (late.operations.get(operationId) ?? 0) >= UNANSWERED_MOST.operation;
  return {
    beforeCall(call) {
      const { operationId } = call;
      postponed.refuse(call);
      if (!isLost(operationId)) return;
      refused += 1;
      if (refused % SENT_NEVERTHELESS !== 0)
        throw new TargetLost("unanswered", `no answer, repeatedly: ${lastFailure}`);
    },
    afterCall(call, exchange) {
      const { operationId, unanswered, abandon } = call;
      const { failure, response } = exchange;
      postponed.seeAnswer(call, exchange);
      if (response !== undefined) {
        late.target = 0;
        late.operations.delete(operationId);
        if (!INTERRUPTIONS.includes(response.status)) {
          waited.delete(operationId);
          givenUp = 0;
        }
      }
      if (failure?.kind !== "timeout" || unanswered !== undefined || abandon !== undefined) return;
      late.target += 1;
      late.operations.set(operationId, (late.operations.get(operationId) ?? 0) + 1);
      lastFailure = failure.message;
    },
    secondsToWait(operation, call, exchange, attempt) {
      const status = statusOf(exchange);
      const { operationId } = operation;
      const before = waited.get(operationId) ?? 0;
      const asked = secondsAsked(exchange, attempt, now());
      if (asked > LONGEST_WAIT_S) {
        const reason = `the target answered ${status} and asks to wait ${inWords(asked)}, longer than a run waits (${LONGEST_WAIT_S} s)`;
        throw postponed.add(operation, call, exchange, reason, asked);
      }
      // What was always interrupted is not worth the same waits for each call.
      if (attempt < ATTEMPTS && givenUp < GIVEN_UP_MOST && before + asked <= LONGEST_WAIT_S) {
        waited.set(operationId, before + Math.max(asked, 0));
        return Math.max(asked, 0);
      }
      givenUp += 1;
      waited.set(operationId, LONGEST_WAIT_S);
      const reason = `the target answered ${status} again and again: lower MAX_REQUESTS_PER_SECOND or try later`;
      throw postponed.add(operation, call, exchange, reason);
    },
  };
};

/** Knows what the target wants later: an operation, or the repetition of a call that it accepted. */
const createPostponed = (now: () => number) => {
  const accepted = new Set<string>();
  const wishes = new Map<
    string,
    { readonly until: number; readonly resource: string; readonly stop: NotTried | TargetLost }
  >();
  return {
    seeAnswer(call: Call, exchange: Exchange): void {
      // What a target limits of reads, and of calls that name no resource, is its use as a whole.
      if (
        isAccepted(exchange) &&
        exchange.request.method !== "GET" &&
        Object.keys(call.path ?? {}).length > 0
      )
        accepted.add(nameOf(call));
    },
    /** @returns the error that ends what needs the call */
    add(operation: Operation, call: Call, exchange: Exchange, reason: string, seconds = 0): Error {
      const isRepetition = statusOf(exchange) === 429 && accepted.has(nameOf(call));
      const stop = isRepetition
        ? new NotTried("interrupted", `the server limits repetitions: ${reason}`)
        : new TargetLost("interrupted", reason);
      const key = isRepetition ? nameOf(call) : operation.operationId;
      wishes.set(key, { until: now() + seconds * 1000, resource: resourceOf(operation), stop });
      return stop;
    },
    /** @throws TargetLost or NotTried when the target wants the call later */
    refuse(call: Call): void {
      for (const [key, { until }] of wishes) if (until <= now()) wishes.delete(key);
      const all = [...wishes.values()];
      const last = all.at(-1);
      if (last !== undefined && new Set(all.map(({ resource }) => resource)).size >= CLOSED_FROM)
        throw new TargetLost(last.stop.reason);
      const wish = wishes.get(call.operationId) ?? wishes.get(nameOf(call));
      if (wish !== undefined) throw wish.stop;
    },
  };
};

/** Names a call and the resource in its path. */
const nameOf = ({ operationId, path }: Call): string => JSON.stringify([operationId, path]);

/** Returns what a call makes or finds, or else the last resource in its path. */
const resourceOf = ({ path, parameters, produces, finds }: Operation): string =>
  [...produces, ...finds][0]?.resource ??
  parameters.findLast(({ in: place }) => place === "path")?.resource ??
  path;

/** Whether a 429 or 503 asks the client to retry later, which violates no requirement (RFC 9110, 15.6.4). */
export const isInterruption = (exchange: Exchange): boolean => INTERRUPTIONS.includes(statusOf(exchange));

/**
 * Sends again after the delay that the server requests.
 * @param count receives the exchange of every attempt
 * @throws TargetLost or NotTried when the target asks for too long a wait, or interrupts too often
 */
export const waitOutInterruptions = async (
  operation: Operation,
  call: Call,
  send: () => Promise<Exchange>,
  endurance: Endurance,
  count: (exchange: Exchange) => void = () => undefined,
): Promise<Exchange> => {
  for (let attempt = 1; ; attempt++) {
    const exchange = await send();
    count(exchange);
    if (call.interruptions === "return" || !isInterruption(exchange)) return exchange;
    await wait(endurance.secondsToWait(operation, call, exchange, attempt) * 1000);
  }
};

/** Returns the delay in Retry-After, seconds or date (RFC 9110, 10.2.3); without one, the delay doubles each time. */
const secondsAsked = (exchange: Exchange, attempt: number, now: number): number => {
  const header = exchange.response?.headers["retry-after"];
  if (header === undefined) return 2 ** (attempt - 1);
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? 1 : (date - now) / 1000;
};

const inWords = (seconds: number): string =>
  seconds > 1e9 ? "for decades" : `${Math.ceil(seconds).toLocaleString("en-US")} s`;
