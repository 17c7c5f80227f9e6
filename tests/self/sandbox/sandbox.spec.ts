/** The sandbox as a client sees it: bad requests, tenants and its set-up. Runs on the sandbox show its answers. */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { atPointer as readAt } from "../../../helpers/contract/pointer.ts";
import { type Sandbox, startSandbox } from "../../../mocks/engine/server.ts";
import { admin, byReceipt, type Environment, enroll } from "../support/sandbox-client.ts";

const contracts = [await loadContract("card-enrollment")];
let sandbox: Sandbox;

test.beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, contracts });
});

test.afterAll(() => sandbox.close());

/** The suite and the hostile requests send other wrong bodies, media types and methods. */
const BAD_REQUESTS: readonly [name: string, status: number, request: Parameters<typeof enroll>[1]][] = [
  ["a malformed content type", 400, { raw: "{}", contentType: "?" }],
  ["an oversize body", 400, { raw: `{"a": "${"a".repeat(5_000_000)}"}` }],
  ["an unknown path", 404, { raw: "{}", path: "/cards/1" }],
  ["a malformed path", 400, { raw: "{}", path: "/cards/%zz" }],
];

for (const [name, status, request] of BAD_REQUESTS) {
  test(`${name} is a client error with a JSON body`, async () => {
    const answer = await enroll(sandbox.environment, request);
    expect(answer.status).toBe(status);
    expect(answer.contentType).toContain("application/json");
    expect(readAt(answer.json, "/message")).toEqual(expect.any(String));
  });
}

test("a sandbox with permitted differences does not say that it was written from the documents", async () => {
  const different = await startSandbox({ seed: 7, differences: ["all"], contracts });
  try {
    const offered = await admin(different.port, "GET", "/__sandbox");
    expect(readAt(offered.json, "/capabilities")).toEqual(["situations", "clock", "deliveries"]);
  } finally {
    await different.close();
  }
});

const openTenant = async (
  options: Record<string, unknown>,
): Promise<{ tenant: string; environment: Environment }> => {
  const { status, json } = await admin(sandbox.port, "POST", "/__sandbox/tenants", options);
  expect(status).toBe(201);
  return json as { tenant: string; environment: Environment };
};

test("tenants are separate, equal for equal seeds, and absent after deletion", async () => {
  const [one, same, other] = [
    await openTenant({ seed: 3 }),
    await openTenant({ seed: 3 }),
    await openTenant({ seed: 4 }),
  ];
  const answers = [];
  for (const { environment } of [one, same]) {
    const { json } = await enroll(environment, { body: byReceipt(environment) });
    answers.push(JSON.stringify(json).replaceAll(/\d{4}-\d\d-\d\dT[^"]+/g, "time"));
  }
  expect(answers[0]).toBe(answers[1]);
  const foreign = {
    ...other.environment,
    CARD_ENROLLMENT_API_KEY: one.environment.CARD_ENROLLMENT_API_KEY ?? "",
  };
  expect((await enroll(foreign, { body: byReceipt(other.environment) })).status).toBe(401);
  expect((await admin(sandbox.port, "DELETE", `/__sandbox/tenants/${one.tenant}`)).status).toBe(204);
  expect((await enroll(one.environment, { body: byReceipt(one.environment) })).status).toBe(404);
  expect((await admin(sandbox.port, "DELETE", `/__sandbox/tenants/${one.tenant}`)).status).toBe(404);
});

test("what HTTP leaves to clients is accepted, and refusals say what a client can do", async () => {
  const other = await startSandbox({ seed: 7, contracts: [await loadContract("installments")] });
  const url = `${other.baseUrls.installments}/merchants/searches`;
  const { INSTALLMENTS_AUTHORIZATION: right = "" } = other.environment;
  const headers = { authorization: right, "content-type": "Application/JSON; Charset=UTF-8" };
  const ask = async (change: Readonly<Record<string, string>>, method = "POST", path = url) => {
    const content = method === "POST" ? { body: '{"countryCode":"USA"}' } : {};
    const response = await fetch(path, { method, headers: { ...headers, ...change }, ...content });
    return [response.status, response.headers.get("allow"), await response.text()] as const;
  };
  try {
    const plan = `${other.baseUrls.installments}/plans/none`;
    const answers = [
      await ask({}),
      await ask({ authorization: right.replace(/^Bearer +/, "bEARER  ") }),
      await ask({ "content-encoding": "identity" }),
      await ask({ "content-encoding": "gzip" }),
      await ask({}, "HEAD", plan),
      await ask({}, "DELETE"),
    ];
    expect(answers).toEqual([
      [200, null, expect.stringContaining("USA")],
      [200, null, expect.stringContaining("USA")],
      [200, null, expect.stringContaining("USA")],
      [400, null, expect.stringContaining("content coding")],
      [404, null, ""],
      [405, "POST", expect.stringContaining("POST")],
    ]);
  } finally {
    await other.close();
  }
});
