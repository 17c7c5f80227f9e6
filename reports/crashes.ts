/** Keeps the traces of crashes beside the certificate, which names their files and holds none of their text. */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestError } from "@playwright/test/reporter";
import type { Redactor } from "../helpers/exchange/redact.ts";

/** Where traces are kept of what failed outside of any trial. */
export const RUN_CRASHES = "crashes/run.txt";

export const RUN_CRASHED = `The suite itself failed, please report it with ${RUN_CRASHES}.`;

/** @param file below the folder of the run */
export const keepCrash = (out: string, file: string, trace: string): void => {
  const path = join(out, file);
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${trace}\n`);
};

/** What is thrown may hold secrets: every report that is given the error gets it without them. */
export const redactError = (error: TestError, redactor: Redactor): void => {
  for (const field of ["message", "stack", "value"] as const) {
    const text = error[field];
    if (text !== undefined) error[field] = redactor.text(text);
  }
};
