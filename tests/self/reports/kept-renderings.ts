/** Compares renderings with the files that are kept of them. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "@playwright/test";

/** What differs in each run: the address of the page, which depends on the folder, and the time of a diff. */
const stable = (text: string): string =>
  text
    .replaceAll(/file:\S*\/certificate\.html/g, "certificate.html")
    .replace(/timestamp="(?!2026-01-02)[^"]*"/, 'timestamp=""');

/** @param file the kept rendering, which `--update-snapshots` writes anew */
export const expectKept = (file: URL, text: string): void => {
  if (["all", "changed"].includes(test.info().config.updateSnapshots)) writeFileSync(file, stable(text));
  expect(stable(text)).toBe(readFileSync(file, "utf8"));
};
