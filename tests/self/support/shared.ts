/** Files beside the checkout: documents of the services, which the repository does not contain. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "@playwright/test";
import { PROVIDER } from "./lanes.ts";

/** Returns the path of the file, or skips the running test. @throws if the test is not in the lane of such tests */
export const shared = (name: string): string => {
  if (!test.info().tags.includes(PROVIDER.tag)) {
    throw new Error(
      `Tag the test with ${PROVIDER.tag}: tests of other lanes need no file beside the checkout.`,
    );
  }
  const path = fileURLToPath(new URL(`../../../../shared/${name}`, import.meta.url));
  test.skip(!existsSync(path), "the folder ../shared is not beside the checkout, or is not complete");
  return path;
};
