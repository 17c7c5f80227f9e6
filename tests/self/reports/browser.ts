/** A real browser for the product's pages: the system's Chromium, or Playwright's own. */
import { existsSync } from "node:fs";
import { type Browser, chromium, test } from "@playwright/test";

const CANDIDATES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Arguments for a headless, offline browser that does not load anything by itself, such as updates. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the browser, or skips the running tests if there is none. */
export const startBrowser = async (): Promise<Browser> => {
  const executablePath = [...CANDIDATES, chromium.executablePath()].find((path) => existsSync(path));
  const reason = "no Chromium: install the package chromium, or run npx playwright install chromium";
  test.skip(executablePath === undefined, reason);
  return chromium.launch({ executablePath: executablePath ?? "", args: ARGUMENTS });
};
