/** The rules of parts (multipart/form-data) are tried: a right server keeps them, and each fault is found. */
import { expect, test } from "@playwright/test";
import { messagesOf } from "../support/compile.ts";
import type { Told } from "./prove-parts.ts";

test("the sandbox keeps the rules of parts, and each fault in them is found", async () => {
  const folder = test.info().outputPath("notes");
  const [told] = await messagesOf<Told>("tests/self/runs/prove-parts.ts", folder, folder);
  const { clean, ofParts, faults } = told as Told;
  expect(Object.entries(clean).filter(([, verdict]) => /failed|blocked|advisory/.test(verdict))).toEqual([]);
  expect(ofParts.filter((requirement) => clean[requirement] !== "passed")).toEqual([]);
  expect(faults.length).toBeGreaterThan(20);
  expect(new Set(faults.map(([id]) => id)).size).toBe(faults.length);
  expect(faults.filter(([, verdict]) => verdict !== "failed")).toEqual([]);
});
