/** The text of the certificate's page, tested without a browser. */
import { expect, test } from "@playwright/test";
import { because, causeOf, sentenceOf } from "../../../helpers/reasons/reason.ts";
import type { Certificate, CertifiedRequirement } from "../../../reports/certificate/certificate.ts";
import { bodyView } from "../../../reports/render/html/exchange.ts";
import { renderHtml } from "../../../reports/render/html/page.ts";
import { adviceFor, namesIn } from "../../../reports/render/reasons.ts";
import { largeCertificate } from "./large-certificate.ts";

const CERTIFICATE = largeCertificate({ requirements: 60, findings: 2 });

const BODIES = [
  { name: "a value", body: '{"a":{"b":"x"}}', pointer: "/a/b", shows: '{"a":{"b":[["x"]]}}' },
  { name: "an item", body: '[1,{"b":2}]', pointer: "/1", shows: '[1,[[{"b":2}]]]' },
  { name: "a missing property", body: '{"a":{}}', pointer: "/a/b", shows: '{"a":{(("b"isnotthere))}}' },
  { name: "the list of any item", body: '{"a":[1,2]}', pointer: "/a/*/b", shows: '{"a":[[[1,2]]]}' },
  { name: "names with / and ~", body: '{"a/b":{"~":1}}', pointer: "/a~1b/~0", shows: '{"a/b":{"~":[[1]]}}' },
  { name: "no mark for the whole body", body: '{"a":1}', pointer: "", shows: '{"a":1}' },
  { name: "no mark for a missing parent", body: '{"a":1}', pointer: "/b/c", shows: '{"a":1}' },
  {
    name: "no mark for a header",
    body: '{"retry-after":1}',
    pointer: "retry-after",
    shows: '{"retry-after":1}',
  },
  { name: "no mark in text that is not JSON", body: '{"a":', pointer: "/a", shows: '{"a":' },
  {
    name: "a value as it was written",
    body: '{"a":12345678901234567890,"a":1.0,"b\\u0041":1e400}',
    pointer: "/bA",
    shows: '{"a":12345678901234567890,"a":1.0,"b\\u0041":[[1e400]]}',
  },
];

for (const { name, body, pointer, shows } of BODIES) {
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
  expect(page).toMatch(
    /content="default-src &#39;none&#39;; style-src &#39;sha256-.+; script-src &#39;sha256-/,
  );
  expect(page).not.toMatch(/<(img|iframe|object|link rel="stylesheet")|\son\w+="|\sstyle="|src="/);
});

test("the page shows that there is no proof of the checks", () => {
  expect(renderHtml(CERTIFICATE)).toContain("not tested");
});

const ADVICE = [
  [because("obliges-client", "the caller"), "Test your own program", []],
  [because("left-out-by-depth"), "Try them at standard depth", []],
  [because("limit-of-suite", "the suite reads 20 pages"), "Nothing to do: a limit of the suite", []],
  [because("no-trial"), "Nothing to do: a limit of the suite", []],
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
