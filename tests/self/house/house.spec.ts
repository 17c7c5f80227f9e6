/** Checks the code against the house rules and reports each violation with file and line. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { filesIn, ROOT } from "./files.ts";
import { RULES } from "./rules.ts";

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
