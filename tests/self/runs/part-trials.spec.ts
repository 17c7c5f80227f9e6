/** The rules of parts (multipart/form-data) are tried: a right server keeps them, and each fault is found. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "@playwright/test";
import { compile } from "../support/compile.ts";
import type { Told } from "./prove-parts.ts";

test("the sandbox keeps the rules of parts, and each fault in them is found", async () => {
  const script = test.info().outputPath("prove.mjs");
  await compile('import "./tests/self/runs/prove-parts.ts";', script);
  const folder = test.info().outputPath("notes");
  const child = fork(script, [folder], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`It ended with ${code}.`)));
  const [{ clean, ofParts, faults }]: [Told] = await Promise.race([once(child, "message") as never, ended]);
  expect(Object.entries(clean).filter(([, verdict]) => /failed|blocked|advisory/.test(verdict))).toEqual([]);
  expect(ofParts.filter((requirement) => clean[requirement] !== "passed")).toEqual([]);
  expect(faults.length).toBeGreaterThan(20);
  expect(new Set(faults.map(([id]) => id)).size).toBe(faults.length);
  expect(faults.filter(([, verdict]) => verdict !== "failed")).toEqual([]);
});
