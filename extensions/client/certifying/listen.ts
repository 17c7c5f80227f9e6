/** Certifies listeners: sends them messages of the service, and judges their answers. */
import { exec } from "node:child_process";
import { promisify } from "node:util";
import { commandWith, hasCode } from "../../../helpers/contract/code.ts";

import type { Contract } from "../../../helpers/contract/contract.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { createRecorder } from "../../../helpers/exchange/recorder.ts";
import { createRedactor } from "../../../helpers/exchange/redact.ts";
import { filledAddress, shownAddress } from "../../../helpers/exchange/shown-address.ts";
import { because } from "../../../helpers/reasons/reason.ts";
import { withUsersMask } from "../../../helpers/run/files.ts";
import { ConfigurationError } from "../../../helpers/target/load-target.ts";
import { createJudge, type Judge } from "../../../helpers/trials/judge.ts";
import { OBLIGES, withReasons } from "../../../helpers/trials/ledger.ts";
import { NotTried, TargetLost } from "../../../helpers/trials/stopped.ts";
import { print } from "../../../reports/print.ts";
import { type BaselineOptions, conclude } from "../../../runner/command/baseline-options.ts";
import { type ListenerKind, PROBES, type ProbeName } from "../listener/kind.ts";
import { probes } from "../listener/probes.ts";
import { createSender, type SenderOptions } from "../listener/sender.ts";
import { certifyTraffic, claimResults } from "./certify.ts";
import { withHalfRows } from "./half-rows.ts";

/** Loads the kinds of listeners of all services. */
export const listenerKinds = async (): Promise<ListenerKind[]> => {
  const found: ListenerKind[] = [];
  for (const service of services()) {
    if (!hasCode(`extensions/client/services/${service}/listener/kinds.ts`)) continue;
    const module = await import(`../services/${service}/listener/kinds.ts`);
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

/** Seconds, as of a sender with a bad connection. */
const PAUSE_MS = 3_000;

/**
 * Runs all probes against each URL, as one trial.
 * @returns the contract with the requirements of listeners, the results, and the addresses that no longer answer
 */
export const tryListeners = async (
  run: Pick<SenderOptions, "connectTo"> & {
    readonly kind: ListenerKind;
    /** The contract of the kind's service. */
    readonly contract: Contract;
    readonly urls: readonly string[];
    readonly timeLimitMs: number;
    /** Milliseconds for which a slow sender sends nothing. */
    readonly pauseMs?: number;
    readonly effect?: () => Promise<string>;
    /** Names of the probes to run; all by default. */
    readonly only?: readonly ProbeName[];
  },
) => {
  const { kind, urls, timeLimitMs, pauseMs = PAUSE_MS, effect, connectTo, only = PROBES } = run;
  const { service, operationId, requirements } = kind;
  const contract = withHalfRows(run.contract, "listener");
  const recorder = createRecorder(createRedactor({}, [contract]));
  const trial = { id: `${kind.kind} listener`, service, runsAgain: false } as const;
  const judge = createJudge(contract, trial, recorder);
  let exchanges = 0;
  let draws = 0;
  const ended: string[] = [];
  for (const url of urls) {
    const options = { service, operationId, timeLimitMs, ...(connectTo && { connectTo }) };
    const sender = createSender(options, (exchange) => {
      exchanges += 1;
      recorder.see(exchange);
    });
    const context = { kind, url, sender, pauseMs, draw: () => ++draws, ...(effect && { effect }) };
    for (const name of only) {
      const requirement = requirements[name];
      if (requirement !== undefined)
        await probe(judge, `${service}.${requirement}`, () => probes[name](context));
    }
    const [last] = kind.messages(++draws);
    const { failure } = await sender.send({ url, body: JSON.stringify(last?.body) });
    if (failure !== undefined) ended.push(url);
    await sender.close();
  }
  // The exchanges are messages of the service, not calls of its operations.
  const result = { ...judge.result(), exchanges };
  return { contract, ended, results: [withReasons(result, contract, ({ subject }) => REASONS[subject])] };
};

/** Records the verdict of a probe, also if it stops early. */
const probe = async (
  judge: Judge,
  requirement: string,
  run: () => ReturnType<(typeof probes)[ProbeName]>,
): Promise<void> => {
  try {
    const { result, exchanges } = await run();
    judge.record(requirement, result, exchanges);
  } catch (error) {
    if (error instanceof NotTried) judge.notTried(requirement, error.reason);
    else if (error instanceof TargetLost) judge.blocked(requirement, error.reason);
    else throw error;
  }
};

/** The reasons for the requirements that a run does not try. */
const REASONS = { ...OBLIGES, listener: because("obliges-client", "listeners of another kind") };

/** Returns a function that runs a command of the user, and returns what it prints. */
const effectOf = (command: string) => async (): Promise<string> => {
  const { stdout } = await withUsersMask(() => promisify(exec)(command, { maxBuffer: 64_000_000 }));
  return stdout;
};

const TIME_LIMIT_MS = 30_000;

const urlIn = (listener: string): string => {
  const url = filledAddress("--listener", listener);
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new ConfigurationError(`--listener: "${shownAddress(url)}" is not an http or https URL.`);
};

/** Runs `certify --listener`. @returns the exit code @throws ConfigurationError for an unusable flag */
export const certifyListener = async (
  listener: readonly string[],
  flags: {
    readonly kind?: string;
    readonly effect?: string;
    readonly out: string;
    readonly baseline: BaselineOptions;
  },
): Promise<number> => {
  const { kind: name, effect, out, baseline } = flags;
  const shown = listener.map(shownAddress).join(",");
  const urls = listener.map(urlIn);
  if (name === undefined)
    throw new ConfigurationError("--listener needs --kind: what the listener receives.");
  const kind = await kindNamed(name);
  const startedAt = new Date();
  claimResults(out, baseline, "listener");
  const { contract, results, ended } = await tryListeners({
    kind,
    contract: await loadContract(kind.service),
    urls,
    timeLimitMs: TIME_LIMIT_MS,
    ...(effect !== undefined && { effect: effectOf(effect) }),
  });
  const baseUrls = { [kind.service]: shown.replaceAll(",", ", ") };
  const { summary } = certifyTraffic({
    half: "listener",
    target: { name: `${name} listener`, embedded: false, baseUrls },
    contracts: [contract],
    results,
    problems: ended.map((url) => `The listener at ${shownAddress(url)} no longer answers.`),
    startedAt,
    out,
    again: commandWith("certify", "--listener", shown, "--kind", name),
    accepted: baseline.accepted,
  });
  print(summary);
  return conclude(out, baseline);
};
