/**
 * The examination of a target: each wrong setting gives one clear cause and the right exit code, with at most twelve
 * requests and at most one failed log-in for each account.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { externalTarget } from "../../../helpers/target/load-target.ts";
import { type Sandbox, startSandbox } from "../../../mocks/engine/server.ts";
import { examine, exitCodeFor } from "../../../runner/doctor/doctor.ts";
import { linesOf } from "../../../runner/doctor/render.ts";
import { hostileServer } from "../hostile/hostile-server.ts";
import { run, runIn, temporary } from "../support/command.ts";
import { QUICK } from "../support/lanes.ts";
import { api, closeAll } from "../support/loopback.ts";
import * as bad from "./bad-servers.ts";

const SERVICES = ["card-enrollment", "installments", "financial-data"];
const contracts = await Promise.all(SERVICES.map((service) => loadContract(service)));
const WRONG_CONFIGURATION = 2;
const UNREACHABLE = 3;
const FAST = { MAX_REQUESTS_PER_SECOND: "100000", REQUEST_TIMEOUT_SECONDS: "5" };

let sandbox: Sandbox;

test.beforeAll(async () => {
  sandbox = await startSandbox({ services: SERVICES, contracts, plain: true });
});
test.afterAll(() => sandbox.close());
test.afterEach(closeAll);

const diagnose = async (settings: Record<string, string>, from = sandbox.environment) => {
  const given = Object.entries({ ...from, ...FAST, ...settings }).filter(([, value]) => value !== "");
  const target = externalTarget("mine", Object.fromEntries(given));
  const diagnosis = await examine(target, contracts);
  return { ...diagnosis, code: exitCodeFor(diagnosis), lines: linesOf(diagnosis.causes) };
};

test(
  "a right target is examined in a few requests that create nothing, and nothing is wrong",
  QUICK,
  async () => {
    const passing = await counting(sandbox.port);
    const { code, lines, requests, checked } = await diagnose(behind(passing.origin));
    expect([code, lines]).toEqual([0, []]);
    const enrolled = passing.requests.filter(({ path, status }) => path.endsWith("/cards") && status < 300);
    expect(enrolled).toEqual([]);
    expect(requests).toBeLessThanOrEqual(12);
    expect(checked.filter(({ state }) => state !== "ok")).toEqual([]);
  },
);

test(
  "a misspelled setting or a cut value in the file ends a command, and other unknown names are told",
  QUICK,
  async () => {
    const folder = await temporary();
    const file = join(folder, ".env.mine");
    const address = `INSTALLMENTS_BASE_URL=${await bad.deadPort()}\n`;
    const doctor = () => runIn(folder, "doctor", ["--target", "mine"]);
    writeFileSync(file, `${address}MAX_REQUEST_PER_SECOND=1\n`);
    expect(await doctor()).toMatchObject({
      ...{ code: WRONG_CONFIGURATION, stdout: "" },
      stderr: `.env.mine: there is no setting "MAX_REQUEST_PER_SECOND". Did you mean MAX_REQUESTS_PER_SECOND?\n`,
    });
    writeFileSync(file, `${address}INSTALLMENTS_AUTHORIZATION=se#cret\n`);
    expect(await doctor()).toMatchObject({
      ...{ code: WRONG_CONFIGURATION, stdout: "" },
      stderr: `.env.mine:2: "#" begins a comment, so it would cut the value of INSTALLMENTS_AUTHORIZATION: write the value in quotes.\n`,
    });
    writeFileSync(file, `${address}DATABASE_URL='x#y' # a comment\n`);
    expect(await doctor()).toMatchObject({
      code: UNREACHABLE,
      stderr: `.env.mine: there is no setting "DATABASE_URL", so it is ignored. .env.example lists all settings.\n`,
    });
  },
);

test("the command prints one table, and stops at an unknown target", async () => {
  const right = await run("doctor", ["--target", "mine"], { ...sandbox.environment });
  expect([right.code, right.stderr]).toEqual([0, ""]);
  expect(right.stdout).toMatch(/^Examined mine with \d+ requests in \d+\.\d s$/m);
  for (const secret of ["API_KEY", "PARTNER_SECRET", "APP_KEY", "AUTHORIZATION"]) {
    const values = Object.entries(sandbox.environment).filter(([name]) => name.endsWith(secret));
    expect(values.length).toBeGreaterThan(0);
    for (const [, value] of values) expect(right.stdout).not.toContain(value);
  }
  const unknown = await run("doctor", ["--target", "nobody"]);
  expect([unknown.code, unknown.stdout]).toEqual([WRONG_CONFIGURATION, ""]);
});

/** One wrong setting each, or one that is left out, and the line that names it. */
const WRONG: readonly (readonly [string, Record<string, string>, RegExp])[] = [
  [
    "a key",
    { CARD_ENROLLMENT_API_KEY: "wrong" },
    /^✗ card-enrollment: the key is refused with 401: .* so correct CARD_ENROLLMENT_API_KEY/,
  ],
  [
    "an authorization",
    { INSTALLMENTS_AUTHORIZATION: "Bearer wrong" },
    /^✗ installments: the key is refused with 403: an unknown key gets the same answer, so correct INSTALLMENTS_AUTHORIZATION/,
  ],
  [
    "an app key",
    { FINANCIAL_DATA_APP_KEY: "wrong" },
    /^✗ financial-data: the log-in is refused with 401: an unknown key gets the same answer, so correct FINANCIAL_DATA_APP_KEY/,
  ],
  [
    "a secret",
    { FINANCIAL_DATA_PARTNER_SECRET: "wrong" },
    /the key is known, so correct FINANCIAL_DATA_PARTNER_ID and FINANCIAL_DATA_PARTNER_SECRET/,
  ],
  [
    "a partner",
    { FINANCIAL_DATA_PARTNER_ID: "12345" },
    /the key is known, so correct FINANCIAL_DATA_PARTNER_ID/,
  ],
  [
    "a disposable partner",
    { FINANCIAL_DATA_DISPOSABLE_PARTNER_SECRET: "wrong" },
    /correct FINANCIAL_DATA_DISPOSABLE_PARTNER_ID and FINANCIAL_DATA_DISPOSABLE_PARTNER_SECRET/,
  ],
  [
    "no key",
    { CARD_ENROLLMENT_API_KEY: "" },
    /^✗ card-enrollment: the service asks for a key \(401\): set CARD_ENROLLMENT_API_KEY\.$/,
  ],
  ["no authorization", { INSTALLMENTS_AUTHORIZATION: "" }, /: set INSTALLMENTS_AUTHORIZATION\.$/],
  ["no app key", { FINANCIAL_DATA_APP_KEY: "" }, /refused with 401: set FINANCIAL_DATA_APP_KEY\.$/],
  [
    "no partner and no secret",
    { FINANCIAL_DATA_PARTNER_ID: "", FINANCIAL_DATA_PARTNER_SECRET: "" },
    /^✗ financial-data: the log-in lacks settings: set FINANCIAL_DATA_PARTNER_ID, FINANCIAL_DATA_PARTNER_SECRET\.$/,
  ],
];

