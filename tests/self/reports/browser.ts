/** A real browser for the pages that the product writes: the system's Chromium, or Playwright's own. */
import { existsSync } from "node:fs";
import { type Browser, chromium, test } from "@playwright/test";

const CANDIDATES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Headless and offline: what it would load of its own accord, such as updates, is switched off. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Skips the running tests where there is no browser. */
export const startBrowser = async (): Promise<Browser> => {
  const executablePath = [...CANDIDATES, chromium.executablePath()].find((path) => existsSync(path));
  const reason = "no Chromium: install the package chromium, or run npx playwright install chromium";
  test.skip(executablePath === undefined, reason);
  return chromium.launch({ executablePath: executablePath ?? "", args: ARGUMENTS });
};
