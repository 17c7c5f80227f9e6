/** A session runs trials against one target: it owns the client, what was arranged, and what may be written. */
import fc from "fast-check";
import type { Contract, Operation } from "../contract/contract.ts";
import { createValidator, type Validator } from "../contract/schema-validator.ts";
import type { Allowance } from "../exchange/allowance.ts";
import { createClient } from "../exchange/client.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { createRecorder } from "../exchange/recorder.ts";
import { createRedactor } from "../exchange/redact.ts";
import type { SharedReceiver } from "../flows/shared-receiver.ts";
import type { Capabilities } from "../target/capabilities.ts";
import { requestTimeout } from "../target/load-target.ts";
import type { Target } from "../target/target.ts";
import { type Access, createAccess } from "./access.ts";
import { type ArrangerOptions, createArranger, type SharedArranger, type Sources } from "./arrange.ts";
import type { Call } from "./call.ts";
import { cleanUp, type Left } from "./clean-up.ts";
import { createClock } from "./clock.ts";
import { waitOutInterruptions } from "./interruption.ts";
import { createJudge, type Judge } from "./judge.ts";
import type { LedgerPage } from "./ledger.ts";
import type { Change, Made } from "./made.ts";
import { createProperty } from "./property.ts";
import { createReceivers, type Receivers } from "./receivers.ts";
import { seedOf } from "./seed.ts";
import { createSending } from "./sending.ts";
import { NotTried, TargetLost } from "./stopped.ts";
import type { Depth, Trial, TrialContext } from "./trial.ts";
import { validCalls } from "./valid-call.ts";

export interface SessionOptions {
  readonly target: Target;
  readonly contracts: readonly Contract[];
  readonly capabilities: Capabilities;
  readonly sources: Sources;
  /** JSON pointers by operationId, in place of those that the contract assumes (`BINDINGS`). */
  readonly bindings?: Readonly<Record<string, string>>;
  readonly depth: Depth;
  readonly seed: number;
  /** How long the sequences of all models may go on at exhaustive depth; ten minutes if absent. */
  readonly sequenceSeconds?: number;
  /** See `TrialContext`: unique among the sessions of all runs on the target. */
  readonly tag?: string;
  /** What ids of exchanges start with; unique among the sessions of a run. */
  readonly prefix: string;
  /** Sees every exchange as it was sent, before redaction; nothing of it may be written. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** What is left of the permissions, where the run has other sessions; else all of them. */
  readonly allowance?: Allowance;
  /** What takes the deliveries of the whole run, where the user gave a port and the run has other sessions. */
  readonly receiver?: () => Promise<SharedReceiver>;
  /** Runs a trial on a sandbox of ours, whatever comes of it. */
  readonly onSandbox?: (trial: Trial) => Promise<void>;
  /** Is told what the session makes on the target and can remove again, and what it removes. */
  readonly onChange?: (change: Change) => void;
}

export interface Session {
  /** Never throws: what goes wrong is told by `blocked` verdicts on the page. */
  run(trial: Trial): Promise<LedgerPage>;
  /** Removes what the run made, for which no permission is needed. @returns what is still there */
  cleanUp(made: readonly Made[]): Promise<Left[]>;
  /** Sends nothing more, but hears what is being made to its end, so that it is known. */
  close(): Promise<void>;
}

/** How much is tried at each depth, and how many calls shrinking a failure may cost. */
const EFFORT: Readonly<Record<Depth, { runs: number; callBudget: number }>> = {
  quick: { runs: 1, callBudget: 10 },
  standard: { runs: 2, callBudget: 30 },
  exhaustive: { runs: 25, callBudget: 100 },
};

