/** Checks that a service accepts the requests of a client: a refusal that repeats, or that ends the use of an operation. */
import { getOrInsert } from "../../../helpers/contract/memoize.ts";
import { type CheckResult, HOLDS, violation } from "../../../helpers/exchange/check-result.ts";
import { isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { Memory } from "../../../helpers/traffic/memory.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { type HistoryCheck, history, requestOf, suspected } from "./check.ts";

/** The statuses that blame the request. A look-up may ask for what does not exist (404) or exists already (409). */
const BLAMING: ReadonlySet<number> = new Set([400, 401, 403, 405, 415, 422]);

/** Refusals in a row that are too many for what a person enters. */
const ENTERED_WRONGLY = 3;

/** Reads after a deletion that a look at its effect explains. */
const LOOKS = 3;

const READ_DELETED = suspected({
  message: "what the client itself deleted was read again and again",
  ...{ expected: "no more reads after a deletion", actual: `${LOOKS + 1} reads` },
});

interface Refusals {
  readonly status: number;
  readonly reason: string;
  readonly first: Seen;
  /** The keys of the refused requests. */
  readonly requests: string[];
}

/** What a client asked of one operation. */
type Use = ReturnType<typeof newUse>;
const MOST_REQUESTS = 1_000;

/**
 * @param mayRefuse whether the service may refuse a right request of an operation once: for what a person entered, or
 *   for the state of what the request is about, which the client does not know
 */
export const getsAccepted = (
  mayRefuse: (operation: NonNullable<Seen["operation"]>) => boolean = () => false,
): HistoryCheck =>
  history("a request that the service refused", ({ show, tell, atEnd }) => {
    const uses = new Map<string, Use>();
    /** How often a path was read after its deletion. */
    const deleted = new Memory<string, number>(1_000);
    atEnd(() => {
      for (const [operationId, use] of uses) {
        const found = [...use.refusals.values()];
        const isFound = found.some((one) =>
          use.isTolerant ? isTooOften(use, one) : use.isLastRefused || isRepeated(use, one),
        );
        for (const one of found) {
          if (isFound) show(refused(operationId, use, one), one.first);
          else if (use.accepted > 0) show(HOLDS, one.first);
          else tell(`${operationId} was refused with ${one.status}, once for each request`);
        }
      }
    });
    return (seen) => {
      const { exchange, operation, exercises } = seen;
      if (operation === undefined || exercises.length > 0 || exchange.response === undefined) return;
      const { pathname } = new URL(exchange.request.url);
      if (operation.method === "DELETE" && isAccepted(exchange)) deleted.set(pathname, 0);
      if (operation.method === "GET" && [404, 410].includes(statusOf(exchange)))
        for (const [path, reads] of deleted) {
          if (!`${pathname}/`.startsWith(`${path}/`)) continue;
          deleted.set(path, reads + 1);
          if (reads === LOOKS) show(READ_DELETED, seen);
        }
      const use = getOrInsert(uses, operation.operationId, () => newUse(mayRefuse(operation)));
      use.asked += 1;
      if (isAccepted(exchange)) return accept(use, seen);
      use.isLastRefused = BLAMING.has(statusOf(exchange));
      if (use.isLastRefused) refuse(use, seen);
    };
  });

const newUse = (isTolerant: boolean) => ({
  isTolerant,
  asked: 0,
  accepted: 0,
  /** The refusals since the last accepted request. */
  inRow: 0,
  isLastRefused: false,
  refusals: new Memory<string, Refusals>(20),
});

/** A request that is accepted when it is sent again, with a new token perhaps, needed no change. */
const accept = (use: Use, seen: Seen): void => {
  Object.assign(use, { accepted: use.accepted + 1, inRow: 0, isLastRefused: false });
  const key = requestOf(seen);
  for (const [name, { requests }] of use.refusals) {
    const at = requests.indexOf(key);
    if (at >= 0) requests.splice(at, 1);
    if (requests.length === 0) use.refusals.delete(name);
  }
};

const refuse = (use: Use, seen: Seen): void => {
  use.inRow += 1;
  const [status, reason] = [statusOf(seen.exchange), reasonOf(seen.answer)];
  // Numbers and quoted values differ from request to request.
  const name = `${status} ${reason.replaceAll(/\d+|"[^"]*"|'[^']*'/g, "…")}`;
  const { requests } = getOrInsert(use.refusals, name, () => ({ status, reason, first: seen, requests: [] }));
  if (requests.length < MOST_REQUESTS) requests.push(requestOf(seen));
};

/** Whether most requests are refused for one reason, or one request is sent again and again. */
const isRepeated = ({ accepted }: Use, { requests }: Refusals): boolean =>
  requests.length > 1 && (requests.length >= accepted || new Set(requests).size < requests.length);

const isTooOften = ({ inRow, accepted }: Use, { requests }: Refusals): boolean =>
  inRow >= ENTERED_WRONGLY ||
  new Set(requests).size < requests.length ||
  (accepted === 0 && requests.length > 1);

const refused = (
  operationId: string,
  { asked }: Use,
  { status, reason, requests }: Refusals,
): CheckResult => {
  const why = reason === "" ? `${status}` : `${status}, "${reason}"`;
  return violation({
    message: `the service refused ${requests.length} of ${asked} ${operationId}: ${why}`,
    ...{ expected: "a request that the service accepts", actual: why },
  });
};

/** Returns the first sentence for people in the body of a refusal. */
const reasonOf = (answer: unknown): string => sentenceIn(answer) ?? "";

/** Whether a request was refused for one cause: a status has many, so the text of the refusal must name it. */
export const refusedFor = ({ exchange, answer }: Seen, cause: RegExp): boolean =>
  [400, 404, 406, 409, 422].includes(statusOf(exchange)) &&
  cause.test(JSON.stringify(answer ?? "").replaceAll(/\\"|_/g, " "));

const NAMELESS = /^(?:\W|\d|bad|invalid|request|not|found|error|conflict|unprocessable|entity|content)*$/i;

/** Whether a refusal does not say what is wrong. */
export const namesNothing = ({ answer }: Seen): boolean => NAMELESS.test(reasonOf(answer));

/**
 * The same for a cause that may go: a refusal that names nothing has it if the same request is accepted afterwards.
 * @returns a function that returns the request that was refused for the cause, when that is certain
 */
export const refusedUntilGone = (cause: RegExp) => {
  const open = new Memory<string, Seen>(1_000);
  return (seen: Seen, isGone: boolean): Seen | undefined => {
    const key = requestOf(seen);
    const before = open.get(key);
    if (isAccepted(seen.exchange)) {
      open.delete(key);
      return isGone ? before : undefined;
    }
    if (isGone) return undefined;
    if (refusedFor(seen, cause)) return seen;
    if (namesNothing(seen)) open.set(key, seen);
    return undefined;
  };
};

/** The ways in which texts say that something does not exist, or was not sent. @param what an expression */
export const lackOf = (what: string): RegExp =>
  new RegExp(
    `\\b(?:no|without(?: an?)?|unknown|missing|(?:lack|need|require)s? an?) (?:${what})\\b(?! accounts?\\b)|` +
      `\\b(?:${what})\\b\\W+(?:\\w+\\W+){0,3}?(?:does not exist|not (?:found|exist|created|registered|known)|missing|unknown|required)\\b`,
    "i",
  );

const FOR_PEOPLE = /^(message|description|detail|details|title|error_description|error|reason)$/i;

const sentenceIn = (value: unknown): string | undefined => {
  if (typeof value !== "object" || value === null) return undefined;
  const members = Object.entries(value);
  const own = members.find(([name, text]) => FOR_PEOPLE.test(name) && typeof text === "string");
  if (own !== undefined) return own[1] as string;
  return members.map(([, inner]) => sentenceIn(inner)).find((found) => found !== undefined);
};
