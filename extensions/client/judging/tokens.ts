/** Checks how a client uses access tokens. A log-in is a call of an operation that gives a token. */
import { HOLDS, violation } from "../../../helpers/exchange/check-result.ts";
import { isAccepted, statusOf } from "../../../helpers/exchange/exchange.ts";
import { Memory } from "../../../helpers/traffic/memory.ts";
import { MASKED_TOKEN, type Seen } from "../../../helpers/traffic/seen.ts";
import { type HistoryCheck, history, requestOf, suspected, times } from "./check.ts";

const isLogIn = ({ operation }: Seen): boolean => operation?.token !== undefined;

const MINUTE = 60_000;

const newToken = (logIn: Seen) => ({
  ...{ logIn, calls: 0 },
  /** Whether the client had a reason to get another token: this one was refused, or had become old. */
  hasEnded: false,
  /** Whether it was used after the client had got a newer one, as processes with a token each do. */
  isBesideNewer: false,
});

type Token = ReturnType<typeof newToken>;

/** The number of wasted tokens that shows a pattern. */
const WASTED = 3;
/** A token with up to this number of calls is hardly used; this number of such tokens in a row suggests a pattern. */
const HARDLY_USED = 3;
const IN_SUCCESSION = 5;

/**
 * Checks that a client does not log in before each call. Processes of one client may have a token each, so only the end
 * shows which tokens were not used again.
 * @param minutes the age at which a client gets a new token
 */
export const reusesToken = (minutes: number): HistoryCheck =>
  history("several calls with tokens of a log-in that was recorded", ({ show, tell, atEnd }) => {
    const tokens = new Memory<string, Token>(1_000);
    let newest: Token | undefined;
    atEnd(() => {
      const all = [...tokens.values()];
      const wasted = all.filter(({ calls, hasEnded }) => calls <= 1 && !hasEnded);
      if (wasted.length >= WASTED && wasted.length * 2 > all.length)
        return show(loggedInEachTime(wasted.length), ...logInsOf(wasted));
      if (all.length > 0) tell(`${times(all.length)} a token, and ${wasted.length} of them for one call`);
      const hardlyUsed = longestRow(
        all,
        ({ calls, hasEnded, isBesideNewer }) => calls <= HARDLY_USED && !hasEnded && !isBesideNewer,
      );
      if (hardlyUsed.length >= IN_SUCCESSION) show(loggedInOften(hardlyUsed.length), ...logInsOf(hardlyUsed));
    });
    return (seen) => {
      const { token, issued } = seen.marks;
      if (isLogIn(seen)) {
        if (issued === undefined || tokens.has(issued)) return;
        if (newest !== undefined) newest.hasEnded ||= seen.start - newest.logIn.end > minutes * MINUTE;
        newest = newToken(seen);
        tokens.set(issued, newest);
        return;
      }
      const used = tokens.get(token ?? "");
      if (used === undefined) return;
      used.calls += 1;
      used.hasEnded ||= statusOf(seen.exchange) === 401;
      used.isBesideNewer ||= used !== newest;
      if (used.calls === 2) show(HOLDS, seen, used.logIn);
    };
  });

/** Returns the longest part of a list in which each item fits. */
const longestRow = <Item>(items: readonly Item[], fits: (item: Item) => boolean): readonly Item[] => {
  const rows: Item[][] = [[]];
  for (const item of items) {
    if (fits(item)) rows.at(-1)?.push(item);
    else rows.push([]);
  }
  return rows.reduce((longest, row) => (row.length > longest.length ? row : longest));
};

const logInsOf = (tokens: readonly Token[]): readonly Seen[] => tokens.slice(0, 3).map(({ logIn }) => logIn);

const loggedInEachTime = (wasted: number) =>
  violation({
    message: "the client logged in before each call",
    ...{ expected: "one token for many calls", actual: `${wasted} tokens, each used once at most` },
  });

/** Several short processes look like this too. */
const loggedInOften = (hardlyUsed: number) =>
  suspected({
    message: "the client logged in again after a few calls",
    expected: "one token for many calls",
    actual: `${hardlyUsed} tokens in a row, each used ${HARDLY_USED} times at most`,
  });

/** The number of calls with an old token that shows that the client does not renew it. */
const OLD_CALLS = 3;
/** Two calls with an old token at this distance were not both on their way when it became old. */
const APART = 5 * MINUTE;

