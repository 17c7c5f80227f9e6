/** Redaction removes canaries (known secrets) in every notation and keeps the text that a reader needs. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { createRedactor } from "../../../helpers/exchange/redact.ts";
import { redactor, SECRET, VALUES } from "./redacting.ts";

const JWE = `${Buffer.from('{"alg":"RSA-OAEP-256"}').toString("base64url")}.${"aZ9_".repeat(12)}.iv12.c1pher.t4g_`;
const JWT = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from('{"sub":1}').toString("base64url")}.`;

const redact = (text: string) => redactor.text(text);
const json = (value: unknown) => JSON.stringify(value);

const unicodeEscaped = (text: string) =>
  text.replace(/[^A-Za-z0-9]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const percentEncodedAll = (text: string) =>
  [...text]
    .map((c) =>
      /\w/.test(c) ? c : [...Buffer.from(c)].map((b) => `%${b.toString(16).padStart(2, "0")}`).join(""),
    )
    .join("");

const unicodeEscapedAll = (text: string) => text.replace(/./g, (unit) => `&#${unit.charCodeAt(0)};`);

const NOTATIONS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  JSON: (text) => json(text).slice(1, -1),
  "JSON with escaped slashes": (text) => json(text).slice(1, -1).replaceAll("/", "\\/"),
  "JSON in JSON": (text) => json(json(text)).slice(3, -3),
  "JSON with every character escaped": unicodeEscaped,
  "percent-encoded": encodeURIComponent,
  "percent-encoded twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "percent-encoded in lower case": percentEncodedAll,
  "form-encoded": (text) => new URLSearchParams({ a: text }).toString().slice(2),
  HTML: (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;"),
};

for (const [notation, encode] of Object.entries(NOTATIONS)) {
  test(`a configured secret is redacted: ${notation}`, () => {
    expect(redact(`before ${encode(SECRET)} after`)).toBe("before ‹FINANCIAL_DATA_PARTNER_SECRET› after");
  });
}

for (const notation of ["plain", "JSON with every character escaped", "percent-encoded", "JSON in JSON"]) {
  const encode = NOTATIONS[notation] ?? String;
  test(`an e-mail address and a grouped card number are redacted: ${notation}`, () => {
    const text = redact(
      `x=${encode("jane.doe+tag@mail.example.com")}&y=${encode("4111 1111 1111 1111")}&z=1`,
    );
    expect(text).toBe("x=‹e-mail, 29 characters›&y=‹card number, 16 digits›&z=1");
  });
}

test("a configured value that is not a secret is kept", () => {
  const text = `${VALUES.CARD_ENROLLMENT_BASE_URL}/customers/${VALUES.FINANCIAL_DATA_CUSTOMER_ID}`;
  expect(redact(text)).toBe(text);
});

test("a secret that is registered later is redacted from then on", () => {
  const learning = createRedactor({}, []);
  expect(learning.text("opaque-9f8e")).toBe("opaque-9f8e");
  learning.learn("opaque-9f8e", "FINANCIAL_DATA_APP_TOKEN");
  expect(learning.text("opaque-9f8e")).toBe("‹FINANCIAL_DATA_APP_TOKEN›");
  expect(learning.knows("FINANCIAL_DATA_APP_TOKEN")).toBe(true);
});

test("a secret without letters and digits is redacted, and one that contains another secret by its own name", () => {
  const learning = createRedactor({}, []);
  for (const [value, name] of [
    ["§§//§§//", "SIGNS"],
    ["opaque-9f8e", "PART"],
    ["opaque-9f8e-whole", "WHOLE"],
  ] as const)
    learning.learn(value, name);
  expect(learning.text("a §§\\/\\/§§// b opaque-9f8e-whole c opaque-9f8e")).toBe(
    "a ‹SIGNS› b ‹WHOLE› c ‹PART›",
  );
  learning.learn("opaque-9f8e-Whole-AND-More", "MORE");
  expect(learning.text("x-opaque-9f8e-whole-and-more")).toBe("x-‹MORE›");
});

test("a known value has its own name in its own letter case, whatever is learnt before or after", () => {
  const [KEY, SIMILAR] = ["Abcd-Efgh/0001", "aBCD-eFGH/0001"];
  for (const order of [[0, 1] as const, [1, 0] as const]) {
    const learning = createRedactor({}, []);
    for (const index of order)
      learning.learn([KEY, SIMILAR][index] ?? "", ["KEY", "similar-key"][index] ?? "");
    const first = order[0] === 0 ? "KEY" : "similar-key";
    for (const encode of [...Object.values(NOTATIONS), (text: string) => btoa(text), unicodeEscapedAll])
      expect(learning.text(`${encode(KEY)} ${encode(SIMILAR)}`)).toBe("‹KEY› ‹similar-key›");
    expect(learning.text(KEY.toUpperCase())).toBe(`‹${first}›`);
  }
});

test("a secret is redacted whose encoded characters are split over lines", () => {
  const learning = createRedactor({}, []);
  learning.learn("KBuAuq8K%26CX2i4F9zz", "KEY");
  expect(learning.text("a KBuAuq8K%25%2026CX2i%20%204F9zz b")).toBe("a ‹KEY› b");
});

const FOUND: readonly [given: string, written: string][] = [
  [json({ token: 'abc"def' }), '{"token":"‹token, 7 characters›"}'],
  [
    json({ body: json({ partnerSecret: 'it\'s "so"' }) }),
    '{"body":"{\\"partnerSecret\\":\\"‹partnerSecret, 9 characters›\\"}"}',
  ],
  [
    json({ a: json({ b: json({ password: "hunter2" }) }), c: 1 }),
    '{"a":"{\\"b\\":\\"{\\\\\\"password\\\\\\":\\\\\\"‹password, 7 characters›\\\\\\"}\\"}","c":1}',
  ],
  ['{"SSN":123456789,"x":1}', '{"SSN":1e8,"x":1}'],
  [
    '{"cvv" : -123, "x":[{"token":["abc" , 12345]}, "abc"]}',
    '{"cvv" : -1e2, "x":[{"token":["‹token, 3 characters›" , 1e4]}, "abc"]}',
  ],
  [
    '{"a":"4111111111111111","primaryAccountNumber":"4111111111111112"',
    '{"a":"‹card number, 16 digits›","primaryAccountNumber":"‹primaryAccountNumber, 16 characters›"',
  ],
  [
    '{"note":"say \\"4222222222222\\"\\n","n":[4222222222222]}',
    '{"note":"say \\"‹card number, 13 digits›\\"\\n","n":[4e12]}',
  ],
  [
    json({ newPartnerSecret: "", token: null, ssn: false }),
    '{"newPartnerSecret":"","token":null,"ssn":false}',
  ],
  [
    json({ newPartnerSecret: SECRET, token: `${SECRET}x` }),
    `{"newPartnerSecret":"‹FINANCIAL_DATA_PARTNER_SECRET›","token":"‹token, ${[...SECRET].length + 1} characters›"}`,
  ],
  [json({ encryptedCard: JWE }), '{"encryptedCard":"‹encrypted card›"}'],
  [json({ encryptedCard: "a.b" }), '{"encryptedCard":"‹encryptedCard, 3 characters›"}'],
  [`got ${JWE}!`, "got ‹encrypted card›!"],
  [`Bearer ${JWT}`, `Bearer ‹token, ${JWT.length} characters›`],
  ["/x?token=abc%20d&b=1#f", "/x?token=‹token, 5 characters›&b=1#f"],
  ["u=https%3A%2F%2Fjane%3Ahunter2%40example.com", "u=https%3A%2F%2F‹user, 12 characters›%40example.com"],
  [`${"a".repeat(244)}@example.com`, "‹e-mail, 256 characters›"],
  ["<jörg😀@exämple.test>.", "<‹e-mail, 18 characters›>."],
  ["a@b.test,c@d.test", "‹e-mail, 8 characters›,‹e-mail, 8 characters›"],
  ["pan4111111111111111x", "pan‹card number, 16 digits›x"],
  ["2026-01-31 4111-1111-1111-1111", "2026-01-31 ‹card number, 16 digits›"],
  ["3782 822463 10005, 30569309025904", "‹card number, 15 digits›, ‹card number, 14 digits›"],
  ["4111%201111%201111%201111 4111+1111+1111+1111", "‹card number, 16 digits› ‹card number, 16 digits›"],
  ["a=%204111111111111111", "a=%20‹card number, 16 digits›"],
  ['{"pan":4222222222222}', '{"pan":4e12}'],
  ["pan 4222222222222", "pan ‹card number, 13 digits›"],
  ["v4111.1111.1111.1111.", "v‹card number, 16 digits›."],
  [json({ pans: ["4111 1111 1111 1112"] }), '{"pans":["‹pans, 19 characters›"]}'],
];
for (const [given, written] of FOUND) {
  test(`found: ${given.slice(0, 60)}`, () => {
    expect(redact(given)).toBe(written);
    expect(redact(written)).toBe(written);
  });
}

const KEPT: readonly string[] = [
  "3f2a1b0c-1234-4321-8765-123456abcdef 41111111-1111-1111-1111-111111111111",
  "2026-01-31T23:59:59.123456789Z 2026-01-31 2026-02-01 12:30",
  '{"amount":-1234567.89,"balance":0.30000000000000004,"rate":12.4111111111111111}',
  '{"accountId":"4111111111111112","customerId":5011648377}',
  '{"identityValue":"j***e@example.com","tokenUniqueReference":"abc"}',
  "name@ @home a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p",
  "1.2.3-alpha.example.internal.test 192.168.100.200",
  '{"a":4111.111111111111,"version":"4111.1111.1111.1112","b":"1.4111.1111.1111.1111"}',
];
for (const text of KEPT) {
  test(`kept: ${text.slice(0, 60)}`, () => {
    expect(redact(text)).toBe(text);
  });
}

test("a header with a credential shows its length, or the name of a known secret", () => {
  const headers = {
    "x-openapi-clientid": VALUES.CARD_ENROLLMENT_API_KEY,
    "partner-app-key": "other",
    authorization: `Bearer ${VALUES.CARD_ENROLLMENT_API_KEY}`,
    "set-cookie": "session=1",
    "x-empty-token": "",
    "x-correlation-id": "7",
  };
  expect(Object.entries(headers).map(([name, value]) => redactor.header(name, value))).toEqual([
    "‹CARD_ENROLLMENT_API_KEY›",
    "‹partner-app-key, 5 characters›",
    "Bearer ‹CARD_ENROLLMENT_API_KEY›",
    "‹set-cookie, 9 characters›",
    "",
    "7",
  ]);
});

const HOSTILE: readonly [what: string, unit: string][] = [
  ["letters", "a"],
  ["digits", "4"],
  ["grouped digits", "4111 "],
  ["single grouped digits", "1-"],
  ["at signs", "@"],
  ["encoded at signs", "a%40"],
  ["backslashes", "\\"],
  ["open members", '"token":"\\'],
  ["escaped members", '\\"token\\":\\"'],
  ["quotes", '"'],
  ["names", "tokentoken"],
  ["parameters", "&token="],
  ["tokens", "eyJ."],
  ["schemes", "%3A%2F%2F"],
  ["names and spaces", '"token" '],
  ["placeholders", "‹"],
  ["elements", "<token>"],
  ["tags", '<a name="token" '],
  ["lines", "token: a,"],
  ["parts", 'form-data; name="token"\n\n'],
  ["lists", '"token":['],
];
for (const [what, unit] of HOSTILE) {
  test(`redaction of 1 MB of ${what} is fast`, () => {
    test.setTimeout(5_000);
    const text = unit.repeat(1_000_000 / unit.length);
    expect(redact(`${text} jane@example.com`)).not.toContain("jane");
  });
}

test("a text of JSON as long as the largest body does not fill the stack", () => {
  expect(redact(`{"token":"${"\\n".repeat(10_000_000)}"}`)).toBe('{"token":"‹token, 10000000 characters›"}');
});

test("an id of the target stays, even if it looks like a card number", () => {
  const keeping = createRedactor({ FINANCIAL_DATA_CUSTOMER_ID: "4111111111111111" }, []);
  keeping.keep("5555555555554444");
  const text = "/customers/4111111111111111/accounts/5555555555554444";
  expect(keeping.text(text)).toBe(text);
  expect(keeping.text("4012888888881881")).toBe("‹card number, 16 digits›");
});

/** Forms of settings that are not drawn in the proof of random secrets, each with the parts that a server may repeat alone. */
const PARTS: readonly [form: string, value: string, parts: readonly string[]][] = [
  ["a pair without a scheme", "canary-user:s3cr3t", ["s3cr3t", "canary-user"]],
  ["cookies", '{"cookie":"a=canary-cookie-1; b=canary-cookie-2"}', ["canary-cookie-1", "canary-cookie-2"]],
  ["parameters", 'OAuth realm="x", oauth_signature="canary-sign-1"', ["canary-sign-1"]],
];
for (const [form, value, parts] of PARTS) {
  test(`the parts of a setting are redacted: ${form}`, () => {
    const learning = createRedactor({ FINANCIAL_DATA_HEADERS: value, CARD_ENROLLMENT_API_KEY: value }, []);
    for (const part of parts)
      expect(learning.text(`token ${part} is not valid`)).toMatch(/^token ‹[^›]+› is/);
    expect(learning.text("public-part")).toBe("public-part");
  });
}

test("the password in an address and the key in a file are redacted", async () => {
  const path = join(await mkdtemp(join(tmpdir(), "assay-key-")), "key.json");
  await writeFile(path, JSON.stringify({ kty: "EC", x: "public-part", d: "private-part-1" }));
  const learning = createRedactor(
    {
      CARD_ENROLLMENT_BASE_URL: "https://somebody:s3cr3t@api.example.com",
      FINANCIAL_DATA_SIGNING_KEY: path,
    },
    [],
  );
  expect(learning.text("s3cr3t private-part-1 public-part")).toBe(
    "‹part of CARD_ENROLLMENT_BASE_URL› ‹part of FINANCIAL_DATA_SIGNING_KEY› public-part",
  );
});
