/** Judges the callers of a recording: gives each exchange to the checks, and adds up their verdicts. */
import { fingerprintOf } from "../accept/fingerprint.ts";
import type { Contract, Requirement } from "../contract/contract.ts";
import { statusOf } from "../exchange/exchange.ts";
import type { Recorder } from "../exchange/recorder.ts";
import { isAbsent } from "../traffic/absent.ts";
import { Memory } from "../traffic/memory.ts";
import type { Ending, Seen, StoredResult } from "../traffic/seen.ts";
import type { Failure } from "../trials/failure.ts";
import type { LedgerEntry, OperationCount, TrialResult, Verdict } from "../trials/ledger.ts";
import {
  type CallerPolicy,
  type HistoryCheck,
  isRequestCheck,
  type RequestCheck,
  type Shown,
  type Watch,
} from "./check.ts";
import { judgeByRules } from "./contract-rules.ts";

export interface CallerJudge {
  /** Checks a request by itself. The result does not depend on other requests, so that a log can contain it. */
  single(seen: Seen): readonly StoredResult[];
  /**
   * Adds the results of an exchange, and gives it to the checks of behaviour over time. Afterwards, a large response
   * contains only its start.
   */
  see(seen: Seen, single: readonly StoredResult[]): void;
  end(ending: Ending): void;
  /** Returns the present verdict of a requirement; `undefined` when there was no occasion for it. */
  verdictOf(requirement: string): Verdict | undefined;
  /** Returns a result for each requirement, and one for each service with the counts of its operations. */
  results(): TrialResult[];
}

export interface CallerJudgeOptions {
  readonly contracts: readonly Contract[];
  readonly policies: readonly CallerPolicy[];
  readonly recorder: Recorder;
  /** Receives each new finding. */
  readonly onFinding?: (requirement: Requirement, verdict: Verdict, failure: Failure) => void;
}

/** Whether a violation is by a member of a body that was not recorded. */
const isByAbsentBody = ({ holds, pointer }: Shown["result"], [judged]: readonly Seen[]): boolean =>
  !holds && pointer.startsWith("/") && isAbsent(judged?.exchange.request.body);

/** The maximum number of different failures that are stored for each requirement. */
const FAILURES_KEPT = 10;
const CLIENTS_KEPT = 1_000;

interface Tally {
  readonly counts: Map<Verdict, number>;
  readonly failures: Map<string, { readonly verdict: Verdict; readonly failure: Failure }>;
}

interface Judged {
  readonly contract: Contract;
  readonly policy: CallerPolicy | undefined;
  readonly requirements: ReadonlyMap<string, Requirement>;
  readonly byRules: ReturnType<typeof judgeByRules>;
  readonly single: readonly RequestCheck[];
  readonly histories: readonly HistoryCheck[];
  readonly statuses: Map<string, OperationCount>;
  exchanges: number;
}

export const createCallerJudge = ({
  contracts,
  policies,
  recorder,
  onFinding,
}: CallerJudgeOptions): CallerJudge => {
  const services = new Map(contracts.map((contract) => [contract.service, judgedOf(contract, policies)]));
  const tallies = new Map<string, Tally>();
  const clients = new Memory<string, readonly (readonly [string, Watch])[]>(CLIENTS_KEPT);

  const add = (judged: Judged, id: string, { result, suspected, exchanges }: Shown): void => {
    const requirement = judged.requirements.get(id);
    if (requirement === undefined || isByAbsentBody(result, exchanges)) return;
    const verdict = result.holds
      ? "passed"
      : suspected || requirement.level === "assumed"
        ? "advisory"
        : "failed";
    const tally = tallies.get(id) ?? { counts: new Map(), failures: new Map() };
    tallies.set(id, tally);
    tally.counts.set(verdict, (tally.counts.get(verdict) ?? 0) + exchanges.length);
    if (result.holds) return;
    const key = fingerprintOf(id, result, exchanges[0]?.exchange.operationId);
    if (tally.failures.has(key) || tally.failures.size >= FAILURES_KEPT) return;
    const failure = recorder.violation(result, exchanges.map(bare));
    tally.failures.set(key, { verdict, failure });
    onFinding?.(requirement, verdict, failure);
  };

  const watchesOf = (judged: Judged, client: string): readonly (readonly [string, Watch])[] => {
    const key = `${judged.contract.service} ${client}`;
    const known = clients.get(key);
    if (known !== undefined) return known;
    const own = judged.histories.map(
      (check) => [`${judged.contract.service}.${check.requirement}`, check.watch()] as const,
    );
    clients.set(key, own);
    return own;
  };

  return {
    single(seen) {
      const judged = services.get(seen.service);
      if (judged === undefined) return [];
      const own = judged.single.flatMap((check): StoredResult[] => {
        if (check.operations && !check.operations.includes(seen.exchange.operationId)) return [];
        const one = check.judge(seen);
        return one === undefined ? [] : [{ requirement: `${seen.service}.${check.requirement}`, ...one }];
      });
      return [...judged.byRules(seen), ...own];
    },
    see(seen, single) {
      const judged = services.get(seen.service);
      if (judged === undefined) return;
      count(judged, seen);
      for (const { requirement, ...one } of single) add(judged, requirement, { ...one, exchanges: [seen] });
      for (const [requirement, watch] of watchesOf(judged, seen.client)) {
        for (const shown of watch.see(seen)) add(judged, requirement, shown);
      }
      lighten(seen);
    },
    end(ending) {
      for (const [key, watches] of clients) {
        const judged = services.get(key.split(" ", 1)[0] ?? "");
        for (const [requirement, watch] of watches) {
          for (const shown of watch.end?.(ending) ?? []) if (judged) add(judged, requirement, shown);
        }
      }
    },
    verdictOf: (requirement) => {
      const counts = tallies.get(requirement)?.counts;
      return (["failed", "advisory", "passed"] as const).find((verdict) => counts?.has(verdict));
    },
    results: () => [...services.values()].flatMap((judged) => resultsOf(judged, tallies)),
  };
};

