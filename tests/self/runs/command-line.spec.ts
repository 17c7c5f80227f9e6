/** The commands as the user sees them: help, error messages and exit codes. */
import { generateKeyPairSync } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { services, settingPrefix } from "../../../helpers/contract/services.ts";
import { baseUrlName, configuration, gatewaySettings } from "../../../helpers/target/names.ts";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { REMOVED_OPTIONS } from "../../../runner/command/removed-options.ts";
import { longSentences } from "../house/sentences.ts";
import { COMMANDS, type Command, certify, run, runIn, startMock, temporary } from "../support/command.ts";
import { QUICK } from "../support/lanes.ts";

const SERVICE = ["--service", "card-enrollment"];

for (const command of COMMANDS) {
  test(`${command} --help says what the command does`, QUICK, async () => {
    const { code, stdout, stderr } = await run(command, ["--help", "all"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(new RegExp(`^Usage: npm run ${command} -- `));
    expect(stdout).not.toMatch(/default: [[{"]/);
    expect(stdout.match(/^ +--/gm)?.length ?? 0).toBeLessThanOrEqual(26);
    expect(longSentences(stdout)).toEqual([]);
    expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
    const { stdout: short } = await run(command, ["--help"]);
    expect(short.match(/^ +--/gm)?.length ?? 0).toBeLessThanOrEqual(17);
  });
}

const PUBLIC_KEY = String(generateKeyPairSync("ed25519").publicKey.export({ format: "pem", type: "spki" }));

/** Invalid arguments and settings, each with the expected complaint. */
const COMPLAINTS: readonly (readonly [
  about: string,
  line: string,
  says: RegExp,
  environment?: Record<string, string>,
  /** The content of the file that the line names FILE. */
  content?: string,
])[] = [
  [
    "an unknown target",
    "certify --target nowhere",
    /no file \.env\.nowhere .* Copy \.env\.example to \.env\.nowhere/,
  ],
  ["an unknown target, given as a word", "certify nowhere", /no file \.env\.nowhere /],
  ["two targets", "certify one --target other", /Two targets are given: one and --target other/],
  ["a target's name that is a path", "certify --target ../secret", /use letters, digits, dots and hyphens/],
  [
    "a target without the base URL of any chosen service",
    "certify --service card-enrollment --target nowhere",
    /CARD_ENROLLMENT_BASE_URL/,
    { FINANCIAL_DATA_BASE_URL: "http://127.0.0.1:9" },
  ],
  [
    "an invalid base URL",
    "certify --service card-enrollment --target nowhere",
    /CARD_ENROLLMENT_BASE_URL: "cards\.example\.com" is not an http or https URL/,
    { CARD_ENROLLMENT_BASE_URL: "cards.example.com" },
  ],
  [
    "a time limit that is not a number",
    "certify --service card-enrollment --target nowhere",
    /REQUEST_TIMEOUT_SECONDS: "soon" is not a number/,
    { CARD_ENROLLMENT_BASE_URL: "http://127.0.0.1:9", REQUEST_TIMEOUT_SECONDS: "soon" },
  ],
  [
    "a key that is not a valid header value",
    "certify --service card-enrollment --target nowhere",
    /^CARD_ENROLLMENT_API_KEY: a header cannot contain character 3 of the value/,
    { CARD_ENROLLMENT_BASE_URL: "http://127.0.0.1:9", CARD_ENROLLMENT_API_KEY: "clé" },
  ],
  ["an unknown service", "certify --service loans", /no service "loans".*card-enrollment/],
  [
    "a demo of another server",
    "certify --demo --target nowhere",
    /^--demo certifies one service of the embedded sandbox.*: leave --target out, or --demo\.$/m,
  ],
  [
    "a demo of another service",
    "certify --demo --service card-enrollment",
    /^--demo .*: leave --service out, or --demo\.$/m,
  ],
  ["a seed that is not a number", "certify --seed lucky", /whole number from 0/],
  ["an unknown depth", "certify --depth deep", /quick, standard, exhaustive/],
  ["a shard out of range", "certify --shard 3/2", /Write it as 1\/2/],
  [
    "an unknown requirement",
    "certify --service card-enrollment --requirement card-enrollment.auth.whole-interfaces",
    /no requirement "card-enrollment\.auth\.whole-interfaces"\. Did you mean .*card-enrollment\.auth\.whole-interface\b/,
  ],
  [
    "an unknown operation",
    "certify --service card-enrollment --operation putCards",
    /no operation "putCards"\. Did you mean putCard\?/,
  ],
  ["an argument too many", "certify mine yours", /too many arguments/],
  [
    "a requirement that is not about the operation",
    "certify --service installments --operation getPlan --requirement installments.approvals.approve",
    /^None of the requirements is about getPlan: /,
  ],
  [
    "an unknown fault",
    "mock --fault card-enrollment.auth.whole-interface.absent",
    /no fault "card-enrollment\.auth\.whole-interface\.absent"/,
  ],
  ["a provider's document without its service", "mock --contract card-enrollment", /SERVICE=FILE/],
  ["an invalid port", "mock --port 99999", /whole number from 0 to 65535/],
  [
    "a folder for results that holds other things",
    "certify --service card-enrollment --out schemas",
    /^--out .*schemas: the folder is not empty, and we did not write what is in it .*\n$/,
  ],
  [
    "a folder for results that is a file",
    "certify --service card-enrollment --out package.json",
    /^--out .*package\.json: no results can be written there \(a part of its path is not a folder\)\. .*\n$/,
  ],
  ["an invalid baseline", "certify --out OUT --baseline FILE", /is not a certificate/, {}, "{}"],
  [
    "a baseline of a shard",
    "certify --out OUT --baseline FILE",
    /merge the shards/,
    {},
    '{"format":"certificate/1","requirements":[],"shard":{"index":1,"total":2}}',
  ],
  ["regressions from nothing", "certify --out OUT --fail-on regression", /compares the run with a baseline/],
  [
    "a shard to compare",
    "certify --out OUT --shard 1/2 --baseline FILE",
    /--baseline and sign are for the whole run: give them to npm run merge/,
  ],
  [
    "a situations file with an unknown situation",
    "certify --target nowhere",
    /^SITUATIONS: .*given:2: situations: "flood" is unknown\.\n$/,
    { CARD_ENROLLMENT_BASE_URL: "http://127.0.0.1:9", SITUATIONS: "FILE" },
    "situations:\n  flood: {}\n",
  ],
  [
    "test data of a sandbox with its admin interface",
    "mock --situations FILE",
    /^--situations: give --plain as well\.\n$/,
    {},
    "",
  ],
  ["a key that can't sign", "certify --out OUT --sign=FILE", /holds no private key/, {}, "{}"],
  ["a certificate without signature", "verify nowhere.json --key FILE", /is not signed/, {}, PUBLIC_KEY],
  ["no key", "verify certificate.jws", /public key with --key/],
];

for (const [about, line, says, environment, content] of COMPLAINTS) {
  const [command, ...given] = line.split(" ") as [Command, ...string[]];
  test(`${command} complains about ${about}`, async () => {
    const folder = await temporary();
    const [file, out] = [join(folder, "given"), join(folder, "out")];
    if (content !== undefined) await writeFile(file, content);
    const named = (one: string): string => one.replace(/FILE$/, file).replace(/^OUT$/, out);
    const settings = Object.entries(environment ?? {}).map(([name, value]) => [name, named(value)]);
    const { code, stderr } = await run(command, given.map(named), Object.fromEntries(settings));
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect([code, readCertificate(out)]).toEqual([2, undefined]);
    if (content !== undefined) expect(await readFile(file, "utf8")).toBe(content);
  });
}

/** The options that earlier versions had: each command says what replaces them. */
for (const { option, commands, instead } of REMOVED_OPTIONS) {
  for (const command of COMMANDS.filter((name) => commands.includes(name))) {
    test(`${command} --${option} ends with 2, and says what replaces it`, async () => {
      const { code, stdout, stderr } = await run(command, [`--${option}`, "value"]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toBe(`error: version 0.3.0 removed the option --${option}. ${instead}\n`);
    });
  }
}

/** Requirements that no trial of a run against a service declares, and how each is tried. */
const ELSEWHERE = [
  [
    "card-enrollment.call.server-to-server",
    "tried with npm run proxy, or npm run judge with recorded traffic",
  ],
  ["card-enrollment.base-url.environments", "not tried at all, because no request and no answer shows it"],
  [
    "installments.notifications.issuer-exposes-endpoint",
    "tried with npm run certify -- --listener URL --kind notification",
  ],
] as const;

test("a run of requirements that no trial declares says how each is tried", async () => {
  const ids = ELSEWHERE.map(([id]) => id).join();
  const args = ["--service", "card-enrollment,installments", "--requirement", ids];
  const { code, certificate } = await certify(args);
  const lines = ELSEWHERE.map(([id, how]) => `No trial of a service declares ${id}. It is ${how}.`);
  expect([code, certificate.problems]).toEqual([3, [lines.join("\n")]]);
});

test("the demo ends with one finding, and its replay line and replay show it again", async () => {
  const demo = await certify(["--demo"]);
  const { findings, target, outcome } = demo.certificate;
  expect([demo.code, outcome, findings.length]).toEqual([1, "violations", 1]);
  const [finding] = findings;
  expect(target.faults).toEqual([expect.stringContaining(`${finding?.requirement}.`)]);
  const [, line = ""] = (finding?.replay ?? "").split("npm run certify -- ");
  const again = await certify(line.split(" "));
  expect(again.certificate.findings.map(({ message }) => message)).toEqual([finding?.message]);
  const replayed = await run("replay", [join(demo.out, "certificate.json"), "f-1"]);
  expect([replayed.code, replayed.stdout]).toEqual([1, expect.stringContaining("The finding occurs again.")]);
});

test("mock reads a provider's document that is not cached, and ends on SIGTERM", QUICK, async () => {
  const file = test.info().outputPath("provider.json");
  const info = { title: `Read for the first time at ${Date.now()}`, version: "1.0" };
  const paths = { "/new": { get: { responses: { "200": { description: "ok" } } } } };
  await writeFile(file, JSON.stringify({ openapi: "3.1.0", info, paths }));
  const { complaint, stop } = await startMock([...SERVICE, "--contract", `card-enrollment=${file}`]);
  expect(await stop()).toBe(0);
  expect(complaint()).toMatch(/document 1\.0 lacks 1 operations: \w+; adds 1 operations/);
});

test("requirements lists the register as a table and as JSON", QUICK, async () => {
  const table = await run("requirements", SERVICE);
  expect([table.code, table.stderr]).toEqual([0, ""]);
  expect(table.stdout).toContain("card-enrollment.auth.whole-interface\n");
  const json = await run("requirements", [...SERVICE, "--format", "json"]);
  const { length } = JSON.parse(json.stdout) as { id: string }[];
  expect(table.stdout.trimEnd().split("\n").at(-1)).toBe(`${length} requirements`);
});

test(".env.example lists exactly the common settings and those of the services that it names", async () => {
  const example = await readFile(new URL("../../../.env.example", import.meta.url), "utf8");
  const shown = [...example.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name);
  const unlisted = services().filter((service) => !shown.includes(baseUrlName(service)));
  // The file explains the settings of gateways for the first service; the others have the same ones.
  const [, ...others] = services();
  const isOther = (name: string) => others.flatMap(gatewaySettings).some((one) => one.name === name);
  const isListed = (name: string) => !unlisted.some((service) => name.startsWith(settingPrefix(service)));
  const known = configuration().flatMap(({ name }) => (isListed(name) && !isOther(name) ? [name] : []));
  expect(shown.toSorted()).toEqual(known.toSorted());
  expect(shown.length).toBeGreaterThan(30);
});

test("a file gives the options that the command line leaves out", async () => {
  const folder = await temporary();
  const file = join(folder, "assay.config.yaml");
  await writeFile(file, "service: [card-enrollment]\ndepth: standard\nseed: 5\nallure: false\n");
  const { stdout, stderr } = await runIn(folder, "certify", ["--plan", "--depth=quick"]);
  expect(stderr).toMatch(/^assay\.config\.yaml: service, seed, allure\n/);
  expect(stdout).toMatch(/quick depth/);
  expect(stdout).not.toMatch(/installments/);
  const misplaced = await runIn(folder, "certify", ["--sign", "key.pem"]);
  expect([misplaced.code, misplaced.stderr]).toEqual([
    2,
    expect.stringMatching(/^--sign is a key of .*"sign: …"/),
  ]);
  await writeFile(file, "speed: 5\n");
  const wrong = await runIn(folder, "certify", []);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("unknown option '--speed=5'")]);
});
