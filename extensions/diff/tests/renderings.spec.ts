/** Every rendering of one diff, against the files in `renderings/`: see `tests/self/reports/renderings.spec.ts`. */
import { test } from "@playwright/test";
import { linesIn } from "../../../helpers/contract/documents/line-of.ts";
import { printable } from "../../../reports/print.ts";
import { expectKept } from "../../../tests/self/reports/kept-renderings.ts";
import { accepts } from "../../../tests/self/reports/reports-data.ts";
import { acceptChanges } from "../accepted.ts";
import type { Diff } from "../entry.ts";
import { renderDiffAnnotations } from "../rendering/annotations.ts";
import { renderGuide } from "../rendering/guide.ts";
import { renderDiffJunit } from "../rendering/junit.ts";
import { renderDiffMarkdown } from "../rendering/markdown.ts";
import { renderDiffSarif } from "../rendering/sarif.ts";
import { renderDiffText } from "../rendering/terminal.ts";
import { asRequest, diffOf, documentFrom } from "./small-documents.ts";

/** A change of each class, one of them accepted. */
const diff = (): Diff => {
  const schema = (maxLength: number, more: object) => ({
    type: "object",
    properties: { name: { type: "string", maxLength }, ...more },
  });
  const base = documentFrom(asRequest(schema(9, { other: { type: "string" }, size: { maximum: 1 } })));
  const entries = diffOf(base, NEW_DOCUMENT).entries.map(({ fingerprint }) => accepts(fingerprint));
  const list = { file: "accept.yaml", entries: [...entries.slice(1, 2), accepts("d-000000000000")] };
  return acceptChanges(diffOf(base, NEW_DOCUMENT), list, new Date("2026-06-15"));
};

const NEW_DOCUMENT = documentFrom(
  asRequest({ type: "object", properties: { name: { type: "string", maxLength: 5 }, size: { maximum: 2 } } }),
);

const NEW_LINES = linesIn(NEW_DOCUMENT.source.text, NEW_DOCUMENT.root);

const RENDERINGS: Readonly<Record<string, (whole: Diff) => string>> = {
  "diff.txt": (whole) => printable(renderDiffText(whole, { color: true })),
  "diff.md": renderDiffMarkdown,
  "guide.md": renderGuide,
  "diff.xml": (whole) => renderDiffJunit(whole, (entry) => entry.class === "breaking"),
  "diff.sarif": (whole) => renderDiffSarif(whole, NEW_LINES),
  "diff-annotations.txt": (whole) => printable(renderDiffAnnotations(whole, NEW_LINES)),
};

for (const [name, render] of Object.entries(RENDERINGS))
  test(`the rendering ${name}`, () =>
    expectKept(new URL(`./renderings/${name}`, import.meta.url), render(diff())));
