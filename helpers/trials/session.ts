/** A session runs trials against one target: it owns the client, what was arranged, and what may be written. */
import fc from "fast-check";
import type { Contract, Operation } from "../contract/contract.ts";
import { createValidator, type Validator } from "../contract/schema-validator.ts";
import { createClient } from "../exchange/client.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { createRecorder } from "../exchange/recorder.ts";
import { createRedactor } from "../exchange/redact.ts";
import { openReceiver, type Receiver } from "../flows/receiver.ts";
import type { Capabilities } from "../target/capabilities.ts";
import { receiverPlace, requestTimeout } from "../target/load-target.ts";
import type { Target } from "../target/target.ts";
import { type Access, createAccess } from "./access.ts";
import { type Arranger, createArranger, type Sources } from "./arrange.ts";
import { createClock } from "./clock.ts";
import { waitOutInterruptions } from "./interruption.ts";
import { createJudge, type Judge } from "./judge.ts";
import type { LedgerPage } from "./ledger.ts";
import { createProperty } from "./property.ts";
import { requestOf } from "./request.ts";
import { type Call, type Depth, NotTried, TargetLost, type Trial, type TrialContext } from "./trial.ts";
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
  /** What ids of exchanges start with; unique among the sessions of a run. */
  readonly prefix: string;
  /** Sees every exchange as it was sent, before redaction; nothing of it may be written. */
  readonly onExchange?: (exchange: Exchange) => void;
}

export interface Session {
  /** Never throws: what goes wrong is told by `blocked` verdicts on the page. */
  run(trial: Trial): Promise<LedgerPage>;
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
    ...(options.onExchange && { onExchange: options.onExchange }),
  });
  const clock = createClock(options.capabilities);
  const memory = new Map<string, unknown>();
  const { bindings = {} } = options;

  const sendOf =
    (equipped: Equipped) =>
    async (operation: Operation, call: Call): Promise<Exchange> => {
      const request = requestOf(equipped.contract, operation, target, call);
      const access = equipped.access();
      if (
        access === undefined ||
        !operation.security.includes(access.scheme) ||
        access.header in request.headers
      ) {
        return client.send(request);
      }
      const token = await access.keeper.token();
      return client.send({ ...request, headers: { [access.header]: token, ...request.headers } });
    };

  const equip = (contract: Contract): Equipped => {
    const validator = createValidator(contract);
    let access: Access | undefined;
    const equipped: Equipped = {
      contract,
      validator,
      operations: new Map(contract.operations.map((operation) => [operation.operationId, operation])),
      arrange: createArranger({
        contract,
        target,
        sources: options.sources,
        capabilities: options.capabilities,
        bindings,
        call: async (operation, arrange) => {
          const { calls } = await validCalls({ contract, validator, arrange }, operation);
          arranged += 1;
          const [call] = fc.sample(calls, { numRuns: 1, seed: options.seed + arranged, unbiased: true });
          return sendOf(equipped)(operation, call as Call);
        },
        prepare: async (resource, value) => {
          if (resource === "customer") await options.capabilities.linkAccounts?.(value);
        },
      }),
      access: () => access,
    };
    access = createAccess({
      ...equipped,
      clock,
      bindings,
      send: (operation, call) => client.send(requestOf(contract, operation, target, call)),
      learn: (token) => recorder.learn(token, "ACCESS_TOKEN"),
    });
    return equipped;
  };
  let arranged = 0;
  const byService = new Map(contracts.map((contract) => [contract.service, equip(contract)]));

  const contextFor = (
    trial: Trial,
    equipped: Equipped,
    judge: Judge,
    receiver: () => Promise<Receiver>,
  ): TrialContext => {
    const { contract, validator, operations, arrange } = equipped;
    const seed = seedOf(options.seed, trial.id);
    const send = sendOf(equipped);
    const context: TrialContext = {
      contract,
      validator,
      target,
      capabilities: options.capabilities,
      depth,
      seed,
      runSeed: options.seed,
      judge,
      arrange,
      clock,
      property: createProperty({ seed, ...EFFORT[depth] }),
      memory,
      bindings,
      receiver,
      async send(call: Call) {
        const operation = operations.get(call.operationId);
        if (operation === undefined) throw new Error(`${trial.id}: no operation ${call.operationId}`);
        const mode = call.interruptions ?? "wait-out";
        const exchange = await waitOutInterruptions(
          () => send(operation, call),
          mode,
          (one) => {
            judge.count(one);
            if (call.judged !== false) trial.observe(one, context);
          },
        );
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
      let opened: Promise<Receiver> | undefined;
      const receiver = () => {
        opened ??= openReceiver(receiverPlace(target));
        return opened;
      };
      const problem = await attempt(() => trial.run(contextFor(trial, equipped, judge, receiver)));
      await opened?.then((open) => open.close()).catch(() => {});
      for (const requirement of trial.requirements) {
        // A trial that broke off has not shown what it was to show, whatever it saw before.
        if (problem?.verdict === "blocked") judge.blocked(requirement, problem.reason);
        else if (judge.hasVerdict(requirement)) continue;
        else if (problem?.verdict === "not-tried") judge.notTried(requirement, problem.reason);
        else judge.blocked(requirement, "no exchange showed anything about it");
      }
      return judge.page();
    },
    close: () => client.close(),
  };
};

interface Equipped {
  readonly contract: Contract;
  readonly validator: Validator;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly arrange: Arranger;
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

/** FNV-1a: the same trial draws the same values in every run with the same seed, whatever runs beside it. */
const seedOf = (seed: number, trialId: string): number => {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of trialId) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
};
