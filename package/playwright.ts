/** `assay/playwright`: fixtures for the Playwright tests of a team that builds on the services. */
import {
  type APIRequestContext,
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from "@playwright/test";
import type { Contract } from "../helpers/contract/contract.ts";
import { services as all } from "../helpers/contract/services.ts";
import { openReceiver } from "../helpers/flows/receiver.ts";
import {
  type TestSandbox as Sandbox,
  type SandboxCopies,
  type ServiceName,
  startCopies,
  type TestClock,
} from "../mocks/sandbox.ts";
import { loadContracts } from "../runner/command/contracts.ts";
import type { Advisories, ContractJudge, JudgedResponse } from "./judging.ts";
import { createContractJudge } from "./response-judge.ts";

export { expect } from "@playwright/test";
export type { ServiceName, TestClock } from "../mocks/sandbox.ts";
export type {
  Advisories,
  ContractJudge,
  Expectation,
  FetchResponse,
  JudgedRequirement,
  JudgedResponse,
  Judgement,
} from "./judging.ts";

/** A copy of the embedded sandbox for one test, as `startSandbox` of `assay/sandbox` starts it. */
export type TestSandbox = Sandbox<ServiceName>;

/** A message of the sandbox to a receiver. */
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

export interface TestOptions {
  /** Ids of the faults of the sandbox. */
  readonly faults: readonly string[];
  /** The base URL of each service whose responses `contract` judges; those of the sandbox by default. */
  readonly contractUrls: Readonly<Record<string, string>> | undefined;
  /** Whether `contract.expect` fails for deviations from requirements that no document states; by default it does not. */
  readonly advisories: Advisories;
}

export interface WorkerOptions {
  /** The provider's own OpenAPI documents: the path of a file for each service. */
  readonly contracts: Readonly<Partial<Record<ServiceName, string>>>;
}

export interface TestFixtures {
  readonly sandbox: TestSandbox;
  readonly contract: ContractJudge;
  readonly receiver: TestReceiver;
  readonly clock: TestClock;
}

/** The methods of requests. A response of the fixture `request` does not tell its own. */
const methods = new WeakMap<JudgedResponse, string>();

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

const methodOf = (response: JudgedResponse): string | undefined =>
  "request" in response ? response.request().method() : methods.get(response);

const assay = base.extend<
  TestOptions & TestFixtures,
  WorkerOptions & { readonly assayContracts: readonly Contract[]; readonly assayCopies: SandboxCopies }
>({
  faults: [[], { option: true }],
  contractUrls: [undefined, { option: true }],
  advisories: ["annotate", { option: true }],
  contracts: [{}, { option: true, scope: "worker" }],
  assayContracts: [
    async ({ contracts }, use) => use(await loadContracts(all(), contracts as Record<string, string>)),
    { scope: "worker" },
  ],
  assayCopies: [
    async ({ assayContracts }, use) => {
      const copies = await startCopies(assayContracts);
      await use(copies);
      await copies.close();
    },
    { scope: "worker" },
  ],
  sandbox: async ({ assayCopies, faults }, use) => {
    const sandbox = await assayCopies.open(faults);
    await use(sandbox);
    await sandbox.stop();
  },
  request: async ({ request }, use) => use(remembering(request)),
  contract: async ({ assayContracts, contractUrls, advisories, sandbox }, use, { annotations }) =>
    use(
      createContractJudge({
        contracts: assayContracts,
        baseUrls: contractUrls ?? sandbox.baseUrls,
        advisories,
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
  clock: async ({ sandbox }, use) => use(sandbox.clock),
});

/** Playwright's `test` with the fixtures `sandbox`, `contract`, `receiver` and `clock`. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerOptions
> = assay;
