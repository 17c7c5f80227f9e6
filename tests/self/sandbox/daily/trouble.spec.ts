/** Trouble on demand: each kind as a client meets it, by option, admin call and header, for the asked calls only. */
import { expect, test } from "@playwright/test";
import { startSandbox, type TestSandbox } from "../../../../mocks/sandbox.ts";
import { financialClient } from "./clients.ts";

let sandbox: TestSandbox;

test.beforeAll(async () => {
  sandbox = await startSandbox({ services: ["installments"] });
});
test.beforeEach(() => sandbox.reset());
test.afterAll(() => sandbox.stop());

const searched = (headers: Record<string, string> = {}) =>
  fetch(`${sandbox.baseUrls.installments}/merchants/searches`, {
    method: "POST",
    headers: {
      authorization: sandbox.credentials.INSTALLMENTS_AUTHORIZATION ?? "",
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify({ countryCode: "USA" }),
  });

const byHeader = (trouble: unknown) => searched({ "x-sandbox-trouble": JSON.stringify(trouble) });

const causeOf = async (asked: Promise<Response>): Promise<string> => {
  try {
    await (await asked).text();
    return "answered";
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
    return cause?.code ?? cause?.message ?? message;
  }
};

test("an answer is replaced, with its body and Retry-After, or with an error of the service", async () => {
  const full = await byHeader({
    answer: { status: 503, body: { sorry: true }, retryAfter: 7, headers: { "X-Why": "me" } },
  });
  expect([full.status, await full.json()]).toEqual([503, { sorry: true }]);
  expect([full.headers.get("retry-after"), full.headers.get("x-why")]).toEqual(["7", "me"]);
  const plain = await byHeader({ answer: { status: 500 } });
  expect([plain.status, await plain.json()]).toMatchObject([
    500,
    { Errors: { Error: [{ Recoverable: true }] } },
  ]);
  expect((await searched()).status).toBe(200);
});

const TEXTS: readonly [body: string, headers: Record<string, string>, type: RegExp][] = [
  ["<html><body>Sorry</body></html>", {}, /^text\/html/],
  ["<?xml version='1.0'?><sorry/>", {}, /^application\/xml/],
  ["<sorry/>", { "Content-Type": "text/xml" }, /^text\/xml/],
  ["sorry", {}, /^text\/plain/],
];

test("HTML and XML keep their media type, and 429 tells when to call again", async () => {
  for (const [body, headers, type] of TEXTS) {
    const answer = await byHeader({ answer: { status: 502, body, headers } });
    expect([await answer.text(), answer.headers.get("content-type")]).toEqual([
      body,
      expect.stringMatching(type),
    ]);
  }
  const limited = await byHeader({ answer: { status: 429 } });
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "1"]);
});

test("a challenge carries a question, and a success has the body of its operation", async () => {
  await using other = await startSandbox({ services: ["financial-data"] });
  const client = await financialClient(other);
  const path = "/aggregation/v1/customers";
  const { status, json } = await client("GET", path, undefined, {
    "x-sandbox-trouble": JSON.stringify({ answer: { status: 203 } }),
  });
  expect([status, json]).toEqual([203, { questions: [{ text: "What is your code?", image: null }] }]);
  const { json: made } = await client("GET", path, undefined, {
    "x-sandbox-trouble": JSON.stringify({ answer: { status: 200 } }),
  });
  expect(made).toMatchObject({ found: expect.any(Number) });
});

test("an answer is late, lost or half-written", async () => {
  const started = performance.now();
  expect((await byHeader({ latency: { least: 120, most: 130 } })).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThan(119);
  expect(await causeOf(byHeader({ connection: "dropped" }))).toMatch(/UND_ERR_SOCKET|other side closed/);
  expect(await causeOf(byHeader({ connection: "reset" }))).toBe("ECONNRESET");
  expect(await causeOf(byHeader({ connection: "half-written" }))).not.toBe("answered");
  const half = await byHeader({ connection: "half-written" });
  expect(half.status).toBe(200);
});

test("a lost answer may belong to a processed request", async () => {
  const register = (trouble: unknown) =>
    fetch(`${sandbox.baseUrls.installments}/consumers/pans/registrations`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-sandbox-trouble": JSON.stringify(trouble) },
      body: JSON.stringify({ pans: ["5555341244441115"] }),
    });
  const lists = () => Object.keys(sandbox.data().installments?.panLists ?? {}).length;
  await causeOf(register({ connection: "dropped" }));
  expect(lists()).toBe(0);
  await causeOf(register({ connection: "dropped", processed: true }));
  expect(lists()).toBe(1);
});

test("trouble meets only the nth call, or a seeded share of the calls of its operation", async () => {
  sandbox.trouble({ operation: "postMerchantSearches", nth: [2, 3], answer: { status: 429, retryAfter: 1 } });
  const statuses = [];
  for (let call = 0; call < 4; call += 1) statuses.push((await searched()).status);
  expect(statuses).toEqual([200, 429, 429, 200]);
  const shareOf = async () => {
    sandbox.endTroubles();
    sandbox.trouble({ service: "installments", share: 0.5, seed: 3, answer: { status: 500 } });
    const all = [];
    for (let call = 0; call < 20; call += 1) all.push((await searched()).status);
    return all;
  };
  const first = await shareOf();
  expect(new Set(first)).toEqual(new Set([200, 500]));
  expect(await shareOf()).toEqual(first);
  sandbox.endTroubles();
  sandbox.trouble({ operation: "postOffers", answer: { status: 500 } });
  expect((await searched()).status).toBe(200);
});

test("what is no trouble is refused", async () => {
  expect(() => sandbox.trouble({ operation: "noSuch" })).toThrow('there is no operation "noSuch"');
  expect(() => sandbox.trouble({ latency: -1 })).toThrow("must be >= 0");
  const answer = await byHeader({ status: 500 });
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { message: 'The header "x-sandbox-trouble" asks for no trouble: "status" is unknown here.' },
  ]);
  expect((await searched({ "x-sandbox-trouble": "late" })).status).toBe(400);
});
