/** The kept code of the test runner, which its processes have on a Node.js without such a cache of its own. */
import { execFileSync } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";

const KEPT_CODE = fileURLToPath(new URL("../../../bin/kept-code.cjs", import.meta.url));
const CLI = createRequire(import.meta.url).resolve("@playwright/test/cli");

/** Starts the test runner, and returns its help. */
const helpWith = (folder: string): string =>
  execFileSync(process.execPath, ["--require", KEPT_CODE, CLI, "test", "--help"], {
    env: { ...process.env, NODE_COMPILE_CACHE: folder },
    encoding: "utf8",
  });

/** Returns what tells whether the files of a folder were written again. */
const filesIn = (folder: string): Map<string, number> =>
  new Map(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino]));

test("the kept code of the test runner is used by the next start, and is written anew if it is of no use", () => {
  test.skip("enableCompileCache" in Module, "this Node.js keeps compiled code itself");
  const folder = test.info().outputPath("kept");
  const first = helpWith(folder);
  const written = filesIn(folder);
  expect(written.size).toBe(3);
  const [damaged = ""] = written.keys();
  writeFileSync(join(folder, damaged), "nothing");
  expect(helpWith(folder)).toBe(first);
  const after = filesIn(folder);
  expect(after.get(damaged)).not.toBe(written.get(damaged));
  expect(statSync(join(folder, damaged)).size).toBeGreaterThan(1000);
  written.delete(damaged);
  after.delete(damaged);
  expect(after).toEqual(written);
});
