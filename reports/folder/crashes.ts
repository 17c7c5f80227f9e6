/** Stores stack traces of crashes in files next to the certificate. The certificate only names the files. */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestError } from "@playwright/test/reporter";
import type { Redactor } from "../../helpers/exchange/redact.ts";
import { visible } from "../../helpers/exchange/visible.ts";

/** The file for traces of failures outside of any trial. */
export const RUN_CRASHES = "crashes/run.txt";

export const RUN_CRASHED = `The suite itself failed, please report it with ${RUN_CRASHES}.`;

/** @param file path relative to the output folder of the run */
export const keepCrash = (out: string, file: string, trace: string): void => {
  const path = join(out, file);
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${visible(trace)}\n`);
};

/** Removes secrets from an error before any report receives it. */
export const redactError = (error: TestError, redactor: Redactor): void => {
  for (const field of ["message", "stack", "value"] as const) {
    const text = error[field];
    if (text !== undefined) error[field] = redactor.text(text);
  }
};
