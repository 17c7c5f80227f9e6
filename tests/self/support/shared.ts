/** Files beside the checkout that are no part of it. A test that reads them is skipped, and listed, where they are absent. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "@playwright/test";

/** The path of the file. */
export const shared = (name: string): string => {
  const path = fileURLToPath(new URL(`../../../../shared/${name}`, import.meta.url));
  test.skip(!existsSync(path), `../shared/${name} is absent`);
  return path;
};
