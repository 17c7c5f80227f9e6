/**
 * After a command, no file and no output contains a secret that the server repeats in twelve encodings. The tests with
 * random secrets have doctor, proxy, judge, and certify of a listener and of servers that are wrong throughout.
 */
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { type Command, outcomeOf, run, runIn, start, temporary } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { closeAll } from "../support/loopback.ts";
import {
  ENCODINGS,
  echoes,
  echoing,
  echoingBeside,
  environmentFor,
  leaksIn,
  openToOthers,
  SECRET_SETTINGS,
  SECRETS,
  written,
} from "./canary-secrets.ts";
import { hostileServer, hostileService } from "./hostile-server.ts";

test.afterEach(closeAll);

test("the search finds each encoding of each secret", () => {
  const found = leaksIn([{ path: "file", text: echoes() }]);
  expect(Object.keys(SECRETS).length).toBeGreaterThan(3);
  expect(found).toHaveLength(Object.keys(SECRETS).length * Object.keys(ENCODINGS).length);
  expect(leaksIn([{ path: "file", text: "nothing" }])).toEqual([]);
});

const environment = async (): Promise<Record<string, string>> =>
  environmentFor(await hostileServer("http://127.0.0.1:9", echoing));

const CARDS = ["--target", "canary", "--service", "card-enrollment"] as const;

const contract = await loadContract("card-enrollment");

/** Certifies a server that repeats the secrets, and is correct otherwise. @returns the server's address as well */
const certified = async (out: string, violates: boolean) => {
  const sandbox = await startSandbox({ seed: 1, contracts: [contract], plain: true });
  const { environment: known, baseUrls } = sandbox;
  const own = {
    ...known,
    ...SECRET_SETTINGS,
    CARD_ENROLLMENT_BASE_URL: await hostileService(
      baseUrls[contract.service],
      echoingBeside(known, violates),
    ),
    MAX_REQUESTS_PER_SECOND: "1000",
  };
  const ended = await run("certify", [...CARDS, "--shard", "1/1", "--out", out], own);
  return { ended, own, close: sandbox.close };
};

for (const { outcome, code } of [
  { outcome: "certified", code: 0 },
  { outcome: "violations", code: 1 },
]) {
  test(`a run that ends with ${outcome} leaks no secret`, LONG, async () => {
    const out = await temporary();
    const { ended, close } = await certified(out, outcome === "violations");
    await close();
    expect([ended.code, readCertificate(out)?.outcome], ended.stderr).toEqual([code, outcome]);
    expect(leaksIn(await written(out, ended))).toEqual([]);
    expect(await openToOthers(out)).toEqual([]);
  });
}

test("replay, verify, clean and a comparison leak no secret", LONG, async () => {
  const out = await temporary();
  const { own, close } = await certified(out, true);
  const merged = await temporary();
  await run("merge", [out, "--out", merged], own);
  const file = join(merged, "certificate.json");
  for (const { command, args, codes } of [
    { command: "replay", args: [file, "f-1", "--target", "canary"], codes: [0, 1, 3] },
    { command: "verify", args: [file, "--key", file], codes: [2] },
    { command: "clean", args: [file, "--target", "canary"], codes: [0] },
    {
      command: "certify",
      args: [...CARDS, "--depth", "quick", "--baseline", file, "--out", join(merged, "again")],
      codes: [1],
    },
  ] as const) {
    const ended = await run(command, args, own);
    expect(codes, `${command}: ${ended.stderr}`).toContain(ended.code);
    expect(leaksIn(await written(merged, ended)), command).toEqual([]);
  }
  await close();
});

for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
  test(`after ${signal}: no secret in any encoding`, LONG, async () => {
    let child: ReturnType<typeof start> | undefined;
    const origin = await hostileServer("http://127.0.0.1:9", (request, correct) => {
      if (request.index === 40) process.kill(-(child?.pid ?? Number.NaN), signal);
      return echoing(request, correct);
    });
    const out = await temporary();
    child = start("certify", [...CARDS, "--out", out], environmentFor(origin), { leads: true });
    expect(leaksIn(await written(out, await outcomeOf(child)))).toEqual([]);
  });
}

/** Commands that need no certificate, with their exit codes. */
const OTHERS: readonly (readonly [command: Command, args: readonly string[], ...codes: number[]])[] = [
  ["requirements", ["--service", "card-enrollment"], 0],
  ["diff", Array<string>(2).fill("schemas/card-enrollment/openapi.yaml"), 0],
  ["mutation", ["--fault", "card-enrollment.response.json-body.success-as-html"], 0, 2],
  ["certify", [...CARDS, "--plan"], 0, 2],
];

for (const [command, args, ...codes] of OTHERS) {
  test(`${command} leaks no secret`, LONG, async () => {
    const ended = await run(command, args, await environment());
    expect(leaksIn(await written(await temporary(), ended))).toEqual([]);
    expect(codes).toContain(ended.code);
  });
}

test("the sandbox leaks no secret", LONG, async () => {
  const child = start("mock", ["--port", "0"], await environment());
  child.stdout.once("data", () => child.kill("SIGTERM"));
  const ended = await outcomeOf(child);
  expect(ended.stdout).toContain("baseUrls");
  expect(leaksIn(await written(await temporary(), ended))).toEqual([]);
});

test("only its owner can read what the sandbox writes, and it removes its keys at the end", async () => {
  const folder = await temporary();
  const files = () => readdirSync(folder, { recursive: true }).map(String);
  const child = start(
    "mock",
    ["--port", "0", "--require", "signature,mtls,encryption", "--state", join(folder, "state.json")],
    { ...(await environment()), TMPDIR: folder },
  );
  const ended = once(child, "close");
  await once(child.stdout, "data");
  expect(files().some((path) => /assay-gateway-.*\.pem$/.test(path))).toBe(true);
  expect(await openToOthers(folder)).toEqual([]);
  child.kill("SIGTERM");
  await ended;
  expect(files().filter((path) => path.includes("assay-gateway"))).toEqual([]);
  expect(files()).toContain("state.json");
  expect(await openToOthers(folder)).toEqual([]);
});

test("init writes a secret to the settings file only, and prints none", LONG, async () => {
  const folder = await temporary();
  const [name = "", secret = ""] = Object.entries(SECRETS)[0] ?? [];
  const args = ["mine", "--service", "card-enrollment", "--set", name];
  const address = ["--set", "CARD_ENROLLMENT_BASE_URL=http://127.0.0.1:9/base"];
  const ended = await runIn(folder, "init", [...args, ...address], SECRET_SETTINGS);
  const files = await written(folder, ended);
  expect(ended.code, ended.stderr).toBe(0);
  expect(leaksIn(files.filter(({ path }) => !path.endsWith(".env.mine")))).toEqual([]);
  expect(files.find(({ path }) => path.endsWith(".env.mine"))?.text).toContain(secret.slice(0, 8));
});
