/** Certifies listeners: sends them messages of the service, and judges their answers. */

import { exec } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { codeFile } from "../../helpers/contract/code.ts";
import type { Contract } from "../../helpers/contract/contract.ts";
import { withHalfRows } from "../../helpers/contract/half-rows.ts";
import { services } from "../../helpers/contract/services.ts";
import { createRecorder, type Recorder } from "../../helpers/exchange/recorder.ts";
import { createRedactor } from "../../helpers/exchange/redact.ts";
import { type ListenerKind, PROBES, type ProbeName } from "../../helpers/listener/kind.ts";
import { type ProbeContext, type ProbeResult, probes } from "../../helpers/listener/probes.ts";
import { createSender, type SenderOptions } from "../../helpers/listener/sender.ts";
import { withUsersMask } from "../../helpers/run/files.ts";
import { ConfigurationError } from "../../helpers/target/load-target.ts";
import type { LedgerEntry, TrialResult } from "../../helpers/trials/ledger.ts";

/** Loads the kinds of listeners of all services. */
export const listenerKinds = async (): Promise<ListenerKind[]> => {
  const found: ListenerKind[] = [];
  for (const service of services()) {
    const path = `../../fixtures/${service}/listener/kinds.ts`;
    if (!existsSync(new URL(codeFile(path), import.meta.url))) continue;
    const module = await import(`../../fixtures/${service}/listener/kinds.ts`);
    found.push(...(module as { readonly kinds: readonly ListenerKind[] }).kinds);
  }
  return found;
};

/** @throws ConfigurationError when there is no such kind */
export const kindNamed = async (name: string): Promise<ListenerKind> => {
  const all = await listenerKinds();
  const kind = all.find((one) => one.kind === name);
  if (kind !== undefined) return kind;
  const known = all.map((one) => one.kind).join(", ");
  throw new ConfigurationError(`--kind: there is no kind of listener "${name}". Choose from: ${known}.`);
};

export interface ListenerRun extends Pick<SenderOptions, "connectTo"> {
  readonly kind: ListenerKind;
  /** The contract of the kind's service. */
  readonly contract: Contract;
  readonly urls: readonly string[];
  readonly timeLimitMs: number;
  readonly effect?: () => Promise<string>;
  /** Names of the probes to run; all by default. */
  readonly only?: readonly ProbeName[];
}

/** Runs all probes against each URL. @returns the contract with the requirements of listeners, and the results */
export const tryListeners = async (
  run: ListenerRun,
): Promise<{ readonly contract: Contract; readonly results: readonly TrialResult[] }> => {
  const { kind, urls, timeLimitMs, effect, connectTo, only = PROBES } = run;
  const contract = withHalfRows(run.contract, "listener");
  const recorder = createRecorder(createRedactor({}));
  const results: TrialResult[] = [];
  let draws = 0;
  for (const url of urls) {
    const sender = createSender({
      service: kind.service,
      operationId: kind.operationId,
      timeLimitMs,
      ...(connectTo && { connectTo }),
    });
    let exchanges = 0;
    const counting: ProbeContext["sender"] = {
      ...sender,
      send: async (sent) => {
        exchanges += 1;
        const exchange = await sender.send(sent);
        recorder.see(exchange);
        return exchange;
      },
    };
    const context: ProbeContext = {
      kind,
      url,
      sender: counting,
      draw: () => ++draws,
      ...(effect && { effect }),
    };
    for (const name of only) {
      const requirement = kind.requirements[name];
      if (requirement === undefined) continue;
      const before = exchanges;
      const result = await probes[name](context);
      results.push(
        resultOf(contract, `${kind.service}.${requirement}`, name, result, exchanges - before, recorder),
      );
    }
    await sender.close();
  }
  return { contract, results: [...results, ...others(contract, kind)] };
};

const resultOf = (
  contract: Contract,
  requirement: string,
  name: ProbeName,
  probed: ProbeResult,
  exchanges: number,
  recorder: Recorder,
): TrialResult => ({
  trial: `${requirement} (${name})`,
  service: contract.service,
  entries: [entryOf(contract, requirement, probed, recorder)],
  operations: [],
  observations: [],
  exchanges,
  billableCalls: 0,
});

const entryOf = (
  contract: Contract,
  requirement: string,
  probed: ProbeResult,
  recorder: Recorder,
): LedgerEntry => {
  if ("notTried" in probed)
    return { requirement, verdict: "not-tried", reason: recorder.excerpt(probed.notTried), exchanges: 0 };
  if ("blocked" in probed)
    return { requirement, verdict: "blocked", reason: recorder.excerpt(probed.blocked), exchanges: 0 };
  const { result, exchanges, suspected } = probed;
  if (result.holds) return { requirement, verdict: "passed", exchanges: exchanges.length };
  const level = contract.requirements.find(({ id }) => id === requirement)?.level;
  return {
    requirement,
    verdict: level === "assumed" || suspected ? "advisory" : "failed",
    exchanges: exchanges.length,
    failure: recorder.violation(result, exchanges),
  };
};

/** Returns the reasons for the requirements that this run does not try. */
const others = (contract: Contract, kind: ListenerKind): TrialResult[] => {
  const tried = new Set(Object.values(kind.requirements).map((id) => `${kind.service}.${id}`));
  const reasons = {
    service: "obliges the service",
    client: "obliges the caller",
    listener: "obliges listeners of another kind",
  };
  return contract.requirements
    .filter(({ id }) => !tried.has(id))
    .map(({ id, subject }) => ({
      trial: id,
      service: contract.service,
      entries: [{ requirement: id, verdict: "not-tried", reason: reasons[subject], exchanges: 0 }],
      operations: [],
      observations: [],
      exchanges: 0,
      billableCalls: 0,
    }));
};

/** Returns a function that runs a command of the user, and returns what it prints. */
export const effectOf = (command: string) => async (): Promise<string> => {
  const { stdout } = await withUsersMask(() => promisify(exec)(command, { maxBuffer: 64_000_000 }));
  return stdout;
};
