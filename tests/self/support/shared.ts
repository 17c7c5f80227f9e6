/** Files next to the checkout. A test that reads a file is skipped, and listed, where the file is absent. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "@playwright/test";

/** Returns the path of the file. */
export const shared = (name: string): string => {
  const path = fileURLToPath(new URL(`../../../../shared/${name}`, import.meta.url));
  test.skip(!existsSync(path), `../shared/${name} is absent`);
  return path;
};