const bare = ({ exchange }: Seen): Seen["exchange"] => exchange;

const judgedOf = (contract: Contract, policies: readonly CallerPolicy[]): Judged => {
  const policy = policies.find(({ service }) => service === contract.service);
  const checks = policy?.checks ?? [];
  return {
    contract,
    policy,
    requirements: new Map(contract.requirements.map((requirement) => [requirement.id, requirement])),
    byRules: judgeByRules(contract),
    single: checks.filter(isRequestCheck),
    histories: checks.filter((check): check is HistoryCheck => !isRequestCheck(check)),
    statuses: new Map(),
    exchanges: 0,
  };
};

const count = (judged: Judged, { exchange, operation }: Seen): void => {
  judged.exchanges += 1;
  if (operation === undefined) return;
  const status = statusOf(exchange);
  const key = `${operation.operationId} ${status}`;
  const documented = operation.responses[status] !== undefined;
  const known = judged.statuses.get(key);
  judged.statuses.set(key, {
    operationId: operation.operationId,
    status,
    documented,
    observed: (known?.observed ?? 0) + 1,
  });
};

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

const resultsOf = (judged: Judged, tallies: ReadonlyMap<string, Tally>): TrialResult[] => {
  const { service, requirements } = judged.contract;
  const empty = { service, observations: [], billableCalls: 0 };
  return [
    {
      ...empty,
      trial: `traffic of ${service}`,
      entries: [],
      operations: [...judged.statuses.values()],
      exchanges: judged.exchanges,
    },
    ...requirements.map((requirement) => ({
      ...empty,
      trial: requirement.id,
      entries: entriesOf(judged, requirement, tallies.get(requirement.id)),
      operations: [],
      exchanges: 0,
    })),
  ];
};

const entriesOf = (
  judged: Judged,
  { id: requirement, ...rest }: Requirement,
  tally: Tally | undefined,
): LedgerEntry[] => {
  if (tally === undefined) {
    const reason = reasonOf(judged, { id: requirement, ...rest });
    return [{ requirement, verdict: "not-tried", reason, exchanges: 0 }];
  }
  return [...tally.counts].flatMap(([verdict, exchanges]): LedgerEntry[] => {
    const failures = [...tally.failures.values()].filter((one) => one.verdict === verdict);
    if (failures.length === 0) return [{ requirement, verdict, exchanges }];
    return failures.map(({ failure }, index) => ({
      requirement,
      verdict,
      exchanges: index === 0 ? exchanges : 0,
      failure,
    }));
  });
};

/** Explains why traffic shows nothing about a requirement. */
const reasonOf = ({ contract, policy, exchanges }: Judged, { id, subject }: Requirement): string => {
  if (subject === "listener") return "obliges the listener";
  if (subject === "service") return "obliges the service";
  const own = id.slice(contract.service.length + 1);
  const unseen = policy?.unseen[own];
  if (unseen !== undefined) return `not shown by traffic: ${unseen}`;
  if (exchanges === 0) return "the client sent nothing to this service";
  const check = policy?.checks.find(({ requirement }) => requirement === own);
  return check === undefined ? "no check tries it" : `no occasion: ${check.occasion}`;
};
