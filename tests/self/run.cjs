/**
 * Runs the self tests: `node tests/self/run.cjs`, with arguments for Playwright. Loading their TypeScript files takes
 * each process several seconds, so the code is compiled when it has changed.
 */
require("../../bin/need-packages.cjs");
const { join } = require("node:path");
const { compiledSelfTests, keepCompiled } = require("../../bin/compiled.cjs");

const CONFIGURATION = "tests/self/playwright.config";

/** A file that a user selects has another ending when it is compiled. */
const withoutEnding = (argument) => argument.replace(/(\.spec)\.ts(?=$|:)/, "$1");

const start = async () => {
  const compiled = await compiledSelfTests();
  const config =
    compiled === undefined
      ? join(__dirname, "../..", `${CONFIGURATION}.ts`)
      : join(compiled, `${CONFIGURATION}.js`);
  if (compiled !== undefined) {
    // The test runner's loader of TypeScript is a thread of each process.
    process.env.PW_DISABLE_TS_ESM = "1";
    keepCompiled(compiled);
  }
  const given = process.argv.slice(2).map(withoutEnding);
  process.argv.splice(2, given.length, "test", "--config", config, ...given);
  require("@playwright/test/cli");
};

void start();