export const openSession = (options: SessionOptions): Session => {
  const { target, contracts, depth } = options;
  const recorder = createRecorder(createRedactor(target.values));
  const timeout = requestTimeout(target) * 1000;
  const client = createClient({
    prefix: options.prefix,
    permissions: target.permissions,
    timeLimitMs: timeout,
    ...(options.allowance && { allowance: options.allowance }),
    ...(options.onExchange && { onExchange: options.onExchange }),
  });
  const clock = createClock(options.capabilities);
  const allReceivers = createReceivers(options);
  const identity = {};
  const { bindings = {} } = options;

  const sending = createSending({
    client,
    target,
    bindings,
    isDisposable: options.capabilities.has("disposable-partner"),
    onChange: options.onChange,
  });

  const equip = (contract: Contract): Equipped => {
    const validator = validatorOf(contract);
    let access: Access | undefined;
    const arranging: ArrangerOptions = {
      contract,
      target,
      sources: options.sources,
      capabilities: options.capabilities,
      bindings,
      call: async (operation, arrange, draw) => {
        const { tag } = options;
        const { calls } = await validCalls({ contract, validator, arrange, tag }, operation);
        const [call] = fc.sample(calls, { numRuns: 1, seed: seedOf(options.seed, draw), unbiased: true });
        return sending.send(equipped, operation, call as Call);
      },
      prepare: async (resource, value) => {
        if (resource === "customer") await options.capabilities.linkAccounts?.(value);
      },
    };
    const equipped: Equipped = {
      contract,
      validator,
      operations: new Map(contract.operations.map((operation) => [operation.operationId, operation])),
      arrange: createArranger(arranging),
      access: () => access,
    };
    access = createAccess({
      ...equipped,
      // What the shared one gets waits for the token.
      arrange: createArranger(arranging),
      clock,
      bindings,
      send: (operation, call) => sending.logIn(contract, operation, call),
      learn: (token) => recorder.learn(token, "ACCESS_TOKEN"),
    });
    return equipped;
  };
  const byService = new Map(contracts.map((contract) => [contract.service, equip(contract)]));

  const contextFor = (trial: Trial, equipped: Equipped, judge: Judge, receivers: Receivers): TrialContext => {
    const { contract, validator, operations } = equipped;
    const seed = seedOf(options.seed, trial.id);
    const context: TrialContext = {
      contract,
      validator,
      target,
      capabilities: options.capabilities,
      depth,
      seed,
      runSeed: options.seed,
      tag: options.tag,
      sequenceSeconds: options.sequenceSeconds ?? 600,
      judge,
      arrange: equipped.arrange.inTrial(trial.id),
      clock,
      property: createProperty({ seed, ...EFFORT[depth] }),
      session: identity,
      bindings,
      ...receivers,
      learn: recorder.learn,
      onSandbox: async (run) => options.onSandbox?.({ ...trial, run, observe: () => undefined }),
      async send(call: Call) {
        const operation = operations.get(call.operationId);
        if (operation === undefined) throw new Error(`${trial.id}: no operation ${call.operationId}`);
        const mode = call.interruptions ?? "wait-out";
        const exchange = await waitOutInterruptions(
          () => sending.send(equipped, operation, call),
          mode,
          (one) => {
            if (call.shared) return;
            judge.count(one);
            if (call.judged !== false) trial.observe(one, context);
          },
        );
        const { failure } = exchange;
        if (failure?.kind === "not-allowed") throw new NotTried(`needs permission: ${failure.message}`);
        return exchange;
      },
    };
    return context;
  };

  return {
    async run(trial) {
      const equipped = byService.get(trial.service);
      if (equipped === undefined)
        throw new Error(`${trial.id}: the contract of ${trial.service} is not loaded`);
      const judge = createJudge(equipped.contract, trial, recorder);
      const receivers = allReceivers.inTrial(trial);
      const problem = await attempt(() => trial.run(contextFor(trial, equipped, judge, receivers)));
      await receivers.close();
      for (const requirement of trial.requirements) {
        // A trial that broke off has not shown what it was to show, whatever it saw before.
        if (problem?.verdict === "blocked") judge.blocked(requirement, problem.reason);
        else if (judge.hasVerdict(requirement)) continue;
        else if (problem?.verdict === "not-tried") judge.notTried(requirement, problem.reason);
        else judge.blocked(requirement, "no exchange showed anything about it");
      }
      return judge.page();
    },
    cleanUp: (made) =>
      cleanUp(made, {
        equipped: (service) => byService.get(service) as Equipped,
        // Nobody else's is destroyed by it.
        send: (operation, call) =>
          sending.send(byService.get(operation.service) as Equipped, { ...operation, hazards: [] }, call),
      }),
    async close() {
      await sending.end();
      await client.close();
      await allReceivers.close();
    },
  };
};

const validators = new WeakMap<Contract, Validator>();

/** What it has compiled serves every session of the process. */
const validatorOf = (contract: Contract): Validator => {
  const known = validators.get(contract) ?? createValidator(contract);
  validators.set(contract, known);
  return known;
};

interface Equipped {
  readonly contract: Contract;
  readonly validator: Validator;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly arrange: SharedArranger;
  /** How tokens are got, where the contract has any. */
  access(): Access | undefined;
}

interface Problem {
  readonly verdict: "not-tried" | "blocked";
  readonly reason: string;
}

/** What went wrong, blamed on the set-up, the target or the suite; `undefined` when the trial came to its end. */
const attempt = async (run: () => Promise<void>): Promise<Problem | undefined> => {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof NotTried) return { verdict: "not-tried", reason: error.message };
    if (error instanceof TargetLost) return { verdict: "blocked", reason: error.message };
    const trace = (error as Error).stack ?? String(error);
    return { verdict: "blocked", reason: `the suite itself failed, please report it: ${trace}` };
  }
};