for (const [what, settings, line] of WRONG) {
  test(
    `${what}${Object.values(settings).includes("") ? "" : " that is wrong"} is the one cause, after at most one failed log-in`,
    QUICK,
    async () => {
      const passing = await counting(sandbox.port);
      const diagnosis = await diagnose({ ...behind(passing.origin), ...settings });
      expect(diagnosis.lines).toEqual([expect.stringMatching(line)]);
      expect(diagnosis.code).toBe(WRONG_CONFIGURATION);
      expect(passing.requests.length).toBeLessThanOrEqual(12);
      expect(passing.requests.length).toBe(diagnosis.requests);
      const failed = passing.requests.filter(
        ({ path, status }) => path.endsWith("/authentication") && status === 401,
      );
      expect(failed.length).toBeLessThanOrEqual(1);
    },
  );
}

test("a token that no header can contain is the one cause", QUICK, async () => {
  const origin = await api(({ path }) =>
    path.endsWith("/authentication")
      ? { status: 200, json: { token: "first-line\nsecond-line" } }
      : { status: 401, json: { code: 10022, message: "No token." } },
  );
  const {
    FINANCIAL_DATA_BASE_URL: _,
    CARD_ENROLLMENT_BASE_URL: __,
    INSTALLMENTS_BASE_URL: ___,
    ...from
  } = sandbox.environment;
  const { code, lines } = await diagnose({ FINANCIAL_DATA_BASE_URL: `${origin}/financial-data` }, from);
  expect([code, lines]).toEqual([
    UNREACHABLE,
    ["✗ financial-data: the log-in is accepted, but gives a token that no header can contain"],
  ]);
});

