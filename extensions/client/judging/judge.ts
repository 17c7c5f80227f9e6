/** Judges the callers in traffic. The traffic of a service is a trial that sends nothing itself. */
import type { Contract, Requirement } from "../../../helpers/contract/contract.ts";
import { getOrInsert, memoize } from "../../../helpers/contract/memoize.ts";
import { untriedReason } from "../../../helpers/contract/schemas/untried.ts";
import type { CheckResult } from "../../../helpers/exchange/check-result.ts";
import type { Recorder } from "../../../helpers/exchange/recorder.ts";
import { because, type Reason } from "../../../helpers/reasons/reason.ts";
import { loggedDocument } from "../../../helpers/traffic/log.ts";
import { Memory } from "../../../helpers/traffic/memory.ts";
import type { Ending, Seen, StoredResult } from "../../../helpers/traffic/seen.ts";
import type { Failure } from "../../../helpers/trials/failure.ts";
import { createJudge } from "../../../helpers/trials/judge.ts";
import { OBLIGES, type TrialResult, type Verdict, withReasons } from "../../../helpers/trials/ledger.ts";
import { type CallerChecks, type CallerPolicy, isRequestCheck, isUnread } from "./check.ts";
import { judgeByRules } from "./contract-rules.ts";

export type CallerJudge = ReturnType<typeof createCallerJudge>;

export interface CallerJudgeOptions {
  readonly contracts: readonly Contract[];
  readonly policies: readonly CallerPolicy[];
  readonly recorder: Recorder;
  /** Receives each new finding, with the id of its requirement. */
  readonly onFinding?: ((requirement: string, verdict: Verdict, failure: Failure) => void) | undefined;
}

export const createCallerJudge = (options: CallerJudgeOptions) => {
  const services = new Map(options.contracts.map((one) => [one.service, judgeOf(one, options)]));
  const clients = new Map<string, number>();
  return {
    /** Checks a request by itself. The result does not depend on other requests, so that a log can contain it. */
    single: (seen: Seen): readonly StoredResult[] => services.get(seen.service)?.single(seen) ?? [],
    /**
     * Adds the results of an exchange, and gives it to the checks of behaviour over time. Afterwards, a large response
     * contains only its start.
     * @param single the results of its request, if they are known already
     */
    see(seen: Seen, single?: readonly StoredResult[]): void {
      clients.set(seen.client, (clients.get(seen.client) ?? 0) + 1);
      const own = services.get(seen.service);
      own?.see(seen, single ?? own.known(seen));
    },
    /** Ends the behaviour that was watched. Exchanges after that are of another run of the client. */
    end(ending: Ending): void {
      for (const { end } of services.values()) end(ending);
    },
    results: (): TrialResult[] => [...services.values()].map(({ result }) => result()),
    /** Returns the names of the clients, and the number of exchanges of each. */
    clients: (): ReadonlyMap<string, number> => clients,
  };
};

/** Judges the callers of one service. */
const judgeOf = (contract: Contract, { policies, recorder, onFinding }: CallerJudgeOptions) => {
  const { service } = contract;
  const policy = policies.find((one) => one.service === service);
  const checks = new Map<string, CallerChecks[string]>(
    (policy?.checks ?? []).flatMap((some) =>
      Object.entries(some).map(([own, check]) => [`${service}.${own}`, check] as const),
    ),
  );
  const trial = { id: `traffic of ${service}`, service, runsAgain: false } as const;
  const judge = createJudge(contract, trial, recorder, undefined, onFinding);
  const ids = new Set(contract.requirements.map(({ id }) => id));
  const clients = new Memory<string, ReturnType<typeof startWatching>>(1_000);
  /** What was seen of a requirement, and is too little for a verdict, by its id. */
  const told = new Map<string, string>();

  const record = (requirement: string, result: CheckResult, seen: readonly Seen[]): void => {
    // A log of an earlier version may name a requirement that no longer exists.
    if (!ids.has(requirement) || isByAbsentBody(result, seen)) return;
    const exchanges = seen.map(({ exchange }) => exchange);
    judge.record(requirement, result, exchanges);
  };

  const startWatching = () => {
    const ends: ((ending: Ending) => void)[] = [];
    const sees = [...checks].flatMap(([requirement, check]) => {
      if (isRequestCheck(check)) return [];
      return check.watch({
        show: (result, ...exchanges) => record(requirement, result, exchanges),
        tell: (seen) => told.set(requirement, seen),
        atEnd: (judge) => ends.push(judge),
      });
    });
    return { sees, ends };
  };

  return {
    ...judgeRequests(contract, checks),
    see(seen: Seen, single: readonly StoredResult[]): void {
      judge.count(seen.exchange);
      for (const { requirement, result } of single) record(requirement, result, [seen]);
      for (const see of getOrInsert(clients, seen.client, startWatching).sees) see(seen);
      lighten(seen);
    },
    end(ending: Ending): void {
      for (const end of [...clients.values()].flatMap(({ ends }) => ends)) end(ending);
      clients.clear();
    },
    result(): TrialResult {
      // The form of answers shows nothing about a caller.
      const result = { ...judge.result(), observations: [] };
      const toReason = (one: Requirement) => reasonOf(one, policy, checks, result.exchanges, told, contract);
      return withReasons(result, contract, toReason);
    },
  };
};

