/** Compares renderings with the files that are kept of them. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";

/** What differs in each run: the address of the page, which depends on the folder, and the time of a diff. */
const stable = (text: string): string =>
  text
    .replaceAll(/file:\S*\/certificate\.html/g, "certificate.html")
    .replace(/timestamp="(?!2026-01-02)[^"]*"/, 'timestamp=""');

export const shows = <Whole>(
  folder: URL,
  renderings: Readonly<Record<string, (whole: Whole) => string>>,
  whole: () => Whole,
): void => {
  for (const [name, render] of Object.entries(renderings))
    test(`the rendering ${name}`, () => {
      const file = fileURLToPath(new URL(name, folder));
      const text = stable(render(whole()));
      if (["all", "changed"].includes(test.info().config.updateSnapshots)) writeFileSync(file, text);
      expect(text).toBe(readFileSync(file, "utf8"));
    });
};
