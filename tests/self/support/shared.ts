/** Files that lie beside the project and are not part of it; a test that reads them is skipped where they are absent. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "@playwright/test";

/** The path of the file; skips the running test, and says why, where there is none. */
export const shared = (name: string): string => {
  const path = fileURLToPath(new URL(`../../../../shared/${name}`, import.meta.url));
  const reason = `../shared/${name} is absent`;
  if (!existsSync(path)) process.stdout.write(`skipped: ${reason}\n`);
  test.skip(!existsSync(path), reason);
  return path;
};
