/**
 * Runs against a server that is not there or refuses the key do not start; a server that stops leaves a run incomplete. The
 * table of hostile modes has the other misbehaviours.
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
import { type BadServer, deadPort, goesAway } from "./bad-servers.ts";

const contract = await loadContract("card-enrollment");
const INCOMPLETE = 3;
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

/** Servers, and settings, with which a run does not start. The examination alone meets the others. */
const STOPPED: readonly (readonly [string, BadServer, number, RegExp, Record<string, string>?])[] = [
  ["a closed port", deadPort, INCOMPLETE, /refuses connections; is the server running/],
  [
    "a wrong key",
    async () => sandboxOrigin(),
    BAD_CONFIGURATION,
    /correct CARD_ENROLLMENT_API_KEY/,
    { CARD_ENROLLMENT_API_KEY: "wrong" },
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
  const ended = await certifyAt(await goesAway(sandboxOrigin(), 200));
  const { requirements, problems } = ended.certificate;
  expect([requirements.length, problems]).toEqual([contract.requirements.length, []]);
  const silent = requirements.filter(
    ({ verdict, reason }) => ["blocked", "not-tried"].includes(verdict) && !reason,
  );
  expect(silent).toEqual([]);
  expect(ended.stdout).not.toContain("the suite itself failed");
  expect(ended.stdout).toMatch(/^incomplete /m);
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
