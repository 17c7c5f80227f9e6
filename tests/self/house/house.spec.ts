/** Checks the code against the house rules and reports each violation with file and line. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { RULES } from "./rules.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const filesIn = (place: string): string[] =>
  statSync(join(ROOT, place)).isFile()
    ? [place]
    : readdirSync(join(ROOT, place), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => `${place}/${name.replaceAll("\\", "/")}`);

for (const { rule, where, broken, example, hint } of RULES) {
  test(rule, () => {
    expect(broken(example)).toEqual([example.text.split("\n").length]);
    const files = where.flatMap(filesIn);
    expect(files.length).toBeGreaterThan(0);
    const found = files.flatMap((path) => {
      const text = readFileSync(join(ROOT, path), "utf8");
      const lines = text.split("\n");
      return broken({ path, text }).map((line) => `${path}:${line}: ${lines[line - 1]?.trim()}`);
    });
    expect(found, hint).toEqual([]);
  });
}
