/** The record of an exchange and the results of checks show no secret in any field, and keep other values. */
import { expect, test } from "@playwright/test";
import type { SecretPlace } from "../../../helpers/contract/security-scheme.ts";
import type { Exchange } from "../../../helpers/exchange/exchange.ts";
import { createRedactor, record } from "../../../helpers/exchange/redact.ts";
import { redactor, SECRET, VALUES } from "./redacting.ts";

const json = (value: unknown) => JSON.stringify(value);

const exchange = (body: Buffer, type: string, requestBody?: string): Exchange => ({
  id: "w0-1",
  service: "card-enrollment",
  operationId: "EnrollCard",
  request: {
    method: "POST",
    url: "https://example.com/cards?a=1&b=%20",
    headers: { "x-openapi-clientid": VALUES.CARD_ENROLLMENT_API_KEY },
    ...(requestBody === undefined ? {} : { body: requestBody }),
  },
  requestJson: undefined,
  response: { status: 200, headers: { "content-type": type }, body, json: undefined },
  startedAt: new Date(0),
  durationMs: 3,
});

test("a record holds 4 KB of a body and states its length", () => {
  const recorded = record(
    exchange(Buffer.from("é".repeat(5000)), "text/plain", `${"😀".repeat(4000)}`),
    redactor,
  );
  expect(recorded.response?.body).toMatch(/^é{4096}‹cut here, 10000 bytes in all›$/);
  expect(recorded.request.body).toMatch(/^(😀){2048}‹cut here, 8000 characters in all›$/u);
  expect(recorded.request.headers).toEqual({ "x-openapi-clientid": "‹CARD_ENROLLMENT_API_KEY›" });
  expect(recorded.startedAt).toBe("1970-01-01T00:00:00.000Z");
});

test("truncation does not split a secret or a placeholder", () => {
  for (let before = 4060; before < 4100; before += 1) {
    const body = Buffer.from(`${"a ".repeat(before / 2)}${SECRET} ${"b ".repeat(500)}`);
    const { response } = record(exchange(body, "text/plain"), redactor);
    expect(response?.body).toMatch(
      /^(a )+a?(‹FINANCIAL_DATA_PARTNER_SECRET›)?[ b]*‹cut here, \d+ bytes in all›$/,
    );
  }
});

test("a binary body is recorded as its type and length", () => {
  expect(
    record(exchange(Buffer.from("%PDF-1.7 jane@example.com"), "application/pdf"), redactor).response?.body,
  ).toBe("‹application/pdf, 25 bytes›");
  expect(record(exchange(Buffer.from([0xff, 0xfe]), ""), redactor).response?.body).toBe(
    "‹no content type, 2 bytes›",
  );
});

test("a failure is recorded as its kind and message", () => {
  const { response: _, ...rest } = exchange(Buffer.alloc(0), "");
  const failed: Exchange = {
    ...rest,
    failure: { kind: "timeout", message: `key ${VALUES.CARD_ENROLLMENT_API_KEY}` },
  };
  expect(record(failed, redactor).failure).toBe("timeout: key ‹CARD_ENROLLMENT_API_KEY›");
});

/** An exchange in which a server repeats what it got. */
const echo = (sent: object, answered: object): Exchange => {
  const body = Buffer.from(json(answered));
  const given = exchange(body, "application/json", json(sent));
  return {
    ...given,
    requestJson: sent,
    response: { status: 400, headers: {}, body, json: answered },
  };
};

test("the value of a secret field is redacted wherever it is", () => {
  const said = 'Sh0rt! is too short, a%20%22b%22-c too; ["Ab1"]';
  const recorded = record(
    echo(
      { newPartnerSecret: "Sh0rt!", password: 'a "b"-c', ssn: 123456789 },
      { said, ssn: "Ab1", n: 123456789 },
    ),
    redactor,
  );
  expect(JSON.parse(recorded.response?.body ?? "")).toEqual({
    said: '‹newPartnerSecret, 6 characters› is too short, ‹password, 7 characters› too; ["Ab1"]',
    ssn: "‹ssn, 3 characters›",
    n: 1e8,
  });
});

