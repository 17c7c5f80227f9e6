/**
 * Runs against servers that misbehave on every request. A run does not start on such a server; if the server misbehaves
 * only after the run has started, the run gives a clear message, the right exit code and no unproved pass. The table of
 * hostile modes has the other misbehaviours.
 */
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { equip } from "../../../helpers/situations/sandbox-capabilities.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import type { Verdict } from "../../../helpers/trials/ledger.ts";
import { TargetLost } from "../../../helpers/trials/stopped.ts";
import { type Sandbox, startSandbox } from "../../../mocks/engine/server.ts";
import { type Certified, certify } from "../support/command.ts";
import { closeAll } from "../support/loopback.ts";
import * as bad from "./bad-servers.ts";

const contract = await loadContract("card-enrollment");
const INCOMPLETE = 3;
const VIOLATIONS = 1;
const BAD_CONFIGURATION = 2;

/** A correct server that the product can't recognize as its own sandbox. */
let sandbox: Sandbox;

test.beforeAll(async () => {
  sandbox = await startSandbox({ contracts: [contract], plain: true });
});
test.afterAll(() => sandbox.close());
test.afterEach(closeAll);

const sandboxOrigin = (): string => new URL(sandbox.baseUrls["card-enrollment"] ?? "").origin;

const certifyAt = (origin: string, environment: Record<string, string> = {}): Promise<Certified> =>
  certify(["--target", "bad-server", "--service", "card-enrollment", "--depth", "quick"], {
    ...sandbox.environment,
    CARD_ENROLLMENT_BASE_URL: `${origin}${contract.basePath}`,
    REQUEST_TIMEOUT_SECONDS: "1",
    ...environment,
  });

const withVerdict = ({ certificate }: Certified, verdict: Verdict): string[] =>
  certificate.requirements.filter((one) => one.verdict === verdict).map(({ id }) => id);

/** The requirements that only a refusal can show. */
const REFUSALS = new Set([
  ...contract.rules
    .filter(
      ({ direction, keyword }) => direction === "request" && !["optional", "enum-value"].includes(keyword),
    )
    .map(({ requirement }) => requirement),
  ...contract.requirements
    .map(({ id }) => id)
    .filter((id) => /\.(auth|header|errors\.INVALID_\w+)\.|\.identifies-/.test(id)),
]);

const expectReadable = ({ certificate, stdout }: Certified): void => {
  expect(certificate.format).toBe("certificate/1");
  expect(certificate.requirements).toHaveLength(contract.requirements.length);
  // A problem of the target may be among them: it accepts no valid call.
  expect(certificate.problems.filter((one) => !one.includes("accepted no valid call"))).toEqual([]);
  const silent = certificate.requirements.filter(
    ({ verdict, reason }) => ["blocked", "not-tried"].includes(verdict) && !reason,
  );
  expect(silent).toEqual([]);
  expect(stdout).not.toContain("the suite itself failed");
  expect(stdout).toMatch(new RegExp(`^${certificate.outcome} `, "m"));
};

test("a server that does not speak HTTP leaves the run incomplete and passes nothing", async () => {
  const ended = await certifyAt(await bad.afterExamination(sandboxOrigin(), bad.garbage));
  expectReadable(ended);
  expect(ended.stdout).toMatch(/sent an invalid HTTP response/);
  expect([ended.code, ended.certificate.outcome]).toEqual([INCOMPLETE, "incomplete"]);
  expect([withVerdict(ended, "passed"), withVerdict(ended, "failed")]).toEqual([[], []]);
});

test("500 for all is a violation, and no refusal passes", async () => {
  const ended = await certifyAt(await bad.afterExamination(sandboxOrigin(), bad.fails500));
  expectReadable(ended);
  // The terminal shows the first findings only.
  expect(ended.certificate.findings.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/a valid card-number enrollment was answered with 500/),
  );
  expect([ended.code, ended.certificate.outcome]).toEqual([VIOLATIONS, "violations"]);
  const paths = ["card-number-path", "push-account-receipt-path"];
  expect(withVerdict(ended, "failed")).toEqual(
    expect.arrayContaining(paths.map((path) => `${contract.service}.enrollment.${path}`)),
  );
  expect(withVerdict(ended, "passed").filter((id) => REFUSALS.has(id))).toEqual([]);
});

const WRONG_KEY = { CARD_ENROLLMENT_API_KEY: "wrong" };

/** Servers, and settings, with which a run does not start. The examination alone meets the others. */
const STOPPED: readonly (readonly [string, bad.BadServer, number, RegExp, Record<string, string>?])[] = [
  ["a closed port", bad.deadPort, INCOMPLETE, /refuses connections; is the server running/],
  [
    "a wrong key",
    async () => sandboxOrigin(),
    BAD_CONFIGURATION,
    /correct CARD_ENROLLMENT_API_KEY/,
    WRONG_KEY,
  ],
];

for (const [name, server, code, says, environment] of STOPPED) {
  test(`a run does not start with ${name}, names the cause, and fails nothing`, async () => {
    const ended = await certifyAt(await server(), environment);
    expect(ended.stdout.match(/^✗ .*$/gm)).toEqual([expect.stringMatching(says)]);
    expect([ended.code, ended.certificate.outcome]).toEqual([code, "incomplete"]);
    expect([withVerdict(ended, "passed"), withVerdict(ended, "failed")]).toEqual([[], []]);
    expect(ended.certificate.problems).toEqual([expect.stringMatching(says)]);
  });
}

test("a server that stops leaves the run incomplete, with the verdicts so far", async () => {
  const ended = await certifyAt(await bad.goesAway(sandboxOrigin(), 200));
  expectReadable(ended);
  expect(ended.stdout).toMatch(/refuses connections|closed the connection/);
  expect([ended.code, ended.certificate.outcome]).toEqual([INCOMPLETE, "incomplete"]);
  expect(withVerdict(ended, "failed")).toEqual([]);
  expect(withVerdict(ended, "passed").length).toBeGreaterThan(0);
  expect(withVerdict(ended, "blocked").length).toBeGreaterThan(0);
});

test("a sandbox that stops is reported as a lost target, and its tenant is lost too", async () => {
  const own = await startSandbox({ contracts: [contract] });
  const { capabilities, release } = await equip(targetOf("sandbox", own.environment, true));
  await capabilities.advanceClock?.(1);
  await own.close();
  await expect(() => capabilities.advanceClock?.(1)).rejects.toThrow(TargetLost);
  await release();
});