/** Checks that a client does not call with an old token. @param minutes the age at which the client gets a new token */
export const renewsToken = (minutes: number): HistoryCheck =>
  history(`a token that is more than ${minutes} minutes old`, ({ show, tell }) => {
    const tokens = new Memory<
      string,
      { readonly logIn: Seen; first?: Seen; calls: number; isShown: boolean }
    >();
    let latest: Seen | undefined;
    return (seen) => {
      const { token = "", issued } = seen.marks;
      if (isLogIn(seen) && issued !== undefined) {
        if (!tokens.has(issued)) tokens.set(issued, { logIn: seen, calls: 0, isShown: false });
        if (latest !== undefined && seen.start - latest.end > minutes * MINUTE) show(HOLDS, seen, latest);
        latest = seen;
        return;
      }
      const used = tokens.get(token);
      if (used === undefined) return;
      const age = (seen.start - used.logIn.end) / MINUTE;
      // A minute for clocks that differ.
      if (!(age > minutes + 1)) return;
      used.first ??= seen;
      used.calls += 1;
      const actual = `a token of ${Math.floor(age)} minutes`;
      // A call may already be on its way when the token becomes old.
      if (used.calls < OLD_CALLS && !(seen.start - used.first.start > APART))
        return tell(`${actual}, ${times(used.calls)}`);
      if (!used.isShown) show(usedWhenOld(minutes, actual), seen, used.logIn);
      used.isShown = true;
    };
  });

const usedWhenOld = (minutes: number, actual: string) =>
  violation({
    message: `calls were sent with a token that was older than ${minutes} minutes`,
    ...{ expected: `a new token after ${minutes} minutes`, actual },
  });

const newRefused = (by: Seen) => ({
  by,
  /** Uses that can't have been on their way when the token was refused. */
  uses: 0,
  last: by,
  /** The number of times that the last request was sent again after its refusal. */
  repeated: 0,
});

/** Repetitions of one refused request, each after the refusal before, that no parallel calls explain. */
const IN_A_ROW = 3;

const isRepeatedInARow = (refused: ReturnType<typeof newRefused>, seen: Seen): boolean => {
  const { last } = refused;
  const isAgain = requestOf(seen) === requestOf(last) && seen.start >= last.end;
  Object.assign(refused, { last: seen, repeated: isAgain ? refused.repeated + 1 : 0 });
  return refused.repeated === IN_A_ROW;
};

/** Checks that a client gets one new token when a token is refused, and uses it. */
export const replacesRefusedToken = history("a call whose token was refused with 401", ({ show, tell }) => {
  const refused = new Memory<string, ReturnType<typeof newRefused>>();
  let open: { readonly by: Seen; issued: Set<string> } | undefined;
  return (seen) => {
    const { token, issued } = seen.marks;
    if (isLogIn(seen)) {
      // A client that asks for a token does not only repeat the request.
      for (const one of refused.values()) one.repeated = 0;
      if (issued === undefined || open === undefined || seen.start < open.by.end) return;
      open.issued.add(issued);
      if (open.issued.size === 3) show(ASKED_AGAIN, seen, open.by);
      return;
    }
    if (token === undefined || token === MASKED_TOKEN) return;
    const known = refused.get(token);
    if (known !== undefined && isRepeatedInARow(known, seen)) return show(USED_AGAIN, seen, known.by);
    if (known !== undefined && seen.start > known.by.end + 1_000) {
      known.uses += 1;
      if (known.uses === 2) show(USED_AGAIN, seen, known.by);
      return;
    }
    if (known === undefined && statusOf(seen.exchange) === 401) {
      refused.set(token, newRefused(seen));
      tell("a token was refused, and no new one was used in the traffic");
      open ??= { by: seen, issued: new Set() };
      return;
    }
    if (open?.issued.has(token) !== true) return;
    show(HOLDS, seen, open.by);
    open = undefined;
  };
});

const ASKED_AGAIN = violation({
  message: "the client asked for several tokens after one refusal",
  ...{ expected: "one new token, which is used", actual: "three tokens that were not used" },
});

const USED_AGAIN = violation({
  message: "the client went on using a token that was refused with 401",
  ...{ expected: "a new token", actual: "the refused token" },
});

/** Checks that a client stops before failed log-ins lock its account. @param most allowed failures in a row */
export const stopsFailedLogIns = (most: number): HistoryCheck =>
  history("a log-in that failed", ({ show, atEnd }) => {
    const failures = new Memory<string, Seen[]>(1_000);
    atEnd(() => {
      for (const some of failures.values()) if (some.length <= most) show(HOLDS, ...some);
    });
    return (seen) => {
      if (!isLogIn(seen) || seen.exchange.response === undefined) return;
      const account = seen.marks.key ?? "";
      const before = failures.get(account) ?? [];
      if (isAccepted(seen.exchange)) {
        failures.delete(account);
        if (before.length > 0) show(HOLDS, seen, ...before.slice(0, 2));
        return;
      }
      if (![400, 401, 403].includes(statusOf(seen.exchange))) return;
      failures.set(account, [...before, seen].slice(-most - 1));
      if (before.length === most) show(failedAgain(most), seen, ...before.slice(0, 2));
    };
  });

const failedAgain = (most: number) =>
  violation({
    message: "log-ins of one account failed again and again",
    ...{ expected: `at most ${most} failures in a row`, actual: `${most + 1} failures` },
  });
