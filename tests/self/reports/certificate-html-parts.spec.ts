/** The text of the certificate's page, tested without a browser. */
import { expect, test } from "@playwright/test";
import { because, causeOf, sentenceOf } from "../../../helpers/reasons/reason.ts";
import type { Certificate, CertifiedRequirement } from "../../../reports/certificate/certificate.ts";
import { bodyView } from "../../../reports/render/html/exchange.ts";
import { renderHtml } from "../../../reports/render/html/page.ts";
import { adviceFor, namesIn } from "../../../reports/render/reasons.ts";
import { largeCertificate } from "./large-certificate.ts";

const CERTIFICATE = largeCertificate({ requirements: 60, findings: 2 });

const LARGE_BODY = '{"a":12345678901234567890,"a":1.0,"b\\u0041":1e400}';

const BODIES: readonly (readonly [name: string, body: string, pointer: string, shows: string])[] = [
  ["an item", '[1,{"b":2}]', "/1", '[1,[[{"b":2}]]]'],
  ["a missing property", '{"a":{}}', "/a/b", '{"a":{(("b"isnotthere))}}'],
  ["the list of any item", '{"a":[1,2]}', "/a/*/b", '{"a":[[[1,2]]]}'],
  ["names with / and ~", '{"a/b":{"~":1}}', "/a~1b/~0", '{"a/b":{"~":[[1]]}}'],
  ["no mark in text that is not JSON", '{"a":', "/a", '{"a":'],
  ["a value as it was written", LARGE_BODY, "/bA", LARGE_BODY.replace("1e400", "[[1e400]]")],
];

for (const [name, body, pointer, shows] of BODIES) {
  test(`a body shows ${name}`, () => {
    const text = bodyView(body, pointer)
      .markup.replaceAll('<mark class="lacking">', "((")
      .replaceAll(/(?<=isnotthere|is not there)<\/mark>/g, "))")
      .replaceAll("<mark>", "[[")
      .replaceAll("</mark>", "]]")
      .replaceAll("&quot;", '"')
      .replaceAll(/\s/g, "");
    expect(text).toBe(shows);
  });
}

test("the same certificate gives the same page, which loads nothing and runs only its own script", () => {
  const page = renderHtml(CERTIFICATE);
  expect(renderHtml(structuredClone(CERTIFICATE))).toBe(page);
  expect(page).toContain("not tested");
  expect(page).toMatch(
    /content="default-src &#39;none&#39;; style-src &#39;sha256-.+; script-src &#39;sha256-/,
  );
  expect(page).not.toMatch(/<(img|iframe|object|link rel="stylesheet")|\son\w+="|\sstyle="|src="/);
});

const ADVICE = [
  [because("obliges-client", "the caller"), "Test your own program", []],
  [because("limit-of-suite", "the suite reads 20 pages"), "Nothing to do: a limit of the suite", []],
  [
    because("lacks-setting", "src-client-id", "CARD_ENROLLMENT_SRC_CLIENT_ID"),
    "Set a setting",
    ["CARD_ENROLLMENT_SRC_CLIENT_ID"],
  ],
  [
    because("lacks-resource", "card", because("lacks-permission", "ALLOW_DESTRUCTIVE allows it")),
    "Allow these calls",
    ["ALLOW_DESTRUCTIVE"],
  ],
  [because("answered", "GetCustomer", 500), "Check the target's responses", []],
] as const;

const adviceAbout = (code: string | undefined, half: Certificate["half"] = "service") =>
  adviceFor({ half }, { ...CERTIFICATE.requirements[0], code } as CertifiedRequirement)?.title;

for (const [reason, title, names] of ADVICE) {
  test(`advice for a requirement that was not tried because ${sentenceOf(reason)}`, () => {
    expect(adviceAbout(causeOf(reason).code)).toBe(title);
    expect(namesIn(sentenceOf(reason)).map(({ name }) => name)).toEqual(names);
  });
}

test("a client has advice of its own, and a certificate of an earlier version has none", () => {
  const told = (["service", "caller", "listener"] as const).map((half) => adviceAbout("no-occasion", half));
  const forClients = "Let the client meet the situation";
  expect(told).toEqual(["Give the target data that shows it", forClients, forClients]);
  expect(adviceAbout(undefined)).toBeUndefined();
});