test("a result is redacted by its field and by its values, then it is cut", () => {
  const shown = echo({ newPartnerSecret: "Sh0", ssn: 123456789, token: "4111-abc" }, {});
  const result = (pointer: string, actual: string) =>
    redactor.about([shown]).result({
      ...{ holds: false, pointer, actual },
      message: `${pointer} is wrong, got "Sh0"`,
      expected: `not 123456789 but ${VALUES.CARD_ENROLLMENT_API_KEY}`,
    });
  expect(result("/newPartnerSecret", '"Sh0"')).toEqual({
    holds: false,
    pointer: "/newPartnerSecret",
    message: '/newPartnerSecret is wrong, got "‹newPartnerSecret, 3 characters›"',
    expected: "not ‹ssn, 9 characters› but ‹CARD_ENROLLMENT_API_KEY›",
    actual: '"‹newPartnerSecret, 3 characters›"',
  });
  expect(result("/cvv", '"123"').actual).toBe('"‹cvv, 3 characters›"');
  expect(result("/ssn", "200").actual).toBe("200");
  expect(result("/a", "123456789").actual).toBe("‹ssn, 9 characters›");
  expect(result(`/${VALUES.CARD_ENROLLMENT_API_KEY}`, "4111-abc").pointer).toBe("/‹CARD_ENROLLMENT_API_KEY›");
  for (let before = 980; before < 1_000; before += 1)
    expect(result("/a", `${"a ".repeat(before / 2)}${SECRET} ${"b ".repeat(500)}`).actual).toMatch(
      /^(a )+a?(‹FINANCIAL_DATA_PARTNER_SECRET›)?[ b]*‹cut here, \d+ characters in all›$/,
    );
});

test("names of headers and members are redacted", () => {
  const key = VALUES.CARD_ENROLLMENT_API_KEY;
  const recorded = record(
    {
      ...echo({ [key]: 1 }, { [`${key}-token`]: "abc" }),
      request: {
        method: "POST",
        url: "https://example.com/",
        headers: { [`x-${key}`]: "1", [`${key}-token`]: "abc" },
      },
    },
    redactor,
  );
  expect(json(recorded)).not.toContain(key);
  expect(Object.keys(recorded.request.headers)).toEqual([
    "x-‹CARD_ENROLLMENT_API_KEY›",
    "‹CARD_ENROLLMENT_API_KEY›-token",
  ]);
});

test("names that only the documents or the settings know are redacted everywhere", () => {
  const secretPlaces: SecretPlace[] = [
    { in: "header", name: "X-Acme-Member" },
    { in: "query", name: "k" },
    { in: "body", name: "birthName" },
    { in: "body", name: "holderNo", ours: ["pan"] },
    { in: "body", name: "holder", ours: ["name"] },
  ];
  const knowing = createRedactor({ FINANCIAL_DATA_HEADERS: '{"X-Route":"b1","Accept":"a/b"}' }, [
    { secretPlaces },
  ]);
  const sent = { birthName: "Rivera", holderNo: 12, holder: "Robin", k: "open" };
  const given = echo(sent, { error: "member-7 and Rivera", ...sent });
  const headers = { "x-acme-member": "member-7", "x-route": "b1", accept: "a/b" };
  const { request, response } = record(
    { ...given, request: { ...given.request, url: "https://example.com/?k=q&holderNo=1", headers } },
    knowing,
  );
  expect(request.headers).toEqual({
    "x-acme-member": "‹x-acme-member, 8 characters›",
    "x-route": "‹x-route, 2 characters›",
    accept: "a/b",
  });
  expect(request.url).toBe("https://example.com/?k=‹k, 1 characters›&holderNo=1");
  expect(JSON.parse(response?.body ?? "")).toEqual({
    error: "‹x-acme-member, 8 characters› and ‹birthName, 6 characters›",
    birthName: "‹birthName, 6 characters›",
    holderNo: 1e1,
    holder: "Robin",
    k: "open",
  });
});

test("an id that the answer shows as an id stays, unless a field holds it as a card number", () => {
  const pan = "4111111111111111";
  const recorded = record(
    echo(
      { primaryAccountNumber: pan },
      { accountId: 4222222222222, id: pan, href: "/a/4222222222222", n: 4222222222222 },
    ),
    redactor,
  );
  expect(JSON.parse(recorded.response?.body ?? "")).toEqual({
    accountId: 4222222222222,
    id: "‹primaryAccountNumber, 16 characters›",
    href: "/a/4222222222222",
    n: 4222222222222,
  });
});

test("a long text is cut before redaction only where its end is not shown", () => {
  const long = `${SECRET}${"x".repeat(4_000)}`;
  const learning = createRedactor({ FINANCIAL_DATA_PARTNER_SECRET: long }, []);
  const { response } = record(exchange(Buffer.from(long.repeat(300)), "text/plain"), learning);
  expect(response?.body).not.toContain("xxxxxxxx");
});
