/** What a server says is shown by every rendering, and nothing that reads a rendering obeys it. */
import { expect, test } from "@playwright/test";
import { renderBadge } from "../../../reports/badge.ts";
import { buildCertificate } from "../../../reports/build-certificate.ts";
import { readCertificate, writeCertificate } from "../../../reports/certificate-file.ts";
import { renderHtml } from "../../../reports/html/page.ts";
import { renderJunit } from "../../../reports/junit.ts";
import { renderMarkdown } from "../../../reports/markdown.ts";
import { renderSummary } from "../../../reports/terminal.ts";
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
import { HOSTILE_TEXTS } from "./modes-texts.ts";

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

/** Characters that a reader obeys, or does not see. Line feeds and tabs are part of the renderings. */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]|\p{Surrogate}/u;

/** The commands of build servers. */
const COMMAND = /^\s*::|##\[|##vso\[|##teamcity\[/m;

const junitOf = (text: string): string =>
  renderJunit(text, [
    {
      name: text,
      timestamp: "2026-01-02T03:04:05.000Z",
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
    const logs = [renderSummary(certificate, { color: false, path: "out" }), renderMarkdown(certificate)];
    const marked = [renderHtml(certificate), renderBadge(certificate), junitOf(text)];
    for (const rendered of [...logs, ...marked]) expect(OBEYED.exec(rendered)).toBeNull();
    for (const rendered of logs) expect(COMMAND.exec(rendered)).toBeNull();
    for (const rendered of marked) {
      expect(rendered).not.toMatch(/<script>alert|<img src=x|<\/failure><testcase name="owned"/);
    }
  });
}
