/** A suite of a test's own, which the test runner runs in a process of its own with the reporters of the product. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "@playwright/test";
import { childEnvironment } from "../../../helpers/run/child.ts";
import { ROOT } from "../support/command.ts";
import { COMPILED, compile } from "../support/compile.ts";

/** Writes a spec and a configuration, which may import code of the product. @returns the folder */
export const writeSuite = async (spec: string, config: string): Promise<string> => {
  const folder = test.info().outputPath("suite");
  await mkdir(folder, { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await compile(spec, join(folder, "trials.spec.js"));
  await compile(config, join(folder, "playwright.config.js"));
  return folder;
};

/** Starts the test runner without the environment variables that the outer one sets for its workers. */
export const startSuite = (folder: string, environment: Record<string, string>): ChildProcess => {
  const inherited = Object.entries(childEnvironment()).filter(
    ([variable]) => !/^(TEST_|PW_|PLAYWRIGHT_|FORCE_|GITHUB_)/.test(variable),
  );
  return spawn(process.execPath, ["node_modules/@playwright/test/cli.js", "test"], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...COMPILED, ...environment },
  });
};