/** Judges single requests: by the rules of the document, and by the checks of the service. */
const judgeRequests = (contract: Contract, checks: ReadonlyMap<string, CallerChecks[string]>) => {
  const byRules = judgeByRules(contract);
  const byChecks = (seen: Seen): StoredResult[] =>
    [...checks].flatMap(([requirement, check]) => {
      if (!isRequestCheck(check) || check.operations?.includes(seen.exchange.operationId) === false)
        return [];
      const result = check.check(seen, contract);
      return result === undefined ? [] : [{ requirement, result }];
    });
  const single = (seen: Seen): readonly StoredResult[] => [...byRules(seen), ...byChecks(seen)];
  /** Returns the results of a request that was recorded before, by the document that is given now. */
  const known = (seen: Seen): readonly StoredResult[] => {
    const { stored, storedBy } = seen;
    if (stored === undefined) return single(seen);
    if (storedBy === loggedDocument(contract).digest) return stored;
    // A check of the service may have read what the log does not contain, and depends on no document.
    return [...byRules(seen), ...stored.filter(({ requirement }) => isRequestCheck(checks.get(requirement)))];
  };
  return { single, known };
};

/** Whether a violation is by a member of a body that was not recorded, or that nobody can read. */
const isByAbsentBody = ({ holds, pointer }: CheckResult, [judged]: readonly Seen[]): boolean =>
  !holds && pointer.startsWith("/") && judged !== undefined && isUnread(judged);

/** The certificate shows only the start of a body. */
const BODY_KEPT = 8_192;

/** Removes the content of a large response. Checks may keep the exchange as evidence, but they have read it. */
const lighten = (seen: Seen): void => {
  const { response } = seen.exchange;
  if (response === undefined || response.body.length <= BODY_KEPT) return;
  const body = Buffer.from(response.body.subarray(0, BODY_KEPT));
  Object.assign(seen, {
    answer: undefined,
    exchange: { ...seen.exchange, response: { ...response, body, json: undefined, numeric: undefined } },
  });
};

/** Returns why nobody is judged by some rules of requests, by requirement. */
const leftOutOf = memoize(
  ({ rules }: Contract) =>
    new Map(
      rules.flatMap((rule) =>
        rule.direction === "request" && rule.untried !== undefined
          ? [[rule.requirement, untriedReason(rule)] as const]
          : [],
      ),
    ),
);

/** Explains why traffic shows nothing about a requirement. */
const reasonOf = (
  { id, service, subject }: Requirement,
  policy: CallerPolicy | undefined,
  checks: ReadonlyMap<string, CallerChecks[string]>,
  exchanges: number,
  told: ReadonlyMap<string, string>,
  contract: Contract,
): Reason => {
  if (subject !== "client") return leftOutOf(contract).get(id) ?? OBLIGES[subject];
  const unseen = policy?.unseen[id.slice(service.length + 1)];
  if (unseen !== undefined) return because("not-shown-by-traffic", unseen);
  if (exchanges === 0) return because("client-silent");
  const seen = told.get(id);
  if (seen !== undefined) return because("not-enough", seen);
  const check = checks.get(id);
  return check === undefined ? because("no-check") : because("no-occasion", check.occasion);
};
