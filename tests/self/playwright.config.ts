/**
 * The product's own tests, in four lanes. A lane is a project:
 *
 * | lane     | command                          | runs                                                             |
 * |----------|----------------------------------|-------------------------------------------------------------------|
 * | quick    | `npm test -- --project quick`    | the sections below, and one test of each command                 |
 * | default  | `npm test`, with lane `provider` | the quick lane and the other tests, each proof as a fixed sample  |
 * | provider | `npm test -- --project provider` | the tests that read documents beside the checkout, or skips them  |
 * | long     | `npm test -- --project long`     | the proofs, each in full, and long provider tests                 |
 *
 * The file or the tag of a test puts it in the quick lane; a tag makes it a proof, or a test of the lane `provider`. The
 * tags are in `support/lanes.ts`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { LONG, PROOF, PROVIDER, QUICK } from "./support/lanes.ts";

/**
 * Sections whose tests are quick, except for the listed files, which start whole runs, a browser or many processes, or
 * send many requests.
 */
const QUICK_SECTIONS: Readonly<Record<string, readonly string[]>> = {
  checks: [],
  contract: ["changed-documents", "hostile", "provider", "provider-assumed", "provider-run"],
  "diff/tests": [
    ...["hostile", "mutations", "outputs", "renderings", "second-opinion", "sent-witnesses"],
    ...["since", "witness"],
  ],
  exchange: [
    ...["allowance", "failure", "gateway", "json-size", "kept-connections", "sealing"],
    "signature-dialects",
  ],
  flows: ["receiver-sharing"],
  generate: ["card-enrollment-probes", "probes"],
  reports: ["allure", "certificate-commands", "certificate-html", "crashes", "out-folder", "reporter"],
  sandbox: [
    ...["daily/admin", "daily/data", "daily/identity", "daily/page", "daily/recording", "daily/state"],
    ...["daily/trouble", "document-names", "faults", "financial-data/bad-requests"],
    ...["financial-data/ledger", "hostile-requests", "sandbox"],
  ],
  sequences: ["replay-command", "replay-findings"],
};
const QUICK_FILES = Object.entries(QUICK_SECTIONS).map(
  ([section, slow]) => `${section}/(?!(${slow.join("|")})\\.spec)`,
);

/**
 * Matches the text to which Playwright applies patterns: the project, file, titles and tags of a test, separated by
 * spaces. The path of a compiled file starts with its folder.
 */
const IN_QUICK = new RegExp(
  `^\\w+ (?:\\S+/)?(?:tests/self|extensions)/(${QUICK_FILES.join("|")})|${QUICK.tag}\\b`,
);
const IN_LONG = new RegExp(`(${PROOF.tag}|${LONG.tag})\\b`);
const ONLY_IN_LONG = new RegExp(`${LONG.tag}\\b`);
const IN_PROVIDER = new RegExp(`${PROVIDER.tag}\\b`);
const ONLY_IN_PROVIDER = new RegExp(`^(?!.*${LONG.tag}\\b).*${PROVIDER.tag}\\b`);

const ELSEWHERE = [ONLY_IN_LONG, IN_PROVIDER];

/** Whether the command line selects a lane: `--project long`, or `--project` with several names. */
const isAsked = (lane: string): boolean =>
  process.argv.some(
    (argument, index, all) =>
      argument === `--project=${lane}` ||
      (argument === lane && all.slice(0, index).findLast((one) => one.startsWith("-")) === "--project"),
  );

/**
 * Playwright runs every declared project, and restarts its workers between projects. So this declares the others only
 * when they are selected, and in workers.
 */
const isDeclared = (lane: string): boolean => isAsked(lane) || process.env.TEST_WORKER_INDEX !== undefined;

/** The self tests of the core, and of each extension. */
const SPECS = /(?:^|\/)(?:tests\/self|extensions\/[^/]+\/tests)\/.*\.spec\.[jt]s$/;

/** The folder of the compiled self tests, which `bin/compiled.cjs` writes into this file; not defined in the source. */
declare const COMPILED_TESTS: string | undefined;

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const [CODE, ENDING] = typeof COMPILED_TESTS === "undefined" ? [ROOT, "ts"] : [COMPILED_TESTS, "js"];

/** Returns patterns of the files with tests of the quick lane. Loading all others takes longer than its tests. */
const quickFiles = (): RegExp[] =>
  ["tests/self", "extensions"]
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => SPECS.test(path))
    .filter((path) => IN_QUICK.test(`quick ${path}`) || hasQuickTests(path))
    .map((path) => new RegExp(`/${path.slice(0, -".ts".length)}\\.${ENDING}$`));

const hasQuickTests = (path: string): boolean => /\bQUICK\b/.test(readFileSync(join(ROOT, path), "utf8"));

export default defineConfig({
  // Locations are shown relative to it.
  testDir: ROOT,
  testMatch: SPECS,
  outputDir: join(ROOT, "test-results/self"),
  fullyParallel: true,
  // A third of the time, tests wait: for a clock, or for what servers may show late.
  workers: 3,
  retries: 0,
  // Ends a test that hangs: no test takes this long, even on a busy machine.
  timeout: 300_000,
  // A page or a process may need seconds on a busy machine.
  expect: { timeout: 60_000 },
  projects: [
    ...(isDeclared("quick")
      ? [{ name: "quick", testMatch: quickFiles(), grep: IN_QUICK, grepInvert: ELSEWHERE }]
      : []),
    { name: "default", grepInvert: ELSEWHERE },
    { name: "provider", grep: IN_PROVIDER, grepInvert: ONLY_IN_LONG },
    ...(isDeclared("long")
      ? [
          {
            name: "long",
            grep: IN_LONG,
            grepInvert: ONLY_IN_PROVIDER,
            timeout: 7_200_000,
          },
        ]
      : []),
  ].map((lane) => ({ ...lane, testDir: CODE })),
  forbidOnly: process.env.CI !== undefined,
  reporter: [
    [process.env.CI === undefined ? "list" : "dot"],
    [join(CODE, `tests/self/support/tally.${ENDING}`)],
  ],
});
