/** The commands as the user sees them: help, error messages and exit codes. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { services, settingPrefix } from "../../../helpers/contract/services.ts";
import { baseUrlName, configuration, gatewaySettings } from "../../../helpers/target/names.ts";
import { allureReportDir } from "../../../reports/folder/reporters.ts";
import { longSentences } from "../house/sentences.ts";
import { COMMANDS, type Command, certify, ROOT, run, startMock } from "../support/command.ts";
import { QUICK } from "../support/lanes.ts";

const SERVICE = ["--service", "card-enrollment"];
const DOCUMENT = join(ROOT, "tests/self/runs/documents/untyped.yaml");

for (const command of COMMANDS) {
  test(`${command} --help says what the command does`, QUICK, async () => {
    const { code, stdout, stderr } = await run(command, ["--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(new RegExp(`^Usage: npm run ${command} -- `));
    expect(stdout).not.toMatch(/default: [[{"]/);
    expect(longSentences(stdout)).toEqual([]);
    expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test(`${command} complains about an unknown flag`, async () => {
    const { code, stdout, stderr } = await run(command, ["--no-such-flag"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("unknown option '--no-such-flag'");
  });
}

/** Invalid arguments and settings, each with the expected complaint. */
const COMPLAINTS: readonly {
  readonly about: string;
  readonly command?: Command;
  readonly arguments: readonly string[];
  readonly environment?: Record<string, string>;
  readonly says: RegExp;
}[] = [
  {
    about: "an unknown target",
    arguments: ["--target", "nowhere"],
    says: /no file \.env\.nowhere .* Copy \.env\.example to \.env\.nowhere/,
  },
  {
    about: "an unknown target, given as a word",
    arguments: ["nowhere"],
    says: /no file \.env\.nowhere /,
  },
  {
    about: "two targets",
    arguments: ["one", "--target", "other"],
    says: /Two targets are given: one and --target other/,
  },
  {
    about: "a target's name that is a path",
    arguments: ["--target", "../secret"],
    says: /use letters, digits, dots and hyphens/,
  },
  {
    about: "a target without the base URL of any chosen service",
    arguments: [...SERVICE, "--target", "nowhere"],
    environment: { FINANCIAL_DATA_BASE_URL: "http://127.0.0.1:9" },
    says: /CARD_ENROLLMENT_BASE_URL/,
  },
  {
    about: "an invalid base URL",
    arguments: [...SERVICE, "--target", "nowhere"],
    environment: { CARD_ENROLLMENT_BASE_URL: "cards.example.com" },
    says: /CARD_ENROLLMENT_BASE_URL: "cards\.example\.com" is not an http or https URL/,
  },
  {
    about: "a time limit that is not a number",
    arguments: [...SERVICE, "--target", "nowhere"],
    environment: { CARD_ENROLLMENT_BASE_URL: "http://127.0.0.1:9", REQUEST_TIMEOUT_SECONDS: "soon" },
    says: /REQUEST_TIMEOUT_SECONDS: "soon" is not a number/,
  },
  {
    about: "a key that is not a valid header value",
    arguments: [...SERVICE, "--target", "nowhere"],
    environment: { CARD_ENROLLMENT_BASE_URL: "http://127.0.0.1:9", CARD_ENROLLMENT_API_KEY: "clé" },
    says: /^CARD_ENROLLMENT_API_KEY: a header cannot contain character 3 of the value/,
  },
  {
    about: "an unknown service",
    arguments: ["--service", "loans"],
    says: /no service "loans".*card-enrollment/,
  },
  {
    about: "a demo of another server",
    arguments: ["--demo", "--target", "nowhere"],
    says: /^--demo certifies one service of the embedded sandbox.*: leave --target out, or --demo\.$/m,
  },
  {
    about: "a demo of another service",
    arguments: ["--demo", ...SERVICE],
    says: /^--demo .*: leave --service out, or --demo\.$/m,
  },
  {
    about: "an earlier version of a document that is not a provider's",
    arguments: ["--document", DOCUMENT, "--url", "http://127.0.0.1:9", "--since", DOCUMENT],
    says: /^--since .*For --document, .* diff.* --baseline\.$/m,
  },
  { about: "a seed that is not a number", arguments: ["--seed", "lucky"], says: /whole number from 0/ },
  { about: "an unknown depth", arguments: ["--depth", "deep"], says: /quick, standard, exhaustive/ },
  { about: "a shard out of range", arguments: ["--shard", "3/2"], says: /Write it as 1\/2/ },
  {
    about: "an unknown requirement",
    arguments: [...SERVICE, "--requirement", "card-enrollment.auth.whole-interfaces"],
    says: /no requirement "card-enrollment\.auth\.whole-interfaces"\. Did you mean .*card-enrollment\.auth\.whole-interface\b/,
  },
  {
    about: "an unknown operation",
    arguments: [...SERVICE, "--operation", "putCards"],
    says: /no operation "putCards"\. Did you mean putCard\?/,
  },
  { about: "an argument too many", arguments: ["mine", "yours"], says: /too many arguments/ },
  {
    about: "a requirement that is not about the operation",
    arguments: [
      ...["--service", "installments", "--operation", "getPlan"],
      ...["--requirement", "installments.approvals.approve"],
    ],
    says: /^None of the requirements is about getPlan: /,
  },
  {
    about: "an unknown fault",
    command: "mock",
    arguments: ["--fault", "card-enrollment.auth.whole-interface.absent"],
    says: /no fault "card-enrollment\.auth\.whole-interface\.absent"/,
  },
  {
    about: "a provider's document without its service",
    command: "mock",
    arguments: ["--contract", "card-enrollment"],
    says: /SERVICE=FILE/,
  },
  {
    about: "an invalid port",
    command: "mock",
    arguments: ["--port", "99999"],
    says: /whole number from 0 to 65535/,
  },
  {
    about: "a folder for results that holds other things",
    arguments: [...SERVICE, "--out", "schemas"],
    says: /^--out .*schemas: the folder is not empty, and we did not write what is in it .*\n$/,
  },
  {
    about: "a folder for results that is a file",
    arguments: [...SERVICE, "--out", "package.json"],
    says: /^--out .*package\.json: no results can be written there \(a part of its path is not a folder\)\. .*\n$/,
  },
  {
    about: "a folder for results that holds other things",
    command: "mutation",
    arguments: [...SERVICE, "--out", "schemas"],
    says: /^--out .*schemas: the folder is not empty, and we did not write what is in it .*\n$/,
  },
];

