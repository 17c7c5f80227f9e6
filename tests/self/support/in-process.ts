/** Runs trials against a sandbox in this process, as `npm run certify` does, but without reports. */
import type { Contract } from "../../../helpers/contract/contract.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { sentenceOf } from "../../../helpers/reasons/reason.ts";
import { equip } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { STRENGTH, type TrialResult, type Verdict } from "../../../helpers/trials/ledger.ts";
import { openSession, type Session } from "../../../helpers/trials/session.ts";
import type { SessionOptions } from "../../../helpers/trials/session-parts.ts";
import type { Depth, Trial } from "../../../helpers/trials/trial.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import type { Trouble } from "../../../mocks/engine/trouble/troubles.ts";

export const ALLOWED = { ALLOW_DESTRUCTIVE: "true", ALLOW_LOCKING: "true", MAX_BILLABLE_CALLS: "1000000" };

export interface Setting {
  readonly contract: Contract;
  readonly faults?: readonly string[];
  readonly troubles?: readonly Trouble[];
  readonly seed?: number;
  readonly depth?: Depth;
  readonly onExchange?: (exchange: Exchange) => void;
  readonly occasions?: boolean;
  /** Whether the sandbox is an external target. */
  readonly external?: true;
  /** Whether the sandbox has no admin interface for the trials. */
  readonly plain?: true;
  /** The contract of the sandbox, if it is another one. */
  readonly served?: Contract;
  /** Values added to the sandbox's configuration, such as permissions. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Opens a session on a fresh sandbox, and closes both when `use` has ended. */
export const onSandbox = <Value>(
  setting: Setting,
  use: (session: Session) => Promise<Value>,
): Promise<Value> => withSandbox(setting, (within) => within([], use));

/** The same, with the settings of the sandbox itself: the session has a copy of it. */
export const onOpenSandbox = <Value>(
  setting: Setting,
  use: (session: Session, environment: Readonly<Record<string, string>>) => Promise<Value>,
): Promise<Value> =>
  withSandbox(setting, (within, environment) => within([], (session) => use(session, environment)));

/** Opens a session on a new tenant that has these faults in addition to the faults of the sandbox. */
type Within = <Value>(faults: readonly string[], use: (session: Session) => Promise<Value>) => Promise<Value>;

/** Starts a sandbox for several consecutive sessions, and closes it when `use` has ended. */
export const withSandbox = async <Value>(
  {
    contract,
    faults = [],
    troubles = [],
    seed = 1,
    depth = "standard",
    occasions = true,
    onExchange,
    values,
    external,
    plain,
    served = contract,
  }: Setting,
  use: (within: Within, environment: Readonly<Record<string, string>>) => Promise<Value>,
): Promise<Value> => {
  const { service } = contract;
  const sandbox = await startSandbox({ services: [service], seed, faults, troubles, contracts: [served] });
  const target = targetOf("sandbox", { ...sandbox.environment, ...values }, external === undefined);
  const within: Within = async (others, useSession) => {
    const { release, ...equipment } = await equip(target, {
      ...(plain && { plain }),
      ...(others.length > 0 && { faults: [...faults, ...others] }),
    });
    const session = openSession({
      ...equipment,
      contracts: [contract],
      depth,
      seed,
      prefix: "t0",
      occasions,
      ...(onExchange && { onExchange }),
    });
    try {
      return await useSession(session);
    } finally {
      await session.close();
      await release();
    }
  };
  try {
    return await use(within, sandbox.environment);
  } finally {
    await sandbox.close();
  }
};

/** Runs trials in a session of their own. @param setting replaces the settings of a quick session with seed 1 */
export const runAlone = async (
  contract: Contract,
  trials: readonly Trial[],
  setting: Pick<SessionOptions, "target" | "capabilities"> & Partial<SessionOptions>,
): Promise<TrialResult[]> => {
  const session = openSession({ contracts: [contract], depth: "quick", seed: 1, prefix: "t0", ...setting });
  try {
    return await runAll(session, trials);
  } finally {
    await session.close();
  }
};

export const runAll = async (session: Session, trials: readonly Trial[]): Promise<TrialResult[]> => {
  const pages: TrialResult[] = [];
  for (const trial of trials) pages.push(await session.run(trial));
  return pages;
};

/** Returns the strongest verdict of each requirement in the results. */
export const verdictsOf = (pages: readonly TrialResult[]): Map<string, Verdict> => {
  const verdicts = new Map<string, Verdict>();
  for (const { requirement, verdict } of pages.flatMap(({ entries }) => entries)) {
    const known = verdicts.get(requirement) ?? "not-tried";
    verdicts.set(requirement, STRENGTH.indexOf(verdict) > STRENGTH.indexOf(known) ? verdict : known);
  }
  return verdicts;
};

export const reasonsOf = (pages: readonly TrialResult[], requirement: string): string =>
  pages
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.requirement === requirement)
    .map(({ reason }) => reason && sentenceOf(reason))
    .join("; ");

/** Returns what is held against a server: its verdicts `failed`, `blocked` and `advisory`, and crashes of trials. */
export const heldAgainst = (pages: readonly TrialResult[]): string[] =>
  pages.flatMap(({ entries, crash, trial }) => [
    ...(crash === undefined ? [] : [`${trial} crashed: ${crash}`]),
    ...entries.flatMap(({ requirement, verdict, reason, failure }) =>
      verdict === "passed" || verdict === "not-tried"
        ? []
        : [`${verdict} ${requirement}: ${reason ? sentenceOf(reason) : failure?.message}`],
    ),
  ]);
