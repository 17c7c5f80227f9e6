/** What a server says is shown by every rendering, and nothing that reads a rendering obeys it. */
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { buildCertificate } from "../../../reports/certificate/build.ts";
import {
  certificatePath,
  readCertificate,
  writeCertificate,
} from "../../../reports/folder/certificate-file.ts";
import { printable } from "../../../reports/print.ts";
import { renderHtml } from "../../../reports/render/html/page.ts";
import { renderJunit } from "../../../reports/render/junit.ts";
import { renderMarkdown } from "../../../reports/render/markdown.ts";
import { renderSarif } from "../../../reports/render/sarif.ts";
import { renderSummary } from "../../../reports/render/terminal.ts";
import {
  contract,
  entry,
  facts,
  failure,
  requirement,
  runInfo,
  trialResult,
} from "../reports/reports-data.ts";
import { temporary } from "../support/command.ts";
import { COMMAND, HOSTILE_TEXTS, OBEYED } from "./modes-texts.ts";

const certificateSaying = (text: string) => {
  const own = contract([requirement("a"), requirement("b")]);
  const said = failure(text, { message: text, expected: text, actual: text, curl: `curl '${text}'` });
  const results = [
    trialResult([entry("a", "failed", { failure: said }), entry("b", "blocked", { reason: text })], {
      observations: [{ subject: text, operationId: "putCard", observed: text }],
    }),
  ];
  const target = { name: text, embedded: false, baseUrls: { "card-enrollment": "http://127.0.0.1:1/x" } };
  return buildCertificate(runInfo({ target }), [own], results, facts({ problems: [text] }));
};

/** The colours of the summary, each as the product writes it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
const COLOURS = /\u001b\[(?:1|2|22|3[1-6]|39|90)m/g;

const junitOf = (text: string): string =>
  renderJunit(text, [
    {
      name: text,
      timestamp: "2026-01-02T03:04:05.000Z",
      properties: [["contract", text]],
      cases: [
        {
          name: text,
          classname: text,
          file: "a",
          seconds: 1,
          properties: [["requirement", text]],
          result: { kind: "failure", message: text, text },
        },
      ],
    },
  ]);

for (const [about, text] of Object.entries(HOSTILE_TEXTS)) {
  test(`${about}: every rendering shows it, and nothing obeys`, async () => {
    const certificate = certificateSaying(text);
    const out = await temporary();
    writeCertificate(out, certificate);
    expect(readCertificate(out)).toEqual(JSON.parse(JSON.stringify(certificate)));
    const printed = [true, false].map((color) =>
      printable(renderSummary(certificate, { color, path: "out" })),
    );
    const logs = [
      ...printed.map((one) => one.replaceAll(COLOURS, "")),
      renderMarkdown(certificate),
      readFileSync(certificatePath(out), "utf8"),
      renderSarif(certificate, () => undefined),
    ];
    const page = renderHtml(certificate).replace(/<style>.*?<\/style>/s, "");
    const marked = [page, junitOf(text)];
    for (const rendered of [...logs, ...marked]) {
      expect(OBEYED.exec(rendered)).toBeNull();
      expect(COMMAND.exec(rendered)).toBeNull();
    }
    for (const rendered of marked) {
      expect(rendered).not.toMatch(/<script>alert|<img src=x|<\/failure><testcase name="owned"/);
    }
  });
}