for (const { about, command = "certify", arguments: given, environment, says } of COMPLAINTS) {
  test(`${command} complains about ${about}`, async () => {
    const { code, stderr } = await run(command, given, environment);
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(code).toBe(2);
  });
}

test("a run of one requirement tries only that one and writes the documented files", QUICK, async () => {
  const requirement = "card-enrollment.auth.whole-interface";
  const { code, certificate, out, stdout } = await certify([
    ...SERVICE,
    "--allure",
    "--requirement",
    requirement,
  ]);
  expect([code, certificate.outcome]).toEqual([0, "certified"]);
  const passed = certificate.requirements.filter(({ verdict }) => verdict === "passed");
  expect(passed.map(({ id }) => id)).toEqual([requirement]);
  expect(stdout.trimEnd().split("\n").at(-2)).toBe(join(out, "certificate.json"));
  expect(await readFile(join(out, "junit.xml"), "utf8")).toContain(`value="${requirement}"`);
  expect(await readFile(join(allureReportDir(out), "index.html"), "utf8")).toContain("<html");
});

/** Requirements that no trial of a run against a service declares, and how each is tried. */
const ELSEWHERE = [
  [
    "card-enrollment.call.server-to-server",
    "tried with npm run proxy, or npm run judge with recorded traffic",
  ],
  [
    "installments.notifications.issuer-exposes-endpoint",
    "tried with npm run certify -- --listener URL --kind notification",
  ],
  ["card-enrollment.base-url.environments", "not tried at all, because no request and no answer shows it"],
] as const;

for (const [requirement, how] of ELSEWHERE) {
  test(`a run of ${requirement} says how it is tried`, async () => {
    const service = requirement.split(".", 1).join();
    const { code, certificate } = await certify(["--service", service, "--requirement", requirement]);
    const line = `No trial of a service declares ${requirement}. It is ${how}.`;
    expect([code, certificate.problems]).toEqual([3, [line]]);
  });
}

test("the replay line of a finding shows the finding again", async () => {
  const violated = "card-enrollment.auth.401-on-failed-check";
  const { credentials, stop } = await startMock([...SERVICE, "--fault", `${violated}.bad-request`]);
  try {
    const tried = ["--requirement", `card-enrollment.auth.whole-interface,${violated}`];
    const found = await certify(
      [...SERVICE, "--target", "faulty", "--depth", "quick", ...tried],
      credentials,
    );
    const [finding] = found.certificate.findings;
    expect([found.code, finding?.requirement]).toEqual([1, violated]);
    const [, replay = ""] = (finding?.replay ?? "").split("npm run certify -- ");
    const again = await certify(replay.split(" "), credentials);
    expect(again.code).toBe(1);
    expect(again.certificate.findings.map(({ message }) => message)).toEqual([finding?.message]);
  } finally {
    await stop();
  }
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
  const rows = JSON.parse(json.stdout) as { id: string; tried: string }[];
  // Each requirement of callers is tried with traffic, or traffic never shows it.
  expect(rows.filter(({ tried }) => tried.includes("npm run proxy"))).not.toEqual([]);
  expect(rows.filter(({ tried }) => tried.includes("obliges"))).toEqual([]);
  expect(table.stdout.trimEnd().split("\n").at(-1)).toBe(`${rows.length} requirements`);
});

test(".env.example lists exactly the common settings and those of the services that it names", async () => {
  const example = await readFile(new URL("../../../.env.example", import.meta.url), "utf8");
  const shown = [...example.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name);
  const unlisted = services().filter((service) => !shown.includes(baseUrlName(service)));
  const known = configuration()
    .map(({ name }) => name)
    .filter((name) => !unlisted.some((service) => name.startsWith(settingPrefix(service))))
    // The file explains the settings of gateways for the first service; the others have the same ones.
    .filter(
      (name) =>
        !services()
          .slice(1)
          .flatMap(gatewaySettings)
          .some((one) => one.name === name),
    );
  expect(shown.toSorted()).toEqual(known.toSorted());
  expect(shown.length).toBeGreaterThan(30);
});
