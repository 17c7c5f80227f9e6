/** The compiled code of the test runner that its processes keep on Node.js 20, which has no such cache itself. */
import { execFileSync } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import module, { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";

const KEPT_CODE = fileURLToPath(new URL("../../../bin/kept-code.cjs", import.meta.url));
const CLI = createRequire(import.meta.url).resolve("@playwright/test/cli");

/** Starts the test runner, and returns the start of its help. */
const helpWith = (folder: string): string =>
  execFileSync(process.execPath, ["--require", KEPT_CODE, CLI, "test", "--help"], {
    env: { ...process.env, NODE_COMPILE_CACHE: folder },
    encoding: "utf8",
  }).slice(0, 40);

/** Returns the inode of each file in a folder: a file that is written again has another one. */
const filesIn = (folder: string): ReadonlyMap<string, number> =>
  new Map(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino]));

test.describe("the kept code of the test runner", () => {
  test.skip("enableCompileCache" in module, "this Node.js keeps compiled code itself");

  test("is written by the first start, and used by the second", () => {
    const folder = test.info().outputPath("kept");
    const first = helpWith(folder);
    const written = filesIn(folder);
    expect(written.size).toBeGreaterThan(0);
    expect(helpWith(folder)).toBe(first);
    expect(filesIn(folder)).toEqual(written);
  });

  test("is replaced if it is damaged, and the test runner also starts without it", () => {
    const folder = test.info().outputPath("kept");
    const first = helpWith(folder);
    const [name = ""] = filesIn(folder).keys();
    writeFileSync(join(folder, name), "nothing");
    expect(helpWith(folder)).toBe(first);
    expect(statSync(join(folder, name)).size).toBeGreaterThan(1000);
    expect(helpWith(join(folder, name))).toBe(first);
  });
});
