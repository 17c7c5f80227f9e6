/**
 * The package on each supported version of Node: `npm install` of the tarball in an empty folder with an empty cache, then
 * `npx assay certify`. The versions of Node come from the npm registry.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "@playwright/test";
import { readCertificate } from "../../../reports/folder/certificate-file.ts";
import { ROOT } from "../support/command.ts";
import { LONG } from "../support/lanes.ts";
import { isWithoutRegistry, NETWORK, pack } from "./installed.ts";

test.describe.configure({ mode: "serial" });

let folder = "";
let tarball = "";

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-versions-"));
  tarball = await pack(folder);
});

test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a folder with its own home and npm cache, in which commands run with the Node in `bin`. */
const emptyFolder = (name: string, bin?: string) => {
  const home = join(folder, name);
  const project = join(home, "project");
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "private": true }');
  const path = [bin, process.env.PATH].filter(Boolean).join(delimiter);
  const run = (command: string, args: readonly string[]) =>
    spawnSync(command, args, {
      cwd: project,
      encoding: "utf8",
      env: { ...NETWORK, PATH: path, HOME: home, NO_COLOR: "1", npm_config_cache: join(home, "cache") },
    });
  return { project, run };
};

/** Returns the folder of Node's executable, or skips the test if the registry can't be reached. */
const nodeOf = (version: number): string | undefined => {
  if (process.version.startsWith(`v${version}.`)) return undefined;
  const { project, run } = emptyFolder(`node-${version}`);
  const { status, stderr } = run("npm", ["install", `node@${version}`]);
  test.skip(status !== 0 && isWithoutRegistry(stderr), "no npm registry");
  expect(status, stderr).toBe(0);
  return join(project, "node_modules", "node", "bin");
};

test("the example for vitest passes with the package", LONG, () => {
  const { project, run } = emptyFolder("with-vitest", nodeOf(24));
  const installed = run("npm", ["install", tarball, "vitest"]);
  expect(installed.status, installed.stderr).toBe(0);
  cpSync(join(ROOT, "templates", "sandbox.vitest.ts"), join(project, "sandbox.test.ts"));
  const { status, stdout, stderr } = run("npx", ["vitest", "run"]);
  expect(status, `${stdout}${stderr}`).toBe(0);
  expect(stdout).toMatch(/Tests\s+1 passed/);
});

for (const version of [20, 22, 24]) {
  test(`an empty folder is certified with Node ${version}`, LONG, () => {
    const { project, run } = emptyFolder(`with-${version}`, nodeOf(version));
    expect(run("node", ["--version"]).stdout).toMatch(new RegExp(`^v${version}\\.`));
    const installed = run("npm", ["install", tarball]);
    expect([installed.status, installed.stderr]).toEqual([0, expect.not.stringContaining("EBADENGINE")]);
    const { status, stdout, stderr } = run("npx", ["assay", "certify"]);
    expect(status, `${stdout}${stderr}`).toBe(0);
    expect(stderr).not.toMatch(/warning/i);
    const certificate = readCertificate(join(project, "reports", "out"));
    expect(certificate?.summary).toMatchObject({ failed: 0, blocked: 0 });
  });
}