for (const service of SERVICES) {
  const name = `${service.toUpperCase().replaceAll("-", "_")}_BASE_URL`;
  const origin = (): string => `http://127.0.0.1:${sandbox.port}`;
  test(`a wrong path of ${service} is told from a host that does not answer`, QUICK, async () => {
    const path = await diagnose({ [name]: `${origin()}/nowhere` });
    expect(path.lines).toEqual([expect.stringMatching(/: every path is answered with 404: /)]);
    expect(path.code).toBe(WRONG_CONFIGURATION);
    const port = await diagnose({ [name]: await bad.deadPort() });
    expect(port.lines).toEqual([expect.stringMatching(/refuses connections/)]);
    const host = await diagnose({ [name]: "http://nobody.invalid" });
    expect(host.lines).toEqual([expect.stringMatching(/is an unknown host/)]);
    const scheme = await diagnose({ [name]: `https://127.0.0.1:${sandbox.port}` });
    expect(scheme.lines).toEqual([expect.stringMatching(/does not speak TLS/)]);
    expect([port.code, host.code, scheme.code]).toEqual([UNREACHABLE, UNREACHABLE, UNREACHABLE]);
  });
}

/** Servers that answer every request alike. */
const ALIKE: readonly (readonly [what: string, server: bad.BadServer, code: number, says: RegExp])[] = [
  ["garbage", bad.garbage, UNREACHABLE, /sent an invalid HTTP response/],
  ["500", bad.fails500, UNREACHABLE, /every request is answered with 500/],
  ["401", bad.refusesAll401, WRONG_CONFIGURATION, /correct CARD_ENROLLMENT_API_KEY/],
  ["an HTML page", bad.htmlPage, WRONG_CONFIGURATION, /the same answer, also for a path that does not/],
  ["{}", bad.emptyObjects, WRONG_CONFIGURATION, /the same answer, also for a path that does not/],
  ["a redirect loop", bad.redirectLoop, WRONG_CONFIGURATION, /every request is redirected to/],
];

for (const [what, server, code, says] of ALIKE)
  test(`${what} for all is the one cause`, QUICK, async () => {
    const found = await diagnose({ CARD_ENROLLMENT_BASE_URL: await server() });
    expect([found.code, found.lines]).toEqual([code, [expect.stringMatching(says)]]);
  });

/** Starts a server that passes requests on and counts them. */
const counting = async (port: number) => {
  const requests: { readonly path: string; readonly status: number }[] = [];
  const origin = await hostileServer(`http://127.0.0.1:${port}`, async ({ path }, correct) => {
    const reply = await correct();
    requests.push({ path, status: reply.status });
    return reply;
  });
  return { origin, requests };
};

const behind = (origin: string): Record<string, string> => {
  const { port } = new URL(origin);
  return Object.fromEntries(
    Object.entries(sandbox.environment)
      .filter(([name]) => name.endsWith("_BASE_URL"))
      .map(([name, url]) => [name, url.replace(/:\d+/, `:${port}`)]),
  );
};

test("an unusable card encryption key ends a command before the first request", QUICK, async () => {
  let requests = 0;
  const address = await api(() => {
    requests += 1;
    return 200;
  });
  const args = ["--target", "mine", "--service", "card-enrollment"];
  const values = { ...sandbox.environment, ...FAST, CARD_ENROLLMENT_BASE_URL: address };
  for (const [command, setting, line] of [
    [
      "doctor",
      { CARD_ENROLLMENT_ENCRYPTION_KEY: "{}" },
      /^CARD_ENROLLMENT_ENCRYPTION_KEY: .* give a public JWK /,
    ],
    [
      "certify",
      { CARD_ENROLLMENT_ENCRYPTION_KEY: "no-such.pem" },
      /^CARD_ENROLLMENT_ENCRYPTION_KEY: .* no file with /,
    ],
    [
      "doctor",
      { CARD_ENROLLMENT_ENCRYPTION_ALG: "ECDH-ES" },
      /^CARD_ENROLLMENT_ENCRYPTION_KEY: .* needs a key of type ec/,
    ],
    [
      "certify",
      { CARD_ENROLLMENT_ENCRYPTION_ENC: "A1GCM" },
      /^CARD_ENROLLMENT_ENCRYPTION_ALG or CARD_ENROLLMENT_ENCRYPTION_ENC: .*"enc"/,
    ],
  ] as const) {
    const { code, stderr } = await run(command, args, { ...values, ...setting });
    expect([code, stderr]).toEqual([WRONG_CONFIGURATION, expect.stringMatching(line)]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  }
  expect(requests).toBe(0);
});
