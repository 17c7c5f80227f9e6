/** The fixtures for the tests of others: the sandbox, and the judge of responses, which passes nothing unjudged. */
import { join } from "node:path";
import { loadContract } from "../../../helpers/contract/load.ts";
import { services } from "../../../helpers/contract/services.ts";
import { type ServiceName, startSandbox } from "../../../mocks/sandbox.ts";
import type { Advisories, Judgement } from "../../../package/judging.ts";
import { expect, test } from "../../../package/playwright.ts";
import { createContractJudge } from "../../../package/response-judge.ts";
import { ROOT } from "../support/command.ts";
import { QUICK } from "../support/lanes.ts";
import { closeAll, web } from "../support/loopback.ts";

test.afterEach(closeAll);

const JSON_BODY = { "content-type": "application/json" };

interface Given {
  readonly service: ServiceName;
  readonly operation: string;
  readonly status: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly providerFile?: string;
  readonly advisories?: Advisories;
}

/** Judges a response of `fetch`. */
const judged = async (given: Given): Promise<{ judgement: Judgement; told: string[] }> => {
  const { service, operation, status, body = "", headers = JSON_BODY, providerFile, advisories } = given;
  const contract = await loadContract(service, providerFile === undefined ? {} : { providerFile });
  const origin = await web((_, response) => void response.writeHead(status, headers).end(body));
  const { path, method } = contract.operations.find((one) => one.operationId === operation) ?? {};
  const told: string[] = [];
  const judge = createContractJudge({
    contracts: [contract],
    baseUrls: { [service]: origin },
    advisories: "annotate",
    methodOf: () => method,
    onAdvisory: (message) => told.push(message),
  });
  const response = await fetch(`${origin}${path}`, { method: method ?? "GET" });
  return { judgement: await judge.expect(response, { ...(advisories && { advisories }) }), told };
};

const OFFERS = { service: "installments", operation: "postOffers" } as const;
const CUSTOMERS = { service: "financial-data", operation: "GetCustomers" } as const;

/** Responses that may not pass, each with what the error says. */
const REFUSED: readonly (readonly [what: string, given: Given, says: RegExp])[] = [
  ["418 with JSON", { ...OFFERS, status: 418, body: "{}" }, /No requirement judges.*\n[\s\S]*does not list/],
  [
    "500 with a text",
    { ...OFFERS, status: 500, body: "oops" },
    /No requirement judges.*\n[\s\S]*answered with 500/,
  ],
  ["an empty body", { ...OFFERS, status: 200 }, /No requirement judges.*\n[\s\S]*a 200 response has no body/],
  [
    "a body without what is assumed",
    { ...OFFERS, status: 200, body: "{}" },
    /No requirement judges.*\n[\s\S]*offers/,
  ],
  ["429", { ...CUSTOMERS, status: 429 }, /No requirement judges/],
  [
    "an undocumented status",
    { ...CUSTOMERS, status: 418, body: "{}" },
    /✗ .*GetCustomers\.documented-statuses/,
  ],
  [
    "an empty body of a record",
    { service: "card-enrollment", operation: "putCard", status: 200 },
    /✗ .*\.schema/,
  ],
];

for (const [what, given, says] of REFUSED) {
  test(`contract.expect does not pass ${what}`, QUICK, async () => {
    await expect(judged(given)).rejects.toThrow(says);
  });
}

test("contract.expect returns what it judged, and fails for advisories if it is told to", QUICK, async () => {
  const right = await judged({ ...OFFERS, status: 200, body: '{"offers":[]}' });
  expect(right).toEqual({
    judgement: {
      operation: "postOffers",
      requirements: [{ id: "installments.postOffers.response.shape", level: "assumed", verdict: "passed" }],
    },
    told: [],
  });
  const deviating = { ...CUSTOMERS, status: 200, body: "{}" };
  const { judgement, told } = await judged(deviating);
  expect(judgement.requirements.filter(({ verdict }) => verdict === "advisory")).toHaveLength(told.length);
  expect(told.length).toBeGreaterThan(0);
  await expect(judged({ ...deviating, advisories: "fail" })).rejects.toThrow("does not keep the contract");
});

test("contract.expect judges by the provider's own document", QUICK, async () => {
  const providerFile = join(ROOT, "schemas", "installments", "openapi.yaml");
  const { judgement } = await judged({ ...OFFERS, status: 200, body: '{"offers":[]}', providerFile });
  expect(judgement.requirements.map(({ level }) => level)).toContain("provider");
  for (const body of ["", "{}"])
    await expect(judged({ ...OFFERS, status: 200, body, providerFile })).rejects.toThrow("does not keep");
  await expect(judged({ ...OFFERS, status: 418, body: "{}", providerFile })).rejects.toThrow("does not keep");
});

test("a response whose body was read before is refused with advice", QUICK, async ({ contract, sandbox }) => {
  const response = await fetch(`${sandbox.baseUrls.installments}/offers`, { method: "POST" });
  await response.text();
  await expect(contract.expect(response, { operation: "postOffers" })).rejects.toThrow("or a clone");
});

const NAMES = { "card-enrollment": true, installments: true, "financial-data": true } satisfies Record<
  ServiceName,
  true
>;

test(
  "the sandbox of a test is the object of startSandbox, with typed base URLs",
  QUICK,
  async ({ sandbox, clock }) => {
    expect(Object.keys(NAMES)).toEqual(services());
    const started = await startSandbox({ services: ["installments"] });
    expect(Object.keys(sandbox)).toEqual(Object.keys(started));
    const address: string = started.baseUrls.installments;
    expect(address).toMatch(/^http:/);
    await started.stop();
    const before = sandbox.clock.now();
    await clock.advance(60);
    expect(sandbox.clock.now().getTime() - before.getTime()).toBeGreaterThanOrEqual(60_000);
    expect(sandbox.environment).toEqual(sandbox.credentials);
    expect(Object.keys(await sandbox.arrange("internal-failure"))).toEqual(["src-client"]);
    await fetch(`${sandbox.baseUrls.installments}/offers`, { method: "POST" });
    sandbox.verify([{ operation: "postOffers", times: 1 }]);
  },
);
