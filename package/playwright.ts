/** `assay/playwright`: fixtures for the Playwright tests of a team that builds on the services. */
import {
  type APIRequestContext,
  type APIResponse,
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type Response,
  type TestType,
} from "@playwright/test";
import { equip } from "../fixtures/engine/sandbox-capabilities.ts";
import type { Contract } from "../helpers/contract/contract.ts";
import { services as all } from "../helpers/contract/services.ts";
import { openReceiver } from "../helpers/flows/receiver.ts";
import { loadContracts } from "../runner/command/contracts.ts";
import { embedded } from "../runner/embedded.ts";
import type { ContractJudge } from "./judging.ts";
import { createContractJudge } from "./response-judge.ts";

export { expect } from "@playwright/test";
export type { ContractJudge, Expectation } from "./judging.ts";

/** A copy of the embedded sandbox for one test. */
export interface TestSandbox {
  /** The base URL of each service. */
  readonly baseUrls: Readonly<Record<string, string>>;
  /** Base URLs and credentials, under the names of the environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Causes a situation that no client can cause.
   * @returns the identifiers with which the situation applies
   */
  arrange(
    situation: string,
    parameters?: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, string>>>;
}

/** What the sandbox sent to a receiver. */
export interface ReceivedDelivery {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: unknown;
}

/** A server that takes webhooks, events, callbacks and notifications. */
export interface TestReceiver {
  /** Returns a new URL, to which nothing else is delivered. */
  address(): string;
  readonly deliveries: readonly ReceivedDelivery[];
  /**
   * Waits for `count` deliveries that contain the identifier in their path, query or body.
   * @returns the deliveries, possibly fewer after the limit
   */
  wait(identifier: string, limitMs: number, count?: number): Promise<readonly ReceivedDelivery[]>;
}

/** The clock of the sandbox. */
export interface TestClock {
  /** Moves the clock. The sandbox then does at once what it had planned for this time. */
  advance(seconds: number): Promise<void>;
}

export interface TestOptions {
  /** Ids of the faults of the sandbox. */
  readonly faults: readonly string[];
  /** The base URL of each service whose responses `contract` judges; those of the sandbox by default. */
  readonly contractUrls: Readonly<Record<string, string>> | undefined;
}

export interface TestFixtures {
  readonly sandbox: TestSandbox;
  readonly contract: ContractJudge;
  readonly receiver: TestReceiver;
  readonly clock: TestClock;
}

interface Worker {
  readonly assayContracts: readonly Contract[];
  readonly assaySandbox: Awaited<ReturnType<typeof embedded>>;
}

interface Internal {
  readonly assayEquipment: Awaited<ReturnType<typeof equip>>;
}

type Sent = APIResponse | Response;

/** The methods of requests. A response of the fixture `request` does not tell its own. */
const methods = new WeakMap<Sent, string>();

const METHODS = ["get", "head", "post", "put", "patch", "delete"] as const;

/** Makes a request context remember the method of each response. */
const remembering = (context: APIRequestContext): APIRequestContext => {
  for (const name of METHODS) {
    const send = context[name].bind(context);
    context[name] = async (...args) => {
      const response = await send(...args);
      methods.set(response, name.toUpperCase());
      return response;
    };
  }
  return context;
};

const methodOf = (response: Sent): string | undefined =>
  "request" in response ? response.request().method() : methods.get(response);

const assay = base.extend<TestOptions & TestFixtures & Internal, Worker>({
  faults: [[], { option: true }],
  contractUrls: [undefined, { option: true }],
  assayContracts: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => use(await loadContracts(all(), {})),
    { scope: "worker" },
  ],
  assaySandbox: [
    async ({ assayContracts }, use) => {
      const sandbox = await embedded(assayContracts);
      await use(sandbox);
      await sandbox.close();
    },
    { scope: "worker" },
  ],
  assayEquipment: async ({ assaySandbox, faults }, use) => {
    const equipment = await equip(assaySandbox.target, { faults });
    await use(equipment);
    await equipment.release();
  },
  sandbox: async ({ assayEquipment: { target, capabilities } }, use) =>
    use({ baseUrls: target.baseUrls, environment: target.values, arrange: capabilities.arrange }),
  request: async ({ request }, use) => use(remembering(request)),
  contract: async ({ assayContracts, contractUrls, sandbox }, use, { annotations }) =>
    use(
      createContractJudge({
        contracts: assayContracts,
        baseUrls: contractUrls ?? sandbox.baseUrls,
        methodOf,
        onAdvisory: (description) => annotations.push({ type: "advisory", description }),
      }),
    ),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  receiver: async ({}, use) => {
    const receiver = await openReceiver();
    await use(receiver);
    await receiver.close();
  },
  clock: async ({ assayEquipment: { capabilities } }, use) =>
    use({ advance: async (seconds) => capabilities.advanceClock?.(seconds) }),
});

/** Playwright's `test` with the fixtures `sandbox`, `contract`, `receiver` and `clock`. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = assay;
