/** Files next to the checkout. If a file is absent, the tests that read it are skipped and listed. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "@playwright/test";

/** Returns the path of the file. */
export const shared = (name: string): string => {
  const path = fileURLToPath(new URL(`../../../../shared/${name}`, import.meta.url));
  test.skip(!existsSync(path), `../shared/${name} is absent`);
  return path;
};
