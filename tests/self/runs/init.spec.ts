/** Writing the settings of a target, and reading them again: the file, its mode, and what overrides it. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "dotenv";
import { loadContract } from "../../../helpers/contract/load.ts";
import { unlockedBy } from "../../../runner/init/unlocks.ts";
import { type Ended, outcomeOf, ROOT, runIn, temporary } from "../support/command.ts";
import { QUICK } from "../support/lanes.ts";
import { closeAll, web } from "../support/loopback.ts";
import { deadPort } from "./bad-servers.ts";

test.afterEach(closeAll);

const BAD_ARGUMENTS = 2;
const UNREACHABLE = 3;
const ADDRESS = "CARD_ENROLLMENT_BASE_URL=https://sandbox.example.com/src/api/digital/payments";

test("init writes a file that only its owner can read, and never replaces one without --force", async () => {
  const folder = await temporary();
  const path = join(folder, ".env.mine");
  const secret = `it's "half" $HOME #1`;
  const args = ["mine", "--set", ADDRESS, "--set", "CARD_ENROLLMENT_API_KEY"];
  const written = await runIn(folder, "init", args, { CARD_ENROLLMENT_API_KEY: secret });
  expect([written.code, written.stderr]).toEqual([0, ""]);
  expect(parse(readFileSync(path))).toMatchObject({ CARD_ENROLLMENT_API_KEY: secret });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(written.stdout).not.toContain(secret);
  expect(written.stdout).toMatch(/^ {2}CARD_ENROLLMENT_SRC_CLIENT_ID +unlocks \d+ requirements: /m);
  const lines = readFileSync(path, "utf8").split("\n");
  const at = lines.indexOf("# CARD_ENROLLMENT_SRC_CLIENT_ID=");
  expect(lines[at - 1]).toMatch(/^# .*; unlocks \d+ requirements$/);
  expect(lines).toContain("# INSTALLMENTS_BASE_URL=");
  expect(lines).not.toContain("# INSTALLMENTS_AUTHORIZATION=");
  const again = await runIn(folder, "init", ["mine", "--set", ADDRESS]);
  expect([again.code, again.stderr]).toEqual([
    BAD_ARGUMENTS,
    expect.stringMatching(/exists\. .*--force\.\n$/),
  ]);
  writeFileSync(path, "", { mode: 0o644 });
  const forced = await runIn(folder, "init", ["mine", "--set", ADDRESS, "--force"]);
  expect(forced.code).toBe(0);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

/** Runs init on a terminal, and answers each question; the input ends after the last answer. */
const initOnTerminal = async (cwd: string, answers: readonly string[]): Promise<Ended> => {
  test.skip(spawnSync("script", ["--version"]).status !== 0, "there is no script of util-linux");
  const command = [process.execPath, join(ROOT, "bin", "start.cjs"), "init"];
  const line = `${command.map((word) => `'${word}'`).join(" ")} mine --service card-enrollment`;
  const child = spawn("script", ["--quiet", "--return", "--command", line, "/dev/null"], {
    cwd,
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
  const left = [...answers];
  child.stdout.on("data", (text: Buffer) => {
    if (!text.toString().endsWith("): ")) return;
    const answer = left.shift();
    if (answer === undefined) child.stdin.end();
    else child.stdin.write(`${answer}\n`);
  });
  return outcomeOf(child);
};

test("init asks on a terminal, checks each answer, and shows no secret", async () => {
  const folder = await temporary();
  spawnSync("git", ["init", "--quiet"], { cwd: folder });
  const address = await web((_, response) => void response.end());
  const wrong = ["sandbox.example.com", address.replace("http:", "https:")];
  const typed = [...wrong, address, "secret-1", "", "client-1", "", "no-such.pem", "", "", "", "", "", "y"];
  const { code, stdout } = await initOnTerminal(folder, typed);
  expect([code, stdout]).toEqual([0, expect.stringContaining(".env.mine has 3 settings.")]);
  expect(stdout.match(/^✗ .*/gm)).toEqual([
    expect.stringContaining('"sandbox.example.com" is not an http or https URL.'),
    expect.stringContaining("does not speak TLS; is https in the base URL right?"),
    expect.stringContaining("no file with one"),
  ]);
  expect(stdout.match(/^CARD_ENROLLMENT_\w+ \(.*; unlocks \d+ requirements\): /gm)).toHaveLength(13);
  expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe(".env.mine\n");
  expect(stdout).toContain("): client-1");
  expect(stdout).not.toContain("secret-1");
  expect(parse(readFileSync(join(folder, ".env.mine")))).toEqual({
    CARD_ENROLLMENT_BASE_URL: address,
    CARD_ENROLLMENT_API_KEY: "secret-1",
    CARD_ENROLLMENT_SRC_CLIENT_ID: "client-1",
  });
});

test("init writes nothing when the input ends too early", async () => {
  const folder = await temporary();
  const { code, stdout } = await initOnTerminal(folder, ["http://127.0.0.1:9"]);
  expect([code, stdout]).toEqual([BAD_ARGUMENTS, expect.stringMatching(/^The input ended before /m)]);
  expect(existsSync(join(folder, ".env.mine"))).toBe(false);
});

test("init refuses what no target can use, in one line", async () => {
  const folder = await temporary();
  for (const [args, line] of [
    [["mine"], /^There is no terminal to ask on: /],
    [["mine", "--set", "CARD_ENROLLMENT_API_KEY=key"], /^A target needs an address: /],
    [
      ["mine", "--set", "CARD_ENROLLMENT_BASE_URL=x"],
      /^CARD_ENROLLMENT_BASE_URL: "x" is not an http or https URL/,
    ],
    [["mine", "--set", "NOTHING=1"], /There is no setting "NOTHING"\. \.env/],
    [["mine", "--set", "ALLOW_LOKING=true"], /Did you mean ALLOW_LOCKING or ALLOW_LASTING\?/],
    [
      ["mine", "--set", ADDRESS, "--set", "MAX_REQUESTS_PER_SECOND=ten"],
      /^MAX_REQUESTS_PER_SECOND: "ten" is not/,
    ],
    [["mine", "--set", ADDRESS, "--set", "SITUATIONS=no.yaml"], /^SITUATIONS can't be read: /],
    [["../mine", "--set", ADDRESS], /Use letters, digits, dots and hyphens/],
  ] as const) {
    const { code, stderr } = await runIn(folder, "init", args);
    expect([code, stderr]).toEqual([BAD_ARGUMENTS, expect.stringMatching(line)]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  }
});

test("an empty environment variable overrides the file", async () => {
  const folder = await temporary();
  const lines = [`CARD_ENROLLMENT_BASE_URL=${await deadPort()}`, `INSTALLMENTS_BASE_URL=${await deadPort()}`];
  writeFileSync(join(folder, ".env.mine"), lines.join("\n"));
  const both = await runIn(folder, "doctor", ["--target", "mine"]);
  expect([both.code, both.stdout.match(/^✗ .*: /gm)?.length]).toEqual([UNREACHABLE, 2]);
  const one = await runIn(folder, "doctor", ["--target", "mine"], { INSTALLMENTS_BASE_URL: "" });
  expect([one.code, one.stdout.match(/^✗ .*: /gm)?.length]).toEqual([UNREACHABLE, 1]);
});

test("what a setting unlocks is counted from the register", QUICK, async () => {
  const contract = await loadContract("financial-data");
  const unlocked = new Map(unlockedBy(contract).map((one) => [one.name, one]));
  const all = unlocked.get("FINANCIAL_DATA_BASE_URL")?.requirements ?? 0;
  const triable = contract.requirements.filter(
    ({ subject, observable }) => subject === "service" && observable !== "not-observable",
  );
  expect(all).toBe(triable.length);
  const partner = unlocked.get("FINANCIAL_DATA_PARTNER_SECRET")?.requirements ?? 0;
  const customer = unlocked.get("FINANCIAL_DATA_CUSTOMER_ID");
  expect(partner).toBeGreaterThan(customer?.requirements ?? 0);
  expect(customer?.isOptional).toBe(true);
  expect(partner).toBeLessThan(all);
  const fewer = { ...contract, requirements: contract.requirements.slice(0, 100) };
  expect(unlockedBy(fewer)[0]?.requirements).toBeLessThan(100);
});
